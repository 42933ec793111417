"""A fake GitHub: plain state, a real HTTP server on loopback, real git repositories.

A test asks for the fixture `github` (fixtures.py) and tells a story:

    pull = github.open_pull("fix-parser", {"parser.py": "pass\\n"}, author="author")
    github.require_checks("merge-queue", app=github.app)
    github.approve(pull, by="reviewer")
    github.enable_auto_merge(pull, "squash", by="maintainer")
    ...the program under test talks to github.api_url with github.writer.text...
    assert github.wrote() == ["acme-queue[bot]: status merge-queue is success on #1", ...]

What the modules are, from the inside out:

- records, clock: GitHub's state as plain records, and its time, which moves when something happens;
- descriptions/: slim copies of GitHub's OpenAPI description and GraphQL schema, and their maker;
- described, completed: every request and answer is held to that description; what an answer must
  have and no test looks at is filled in from it;
- calls, routes, access: one request to one operation, who answers it, who may ask;
- githost, gitmerges, gitpushes, githttp: bare repositories, how GitHub merges them, what a push is
  refused for and what it changes, and `git http-backend`;
- world: state, ids, time, log of requests and writes in one object; story adds the verbs of a test;
- requirements, merging, automerge, closing: what GitHub does by itself;
- server: the HTTP server, with faults and limits around every call; results: where jobs keep
  artifacts;
- one module an area of the interface: pulls, merges, reviews, issues, labels, statuses, checks,
  repositories, branches, rules, stacks, search, people, secrets, actions, apps; each has `shapes`
  for what it answers; graphql and its resolvers.

A test fails at its end when a request broke GitHub's description, when an operation was asked for
that the fake does not have, or when a write is left that no assertion of the test took with
`github.wrote()` or `github.explain()`.

To add an operation: its line in descriptions/operations.txt, `python -m
tests.fakes.github.descriptions.slim`, and a function with `@route` in the module of its area (a new
module is listed in routes.AREAS).
"""
