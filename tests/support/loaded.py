"""Starts the program from a process that has loaded it: `python -I loaded.py <a socket's number>`.

Loading takes a second of processor time, and is the same every time. What is asked for on the
socket is run in a fork, with a folder, an environment, streams and an exit status of its own, as it
would be if it had been started anew.
"""

import gc
import json
import os
import signal
import socket
import sys

from mergequeue.cli import main

REQUEST_BYTES = 128 * 1024
STREAMS = 3


def serve(door: socket.socket) -> None:
    """Start what is asked for until the other end is closed."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that wait
    gc.freeze()
    while True:
        request, files, _, _ = socket.recv_fds(door, REQUEST_BYTES, STREAMS + 1)
        if not request:
            return
        if os.fork() == 0:
            door.close()
            start(json.loads(request), files)
            return
        for file in files:
            os.close(file)


def start(request: dict[str, object], files: list[int]) -> None:
    """Run the program in a child, wait for it, and write its status into the last of the files."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    *streams, answer = files
    child = os.fork()
    if child:
        for stream in streams:
            os.close(stream)
        _, status = os.waitpid(child, 0)
        os.write(answer, str(os.waitstatus_to_exitcode(status)).encode())
        os._exit(0)
    os.close(answer)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(str(request["folder"]))
    os.environ.clear()
    os.environ.update(dict(request["environment"]))  # type: ignore[call-overload]  # a JSON object
    sys.argv[1:] = list(request["words"])  # type: ignore[call-overload]  # a list of strings
    main()


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
