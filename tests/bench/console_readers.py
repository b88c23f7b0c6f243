"""Pages in a process of their own: PORT COOKIE READERS STALLED. Prints when the first heard of pending moves.

Each line is a monotonic instant in nanoseconds and the pending move (`-` for none). Readers take everything;
stalled ones ask and never read. Ends when standard input does.
"""

from __future__ import annotations

import json
import selectors
import socket
import sys
import time


def connect(port: int, cookie: str, *, stalled: bool) -> socket.socket:
    line = socket.socket()
    if stalled:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    line.connect(("127.0.0.1", port))
    request = f"GET /api/stream/referee HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n\r\n"
    line.sendall(request.encode())
    return line


def main() -> None:
    port, cookie, readers, stalled = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    kept = [connect(port, cookie, stalled=True) for _ in range(stalled)]
    chosen = selectors.DefaultSelector()
    lines = [connect(port, cookie, stalled=False) for _ in range(readers)]
    for line in lines:
        line.setblocking(False)
        chosen.register(line, selectors.EVENT_READ)
    chosen.register(sys.stdin, selectors.EVENT_READ)
    pending, rest = "", b""
    print("ready", flush=True)
    while True:
        for key, _ in chosen.select():
            if key.fileobj is sys.stdin:
                for line in (*kept, *lines):
                    line.close()
                return
            found = key.fileobj
            assert isinstance(found, socket.socket)
            data = found.recv(1 << 16)
            heard_ns = time.monotonic_ns()
            if found is not lines[0]:
                continue
            *whole, rest = (rest + data).split(b"\n")
            for text in whole:
                if text.startswith(b"data: "):
                    now = json.loads(text[6:]).get("truth", {}).get("pending", pending) or "-"
                    if now != pending:
                        pending = now
                        print(heard_ns, pending, flush=True)


if __name__ == "__main__":
    main()
