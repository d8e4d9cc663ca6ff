"""The server that everybody asks: many loopback hosts in one process, each answering after the same delay.

It is the judge as well: it counts what is asked of each host and how many requests a host has at once, whatever a client
says of itself. Written for little processor time, because it shares the machine with those it measures: no parsing beyond
what is needed, answers made beforehand.

    python -m benchmarks.links.farm --addresses 2000 --hosts 200 --delay-ms 50

Prints one line of JSON with its port, then serves until its standard input ends. Control, not counted and not delayed, at
127.0.0.1: /reset, /counts (JSON), /list (a page of links to every address, for tools that read pages).
"""

import argparse
import asyncio
import gc
import json
import socket
import sys
import time
from collections import Counter
from html import escape

from benchmarks.links.pages import addresses, article, hosts, path

CONTROL = "127.0.0.1"
# LinkChecker asks a host more than some ten times a second only where its answers bear this header.
_HEAD = "HTTP/1.1 {status}\r\nServer: farm\r\nLinkChecker: welcome\r\nContent-Type: {type}\r\nContent-Length: {length}\r\n"
_ROBOTS = b"User-agent: *\nAllow: /\n"
_KEEP, _CLOSE = b"Connection: keep-alive\r\n\r\n", b"Connection: close\r\n\r\n"


class Answer:
    """An answer made beforehand."""

    __slots__ = ("body", "head")

    def __init__(self, body: bytes, kind: str = "text/html; charset=utf-8", status: str = "200 OK") -> None:
        self.head = _HEAD.format(status=status, type=kind, length=len(body)).encode()
        self.body = body

    def sent(self, method: bytes, closing: bool) -> bytes:
        """The bytes on the wire."""
        head = self.head + (_CLOSE if closing else _KEEP)
        return head if method == b"HEAD" else head + self.body


class Farm:
    """The pages, the delay in seconds, and what was counted since the last reset."""

    def __init__(self, count: int, delay: float) -> None:
        self.delay = delay
        self.pages = {path(number).encode(): Answer(article(number).html) for number in range(count)}
        self.pages[b"/robots.txt"] = Answer(_ROBOTS, "text/plain")
        self.missing = Answer(b"<title>Not here</title>", status="404 Not Found")
        self.reset()

    def reset(self) -> None:
        """Count from nought."""
        self.at_once: Counter[str] = Counter()
        self.most: Counter[str] = Counter()
        self.methods: Counter[str] = Counter()
        self.asked: set[bytes] = set()
        self.read: set[bytes] = set()
        self.robots: Counter[str] = Counter()
        self.connections = 0
        self.first = self.last = 0.0

    def begin(self, host: str, method: bytes, target: bytes) -> None:
        """Count a request that came."""
        self.at_once[host] = now = self.at_once[host] + 1
        if now > self.most[host]:
            self.most[host] = now
        self.first = self.first or time.monotonic()
        if target == b"/robots.txt":
            self.robots[host] += 1
        elif target in self.pages:
            self.methods[method.decode("latin-1")] += 1
            self.asked.add(target)
            if method == b"GET":
                self.read.add(target)

    def end(self, host: str) -> None:
        """Count a request out, just before the first byte of its answer: nobody can know of it earlier."""
        self.at_once[host] -= 1
        self.last = time.monotonic()

    def counts(self) -> dict[str, object]:
        """What was counted: requests, distinct addresses, seconds from the first request to the last answer."""
        return {
            "asked": len(self.asked),
            "read": len(self.read),
            "methods": dict(self.methods),
            "robots_hosts": len(self.robots),
            "robots_requests": self.robots.total(),
            "most_at_once": max(self.most.values(), default=0),
            "connections": self.connections,
            "asking_seconds": round(self.last - self.first, 3),
        }


