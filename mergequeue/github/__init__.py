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

What is asked and written:

- `runs` lists what a validation run uploaded and says what started that run; `downloads` fetches
  it.

Facts 1.1 to 1.12; CASES D to H. No sentence of GitHub's is matched where a status, a header or
another read tells the same. A write of which nobody knows the outcome is never repeated before what
is true was read.
"""
