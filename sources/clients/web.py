"""One look at an address. `fetch` is the only function of the project that opens a connection to a stranger.

Each request goes to an address that was vetted just before, redirects are followed by hand, nothing is taken from the
environment (no proxy, no ~/.netrc), and one deadline and one limit of bytes stand round the whole.
"""

import datetime as dt
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import replace

import requests
from requests.cookies import RequestsCookieJar

from sources.clients.bodies import Body, decoded, is_text, unpacked
from sources.clients.budget import Budget
from sources.clients.connection import VettedConnection, answer
from sources.clients.exchange import Condition, Exchange, Failure, Hop, NotFetchedError
from sources.clients.failures import ERRORS, named
from sources.clients.headers import (
    kept,
    media_type,
    meta_refresh_target,
    refresh_target,
    retry_after,
    utf8,
)
from sources.clients.limits import Limits
from sources.clients.names import Resolver, system_resolver, vetted_addresses
from sources.clients.targets import Target, masked, onward, target

REDIRECTS = frozenset({301, 302, 303, 307, 308})
_STEP = 65_536  # bytes
_PEEK = 4096  # bytes of a body that would be too large anyway: enough to see what it is
_ERROR_PAGE = (65_536, 3.0)  # bytes and seconds for the body of an answer whose status says it all
_HTML = ("text/html", "application/xhtml+xml", "")
_ACCEPT = "text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.8"

# A Refresh that leads to one of these leaves the page that carries it standing.
_NO_WAY_ON = ("unsafe", "unsupported", "redirect_loop", "too_many_redirects")

# Asked before each request, with its target and the seconds left. It may wait, and raises NotFetchedError to prevent the
# request; the request is made inside the context it returns.
Admit = Callable[[Target, float], AbstractContextManager[object]]


def anybody(target: Target, seconds: float) -> AbstractContextManager[object]:
    """Admit every request at once."""
    return nullcontext()


def fetch(
    url: str,
    limits: Limits,
    *,
    condition: Condition | None = None,
    resolver: Resolver = system_resolver,
    admit: Admit = anybody,
) -> Exchange | Failure:
    """Look at an address once, with GET, and return what it answers, or a Failure with a name.

    Follows redirects (also those of a Refresh header or meta element without delay) under the same rules as the first
    request. Cookies live as long as the look. Takes at most `limits.deadline` seconds, and a look-up by the system's
    resolver that hangs is left behind. Raises nothing that a server or a network can cause.
    """
    began = time.monotonic()
    look = _Look(url, limits, condition or Condition(), resolver, admit)
    try:
        found: Exchange | Failure = look.follow()
    except NotFetchedError as refusal:
        found = look.failure(refusal)
    except ERRORS as error:
        found = look.failure(NotFetchedError(*named(error, limits.deadline)))
    return replace(found, elapsed=round(time.monotonic() - began, 3))


