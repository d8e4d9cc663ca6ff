"""A site whose answers are written by hand, byte by byte, on a loopback address that tests allow; and what it was asked."""

import gzip
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import parse_qs, unquote, urlsplit

HELD = 20.0  # seconds; nothing is held open for longer
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
PAGE = b"<!doctype html><title>A page</title><p>Words that stand here.</p>"


@dataclass
class Asked:
    """One request as it came in."""

    path: str
    headers: dict[str, str]
    at: float


@dataclass
class Site:
    """A site on one address and port."""

    host: str
    port: int
    asked: list[Asked] = field(default_factory=list)

    def url(self, path: str = "/ok", host: str = "") -> str:
        """The address of a page."""
        return f"http://{host or self.host}:{self.port}{path}"

    def paths(self) -> list[str]:
        """What was asked for, in order."""
        return [request.path for request in self.asked]


Send = Callable[[bytes], None]


def page(body: bytes = PAGE, *headers: str) -> bytes:
    """A complete answer with status 200."""
    extra = "".join(f"{line}\r\n" for line in headers).encode()
    return OK + extra + b"Content-Length: %d\r\n\r\n" % len(body) + body


def drip(send: Send, start: bytes, piece: bytes) -> None:
    """Send a piece every tenth of a second until the client leaves."""
    send(start)
    ends = time.monotonic() + HELD
    while time.monotonic() < ends:
        time.sleep(0.1)
        send(piece)


def flood(send: Send, start: bytes, piece: bytes, times: int = 2000) -> None:
    """Send a piece again and again until the client leaves."""
    send(start)
    for _ in range(times):
        send(piece)


BOMB = gzip.compress(bytes(64_000_000), 9)


def answer(path: str, send: Send) -> None:
    """Answer as the first part of the path says; `to` in the query is where redirects lead."""
    parts = urlsplit(path)
    to = parse_qs(parts.query, keep_blank_values=True).get("to", ["/ok"])[0]
    name, *rest = unquote(parts.path).strip("/").split("/")
    number = int(rest[0]) if rest and rest[0].isdigit() else 0
    location = f"Location: {to}\r\nContent-Length: 0\r\n\r\n".encode()
    if name == "r":
        send(b"HTTP/1.1 %d Elsewhere\r\n" % number + location)
    elif name == "chain":
        following = f"/chain/{number - 1}?to={to}" if number > 1 else to
        send(f"HTTP/1.1 302 Found\r\nLocation: {following}\r\nContent-Length: 0\r\n\r\n".encode())
    elif name == "cookie":
        send(b"HTTP/1.1 302 Found\r\nSet-Cookie: a=1; Path=/\r\nSet-Cookie: b=2; Path=/\r\n" + location)
    elif name == "status":
        send(b"HTTP/1.1 %d Words\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nwords" % number)
    elif name == "refresh":
        send(page(PAGE, f"Refresh: 0; url={to}"))
    elif name == "meta":
        send(page(f'<meta http-equiv="refresh" content="0; url={to}"><p>Moved'.encode()))
    elif name == "loop":
        send(b"HTTP/1.1 302 Found\r\nLocation: /loop\r\nContent-Length: 0\r\n\r\n")
    elif name == "redirect-drip":
        drip(send, b"HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Length: 99999\r\n\r\n", b"x")
    elif name == "big":
        flood(send, OK + b"Content-Length: %d\r\n\r\n" % number, b"x" * 65_536)
    elif name == "endless":
        flood(send, OK + b"\r\n", b"x" * 65_536)
    elif name == "drip":
        drip(send, OK + b"Content-Length: 100000\r\n\r\n", b"x")
    elif name == "error-drip":
        drip(send, b"HTTP/1.1 404 Not Found\r\nContent-Length: 100000\r\n\r\n", b"x")
    elif name == "header-drip":
        drip(send, b"HTTP/1.1 200 OK\r\nX-Slow: ", b"x")
    elif name == "status-drip":
        drip(send, b"HT", b"T")
    elif name == "hang":
        time.sleep(HELD)
    elif name == "gzipbomb":
        send(OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(BOMB) + BOMB)
    elif name == "longheader":
        flood(send, b"HTTP/1.1 200 OK\r\nX-Long: ", b"x" * 65_536, max(1, number // 65_536))
    elif name == "headers":
        flood(send, b"HTTP/1.1 200 OK\r\n", b"X-Many: 1\r\n", number)
        send(b"\r\n")
    elif name == "lying-length":
        send(OK + b"Content-Length: 9999\r\n\r\n" + PAGE)
    elif name == "early-for-ever":
        flood(send, b"", b"HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n", 100_000)
    elif name == "continue-for-ever":
        flood(send, b"", b"HTTP/1.1 100 Continue\r\nX: 1\r\n\r\n", 100_000)
    elif name == "chunk-line":
        flood(send, OK + b"Transfer-Encoding: chunked\r\n\r\n1;", b"x" * 65_536)
    elif name == "tiny-chunks":
        flood(send, OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n" * 10_000)
    elif name == "switch":
        send(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\n\r\n")
    elif name == "nine":
        send(b"<p>no status line at all")
    elif name == "raw":
        send(RAW.get(rest[0], page()))
    elif name in RAW:
        send(RAW[name])
    elif name == "robots.txt" or (name and name not in ("ok", "über")):
        send(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
    else:
        send(
            page(
                PAGE, 'ETag: W/"one"', "Last-Modified: Thu, 04 Mar 2021 05:06:07 GMT", "Set-Cookie: secret=1"
            )
        )


# Answers that single tests write.
RAW: dict[str, bytes] = {}


def serve(site: Site, connection: socket.socket) -> None:
    """Read one request, answer it, close."""
    with connection, suppress(OSError):
        connection.settimeout(HELD)
        raw = b""
        while b"\r\n\r\n" not in raw:
            piece = connection.recv(65_536)
            if not piece:
                return
            raw += piece
        first, *lines = raw.decode("latin-1").split("\r\n")
        path = re.split(" ", first)[1]
        headers = {
            name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
        }
        site.asked.append(Asked(path, headers, time.monotonic()))
        answer(path, connection.sendall)


@contextmanager
def site_on(host: str, port: int = 0) -> Iterator[Site]:
    """A site on an address until the end of the block; every connection has a thread of its own."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((host, port))
    listener.listen(64)
    site = Site(host, listener.getsockname()[1])

    def accept() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                threading.Thread(target=serve, args=(site, connection), daemon=True).start()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(5)
