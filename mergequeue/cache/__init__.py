"""The signed cache, read by hooks without the runner's credential (facts 3.19).

- `service` says where the runner's cache service is and with what credential it is asked, from the
  queue's own environment, and what a hook is given in its place;
- `lookup` decides of one request: whether it is the one lookup, or with what status it is refused;
- `proxy` opens the sockets: it listens on this machine alone, and forwards what `lookup` lets
  through.

A hook is given the proxy's address and a stand-in token that is worth nothing anywhere else. The
real one is in no hook's environment; where the kernel does not confine a hook, it can still be
looked for in the queue's own.
"""
