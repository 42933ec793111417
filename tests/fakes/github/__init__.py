"""A fake GitHub: plain state, a real HTTP server on loopback, real git repositories.

A test asks for the fixture `github` (fixtures.py) and tells a story:

    pull = github.open_pull("fix-parser", {"parser.py": "pass\\n"}, author="author")
    github.require_checks("merge-queue", app=github.app)
    github.approve(pull, by="reviewer")
    github.enable_auto_merge(pull, "squash", by="maintainer")
    ...the program under test talks to github.api_url with github.writer.text...
    assert github.wrote() == ["acme-queue[bot]: status merge-queue is success on #1", ...]

What the modules are, from the inside out:

- records, runrecords, clock: GitHub's state as plain records, and its time, which moves when
  something happens;
- descriptions/: slim copies of GitHub's OpenAPI description and GraphQL schema, and their maker;
- described, completed: every request and answer is held to that description; what an answer must
  have and no test looks at is filled in from it;
- calls, routes, access, paging: one request to one operation, who answers it, who may ask, and
  lists a page at a time;
- githost, gitmerges, gitpushes, githttp: bare repositories, how GitHub merges them, what a push is
  refused for and what it changes, and `git http-backend`;
- requirements, merging, stackmerges, automerge, lifecycle, acts: what GitHub does by itself, and
  what it does when somebody does something, over HTTP or by a verb;
- world, log, knobs, faults, limits: everything in one object, what was asked and written, and what
  a test sets to have it otherwise;
- story, storypeople, storyrules, runverbs: the verbs of a test; fixtures: what it asks for;
- server, results, blobs: the HTTP server, what jobs upload, and the host that keeps it;
- one module an area of the interface: pulls, merges, reviews, issues, labels, statuses, checks,
  repositories, branches, rules, stacks, search, people, secrets, actions, apps; what they answer is
  in shapes and pullshapes;
- graphql, resolvers, graphlimits, graphblanks: GraphQL; graphnodes, graphcommits, graphpulls,
  graphrepositories: its nodes.

What it stays behind GitHub in is said where it is: a token of an app needs its permissions on
public repositories too (access), one refused ref refuses a whole push (gitpushes), and stacks and
merges in the background follow GitHub's description alone (stackmerges).

A test fails at its end when a request broke GitHub's description, when an operation was asked for
that the fake does not have, or when a write is left that no assertion of the test took with
`github.wrote()` or `github.explain()`.

To add an operation: its line in descriptions/operations.txt, `python -m
tests.fakes.github.descriptions.slim`, and a function with `@route` in the module of its area (a new
module is listed in routes.AREAS).
"""