class Conversation(asyncio.Protocol):
    """One connection to one host: one request after the other, each answered after the delay."""

    __slots__ = ("busy", "farm", "host", "received", "timer", "transport")

    def __init__(self, farm: Farm) -> None:
        self.farm = farm
        self.received = b""
        self.busy = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.host = transport.get_extra_info("sockname")[0]
        self.farm.connections += 1

    def data_received(self, data: bytes) -> None:
        self.received += data
        if not self.busy:
            self.next_request()

    def next_request(self) -> None:
        """Take the next whole request, if it is there. Requests with a body are none of this farm's."""
        head, end, rest = self.received.partition(b"\r\n\r\n")
        if not end:
            return
        self.received = rest
        self.busy = True
        method, target, version = head.partition(b"\r\n")[0].split(b" ", 2)
        target = target.partition(b"?")[0]
        lower = head.lower()
        closing = b"\nconnection: close" in lower or (
            version == b"HTTP/1.0" and b"\nconnection: keep-alive" not in lower
        )
        answer = self.farm.pages.get(target, self.farm.missing)
        self.farm.begin(self.host, method, target)
        loop = asyncio.get_running_loop()
        self.timer = loop.call_later(self.farm.delay, self.answer, answer.sent(method, closing), closing)

    def answer(self, sent: bytes, closing: bool) -> None:
        """Send an answer, and go on with a request that came meanwhile."""
        self.busy = False
        self.farm.end(self.host)
        self.transport.write(sent)
        if closing:
            self.transport.close()
        elif self.received:
            self.next_request()

    def connection_lost(self, error: Exception | None) -> None:
        if self.busy:  # the client went away before its answer
            self.timer.cancel()
            self.farm.end(self.host)


class Control(asyncio.Protocol):
    """One connection to the control address, for one request."""

    def __init__(self, farm: Farm, listing: bytes) -> None:
        self.farm = farm
        self.listing = listing
        self.received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.received += data
        if b"\r\n\r\n" not in self.received:
            return
        method, target, _ = self.received.split(b" ", 2)
        if target == b"/reset":
            self.farm.reset()
        answers = {
            b"/reset": lambda: Answer(b"{}", "application/json"),
            b"/counts": lambda: Answer(json.dumps(self.farm.counts()).encode(), "application/json"),
            b"/list": lambda: Answer(self.listing),
            b"/robots.txt": lambda: self.farm.pages[b"/robots.txt"],
        }
        answer = answers.get(target, lambda: self.farm.missing)()
        self.transport.write(answer.sent(method, closing=True))
        self.transport.close()


def listener(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes a free one."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.bind((host, port))
    return made


def page_of_links(targets: list[str]) -> bytes:
    """A page that links to each of the addresses."""
    items = "\n".join(f'<li><a href="{escape(target)}">{escape(target)}</a></li>' for target in targets)
    return f"<!doctype html><html lang=en><title>List</title><ul>\n{items}\n</ul></html>".encode()


async def serve(farm: Farm, count: int, host_count: int) -> None:
    """Listen on every host and on the control address until standard input ends."""
    loop = asyncio.get_running_loop()
    control = listener(CONTROL, 0)
    port = control.getsockname()[1]
    listing = page_of_links([url for _, url in addresses(count, host_count, port)])
    servers = [await loop.create_server(lambda: Control(farm, listing), sock=control)]
    for host in hosts(host_count):
        servers.append(
            await loop.create_server(lambda: Conversation(farm), sock=listener(host, port), backlog=256)
        )
    sys.stdout.write(json.dumps({"port": port}) + "\n")
    sys.stdout.flush()
    ended = asyncio.Event()
    loop.add_reader(sys.stdin, ended.set)
    await ended.wait()
    for server in servers:
        server.close()


def main() -> None:
    """Serve as the options say."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--addresses", type=int, default=2000)
    parser.add_argument("--hosts", type=int, default=200)
    parser.add_argument("--delay-ms", type=float, default=50.0)
    options = parser.parse_args()
    farm = Farm(options.addresses, options.delay_ms / 1000)
    gc.freeze()  # the pages live as long as the process: nobody need look through them again and again
    asyncio.run(serve(farm, options.addresses, options.hosts))


if __name__ == "__main__":
    main()
