"""The GitHub provider: requests and answers apart from the socket.

How GitHub is spoken to, from the inside out:

- `addresses` makes every address, from the two variables of the runner, and encodes what is in it;
- `answers` reads what came back, strictly: a record names each field that it needs;
- `patience` decides what an answer calls for: act on it, wait, ask again, or say that nobody knows;
- `links` finds a listing's next page;
- `transport` is the one module that opens sockets, and sends one request;
- `client` puts these together into calls: read, list, query, write;
- `credentials` says as whom, and keeps reading and writing apart; `apps` proves the queue's app and
  is lent its tokens.

What is read (`reading` is the side that can name nothing that writes):

- `pulls` has pull requests as REST gives them, `shapes` what several answers of GraphQL hold alike,
  and `asking` puts one question about many pull requests into one query;
- `labels` are the queue's own, and `intent` is what a pull request asks for; `asked_labels` ask for
  more than queueing; `labelers` reads who set a label and `queue_times` when one was queued,
  `permissions` what they may do, and `own_labels` whether it was the queue's own app;
- `listing` makes the four lists; `message_rules` finds a title that no rule of the base will take;
  `beneath` finds what merged beneath a queued pull request;
- `approving` reads changes as they are now; `reviews` decides which commit is approved,
  and `required` tells whose reviews are those of the base's required reviewers;
- `rules` reads what the base requires; `reported` what was reported at a commit, of which `checks`
  makes how required checks stand there, and `named_checks` how those of any name do, which it also
  runs again; `greens` where the queue's status is green; `describing` says what the queue can do
  here.

What is left of setting it up:

- `identity` finds the queue's app; `wiring` reads what the repository has of what is needed;
- `setup_steps` are the commands that are left, and `stalls` is what would stall the queue.

What is written (`writing` is the side that may; `certain` reads what is true after an answer that
is not clear, before anything is written again):

- `statuses` posts the queue's status, on heads alone; `marks` shows a change's one label;
- `kicks` hands a change back, `tries` tells what a try run came to, and `comments` reads and posts
  what an author is told;
- `turned_away` reads what was handed back and is still open, and `keeping` speaks on one and queues
  it again;
- `pull_merges` merges one, with `merge_body` the words of it; `stack_merge` merges members of a
  stack;
- `dashboards` keeps the pinned issue that shows the queue, where one is asked for.

What a validation run left, and how one is started:

- `runs` lists what a validation run uploaded and says what started that run; `downloads` fetches
  it; `uploads` is how a job of it leaves something, as the runner's own steps do;
- `dispatches` starts a run, and reads of the runs there are whether one is needed.

Facts 1.1 to 1.12; CASES D to H. No sentence of GitHub's is matched where a status, a header or
another read tells the same. A write of which nobody knows the outcome is never repeated before what
is true was read.
"""
