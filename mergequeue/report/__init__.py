"""Every sentence and picture that a person reads, each a pure function of data.

- of one change: `refusals` and `kicks` for its author, `waits` for what ends a wait;
- of a merge: `resolutions`, what was settled and what was not, and `regenerating`, what becomes of
  its generated files;
- of a stage: `notices` says what planning does, `validating` and `applying` what those do;
- of the queue: `standing` says where every change stands, `stages` in which words and `estimates`
  until when; `status` tells that, `measures` and `stats` how the queue did by day, `remembering`
  what the audit log says; `web`, `web_view`, `web_measures` and `charts` are what its page shows;
- of a run: `picture` and `happenings` while it goes on, `ending` at its end, `errors`;
- of what people control: `control` (the priority lane, a pause), `trying` and `github_try`;
- of a command or a tool: `describing`, `demo`, `plain_git`, `github_setup`;
- of a job in a CI: `jobs` are what it is called and says, `annotations` what its runner reads,
  `summary` the page it shows, `views` what that shows of a plan.

A sentence says what happened, whose it is, and what comes next; what an author typed goes through
`vocabulary.text` or is not shown. Nothing here prints: `host.console` does.
"""