class _Look:
    """The state of one look: what was asked, what is left, which cookies were given."""

    def __init__(
        self, url: str, limits: Limits, condition: Condition, resolver: Resolver, admit: Admit
    ) -> None:
        self.url = url
        self.limits = limits
        self.condition = condition
        self.resolver = resolver
        self.admit = admit
        self.budget = Budget(limits.deadline, limits.max_bytes)
        self.jar = RequestsCookieJar()
        self.hops: list[Hop] = []
        self.seen: set[object] = set()
        self.at = masked(url)
        self.stopped = False  # by the limit of bytes, within a body

    def failure(self, refusal: NotFetchedError) -> Failure:
        """The Failure that ends this look."""
        return Failure(
            self.url,
            refusal.kind,
            refusal.reason,
            tuple(self.hops),
            self.at,
            refusal.retry_after,
        )

    def follow(self) -> Exchange:
        """Ask, and ask again wherever an answer sends on to."""
        asked = target(self.url, self.limits.ports)
        addresses = self.vetted(asked)
        while True:
            found, location = self.ask(asked, addresses)
            if not location:
                return found
            via = self.hops[-1].via
            try:
                asked = self.next_target(asked, location)
                addresses = self.vetted(asked)
            except NotFetchedError as refusal:
                if via != "refresh" or refusal.kind not in _NO_WAY_ON:
                    raise
                # A page was read, although it would send its readers somewhere we do not go.
                self.hops[-1] = replace(self.hops[-1], via="", location="", downgrade=False)
                refused = refusal.reason if refusal.kind in ("unsafe", "unsupported") else ""
                return replace(found, hops=tuple(self.hops), forward_refused=refused)

    def next_target(self, base: Target, location: str) -> Target:
        """The target of a redirect. Raises NotFetchedError: "unsafe" for what must not be followed."""
        self.at = masked(location)
        address = onward(base, location)
        self.at = masked(address)
        if len(self.hops) > self.limits.max_hops:
            raise NotFetchedError("too_many_redirects", f"The address was sent on {len(self.hops)} times.")
        try:
            following = target(address, self.limits.ports)
        except NotFetchedError as refusal:
            # To cite a mail address is harmless; to be sent to a file or a program's own scheme is not.
            raise NotFetchedError("unsafe", refusal.reason) from None
        downgrade = base.scheme == "https" and following.scheme == "http"
        self.hops[-1] = replace(self.hops[-1], location=following.url, downgrade=downgrade)
        return following

    def vetted(self, asked: Target) -> list[str]:
        """The addresses of a target, after a look whether the same was asked before."""
        cookies = tuple(sorted((c.domain, c.path, c.name, c.value or "") for c in self.jar))
        if (asked.page, cookies) in self.seen:
            raise NotFetchedError("redirect_loop", "The address is sent round in a circle.")
        self.seen.add((asked.page, cookies))
        return vetted_addresses(asked, self.limits, self.resolver, self.budget)

    def ask(self, asked: Target, addresses: list[str]) -> tuple[Exchange, str]:
        """Make one request; return what it brought, and the address it sends on to ("" for an answer to keep)."""
        self.at = asked.url
        headers, conditional = self.headers(asked)
        with self.admit(asked, self.budget.seconds()):
            self.budget.next_request()
            connection = VettedConnection(asked, addresses, self.limits, self.budget)
            with closing(connection), closing(answer(connection, self.jar, headers)) as response:
                self.hops.append(Hop(asked.url, response.status_code))
                if response.status_code < 200:
                    raise NotFetchedError("protocol", "The answer changes to another protocol.")
                if response.status_code in REDIRECTS:
                    return self.redirect(response)
                found = replace(self.read(response, conditional), tls_until=connection.certificate_ends)
                location = self.forward(asked, response, found)
                return replace(found, hops=tuple(self.hops)), location

    def headers(self, asked: Target) -> tuple[dict[str, str], bool]:
        """What goes with a request, and whether it sets a condition."""
        headers = {
            "User-Agent": self.limits.agent,
            "Accept": _ACCEPT,
            "Accept-Language": "en, *;q=0.5",
            "Accept-Encoding": "identity",
            "Connection": "close",
        }
        of = self.condition.url.partition("#")[0]
        if asked.page != of if of else self.hops:
            return headers, False
        if self.condition.etag:
            headers["If-None-Match"] = self.condition.etag
        if self.condition.last_modified:
            headers["If-Modified-Since"] = self.condition.last_modified
        return headers, bool(self.condition.etag or self.condition.last_modified)

    def redirect(self, response: requests.Response) -> tuple[Exchange, str]:
        """Where a 3xx sends on to; its body is left unread."""
        locations = response.raw.headers.getlist("location")
        location = utf8(locations[0]).strip(" \t") if locations else ""
        if not location:
            raise NotFetchedError(
                "redirect_nowhere", f"Status {response.status_code} without an address to go to."
            )
        self.hops[-1] = replace(self.hops[-1], via="http", location=masked(location))
        return Exchange(self.url, tuple(self.hops), response.status_code), location

    def read(self, response: requests.Response, conditional: bool) -> Exchange:
        """The answer with its body, read within the limits."""
        status = response.status_code
        headers = kept(response.headers.items())
        kind, charset = media_type(headers.get("content-type", ""))
        promised = headers.get("content-length", "")
        length = int(promised) if promised.isascii() and promised.isdigit() and len(promised) < 19 else None
        body = self.body(response, kind, length)
        text, used = (
            decoded(body.content, charset, body.truncated) if is_text(kind, body.content) else ("", "")
        )
        return Exchange(
            url=self.url,
            hops=tuple(self.hops),
            status=status,
            headers=headers,
            content_type=kind,
            charset=used,
            body=body.content,
            text=text,
            bytes_read=body.bytes_read,
            length_promised=length,
            truncated=body.truncated,
            conditional=conditional,
            retry_after=retry_after(headers.get("retry-after", ""), dt.datetime.now(dt.UTC)),
        )

    def body(self, response: requests.Response, kind: str, length: int | None) -> Body:
        """As much of the body as is worth reading."""
        encoding = response.headers.get("content-encoding", "")
        limit = self.limits.max_bytes
        if 200 <= response.status_code < 300:
            if length is not None and length > limit and not is_text(kind or "application/octet-stream", b""):
                # Half a PDF is no PDF: what the headers say will not fit is not taken.
                limit = min(_PEEK, limit)
            read = unpacked(self.pieces(response), encoding, limit)
            return replace(read, truncated=read.truncated or self.stopped)
        size, seconds = _ERROR_PAGE
        self.budget.shorten(seconds)
        try:
            return unpacked(self.pieces(response), encoding, min(size, limit))
        except (NotFetchedError, *ERRORS):
            return Body(b"", 0, True)  # the status stands without it

    def pieces(self, response: requests.Response) -> Iterator[bytes]:
        """The packed body piece by piece, up to what the budget of bytes allows."""
        try:
            yield from response.raw.stream(_STEP, decode_content=False)
        except ERRORS as error:
            if named(error, 0)[0] != "too_large":
                raise
            self.stopped = True

    def forward(self, asked: Target, response: requests.Response, found: Exchange) -> str:
        """The address that a page sends on to by a Refresh header or meta element, "" for none or itself."""
        if found.status != 200 or found.content_type not in _HTML:
            return ""
        location = refresh_target(utf8(response.headers.get("refresh", ""))) or meta_refresh_target(
            found.text
        )
        if not location:
            return ""
        try:
            if target(onward(asked, location), self.limits.ports).page == asked.page:
                return ""
        except NotFetchedError:
            pass  # judged again, with consequences, by whoever follows
        self.hops[-1] = replace(self.hops[-1], via="refresh", location=masked(location))
        return location
