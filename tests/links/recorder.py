"""A server on many loopback hosts that writes down when each request came and when its answer ended: the judge of manners."""

import asyncio
import socket
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

HOSTS = [f"127.66.{block}.{number}" for block in (20, 21) for number in range(1, 31)]
TYPICAL = (
    "<!doctype html><html><head><title>{0}</title></head><body><main><h1>{0}</h1>{1}</main></body></html>"
)
SENTENCES = (
    "<p>The board of {0} holds memory and a controller, and its makers describe both at length.</p>" * 4
)


@dataclass
class Asked:
    """One request: where it went, and from when to when it was answered (inf: its answer never ended)."""

    host: str
    path: str
    headers: dict[str, str]
    began: float
    ended: float = float("inf")


@dataclass(frozen=True)
class Answer:
    """What is sent back, after so many seconds."""

    status: int = 200
    body: bytes = b""
    headers: tuple[str, ...] = ()
    delay: float = 0.0


def html(body: str, *headers: str, status: int = 200, delay: float = 0.0) -> Answer:
    """An answer with this HTML."""
    return Answer(status, body.encode(), ("Content-Type: text/html; charset=utf-8", *headers), delay)


def empty(status: int, *headers: str, delay: float = 0.0) -> Answer:
    """An answer that is all in its status and headers."""
    return Answer(status, b"", headers, delay)


def document(path: str, delay: float = 0.0) -> Answer:
    """An ordinary page, always the same at one path."""
    return html(TYPICAL.format(f"Document {path}", SENTENCES.format(path)), delay=delay)


@dataclass
class Recorder:
    """Answers by host and path, by path, or with an ordinary page; robots.txt is missing unless given."""

    port: int = 0
    delay: float = 0.0  # seconds an ordinary page takes
    answers: dict[tuple[str, str] | str, Answer | Callable[[Asked], Answer]] = field(default_factory=dict)
    log: list[Asked] = field(default_factory=list)

    def url(self, host: str, path: str = "/doc") -> str:
        """The address of a page."""
        return f"http://{host}:{self.port}{path}"

    def asked(self, host: str = "", path: str = "") -> list[Asked]:
        """The requests to a host or for a path, in the order in which they came."""
        return [one for one in list(self.log) if host in ("", one.host) and path in ("", one.path)]

    def pages(self, host: str = "") -> list[Asked]:
        """The requests for pages, without those for robots.txt."""
        return [one for one in self.asked(host) if one.path != "/robots.txt"]

    def by_host(self) -> dict[str, list[Asked]]:
        """All requests, by host."""
        found = defaultdict(list)
        for one in list(self.log):
            found[one.host].append(one)
        return found

    def overlaps(self) -> list[tuple[Asked, Asked]]:
        """Pairs of requests that a host had at once."""
        return [
            (first, second)
            for asked in self.by_host().values()
            for at, second in enumerate(asked)
            for first in asked[:at]
            if first.ended > second.began
        ]

    def shortest_pause(self) -> float:
        """Seconds between the end of an answer and the next request to the same host, at the least."""
        pauses = [
            second.began - max(one.ended for one in asked[: at + 1])
            for asked in self.by_host().values()
            for at, second in enumerate(asked[1:])
        ]
        return min(pauses, default=float("inf"))

    def answer(self, one: Asked) -> Answer:
        """What a request gets."""
        missing = empty(404) if one.path == "/robots.txt" else document(one.path, self.delay)
        chosen = self.answers.get((one.host, one.path), self.answers.get(one.path, missing))
        return chosen(one) if callable(chosen) else chosen

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, one request."""
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            named = (line.split(":", 1) for line in head[1:] if ":" in line)
            headers = {name.lower(): value.strip() for name, value in named}
            host = writer.get_extra_info("sockname")[0]
            one = Asked(host, head[0].split(" ")[1], headers, time.monotonic())
            self.log.append(one)
            answer = self.answer(one)
            await asyncio.sleep(answer.delay)
            lines = [f"HTTP/1.1 {answer.status} Said", f"Content-Length: {len(answer.body)}", *answer.headers]
            # Noted before the last byte is sent: whoever asks cannot know of the end before it.
            one.ended = time.monotonic()
            writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + answer.body)
            await writer.drain()
        with suppress(ConnectionError):
            writer.close()
            await writer.wait_closed()

    async def listen(self) -> list[asyncio.Server]:
        """Listen on every host, on one port."""
        servers = []
        for host in HOSTS:
            listener = socket.socket()
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, self.port))
            self.port = listener.getsockname()[1]
            servers.append(await asyncio.start_server(self.serve, sock=listener, backlog=256))
        return servers


@contextmanager
def recording() -> Iterator[Recorder]:
    """A recorder in a thread of its own, until the end of the block."""
    recorder = Recorder()
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="recorder", daemon=True)
    thread.start()
    servers: list[asyncio.Server] = []
    try:
        servers += asyncio.run_coroutine_threadsafe(recorder.listen(), loop).result(timeout=20)
        yield recorder
    finally:
        asyncio.run_coroutine_threadsafe(_end(servers), loop).result(timeout=20)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(timeout=10)
        loop.close()


async def _end(servers: list[asyncio.Server]) -> None:
    for server in servers:
        server.close()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
