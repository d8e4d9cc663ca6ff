"""What a look at an address brings back: an `Exchange`, or a `Failure` that has a name. Nothing else ever comes back.

Everything here was said by a server that may be hostile: texts are cut and free of NUL, numbers are bounded, and neither
bodies nor the addresses that names resolved to are meant for anybody's eyes.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal[
    "unsupported",  # a scheme that is not looked at: mailto, ftp, javascript …
    "unsafe",  # may not be fetched: the address, a redirect or what the name resolves to is not public
    "no_such_name",  # the resolver says that the host does not exist
    "dns_failed",  # the resolver could not answer; says nothing about the host
    "refused",  # nothing listens there
    "unreachable",  # no road to the host
    "reset",  # the connection was torn down
    "closed",  # the connection was closed without an answer
    "timeout",  # the deadline of the whole look passed
    "tls",  # certificate or handshake; the reason says which
    "cut",  # the body ended before its promised length
    "too_large",  # headers beyond all measure (a large body is an Exchange that is `truncated`)
    "protocol",  # what came back is not HTTP
    "bad_encoding",  # the body does not unpack as its Content-Encoding says
    "redirect_loop",  # a hop led back to a request already made
    "too_many_redirects",  # more hops than the limit
    "redirect_nowhere",  # a redirect without a target
    "robots",  # robots.txt asks us to stay away; the page was not fetched
    "robots_failed",  # robots.txt cannot be read for now; the page was not fetched
    "busy",  # the host, or that of a hop, may not be asked right now; says nothing about the link
]
PERMANENT = frozenset({301, 308})


class NotFetchedError(Exception):
    """Why a request was not made or brought no answer; `fetch` turns it into a Failure, nobody else sees it."""

    def __init__(self, kind: Kind, reason: str, retry_after: int | None = None) -> None:
        super().__init__(reason)
        self.kind: Kind = kind
        self.reason = reason
        self.retry_after = retry_after  # seconds, with kind "busy"


@dataclass(frozen=True)
class Hop:
    """One request and its answer. The last hop of an Exchange is the answer that counts."""

    url: str  # as asked for, with the fragment that applies there
    status: int  # any number of three digits, 999 too
    location: str = ""  # the address the answer sends on to, made absolute; "" where it does not
    via: Literal["", "http", "refresh"] = ""  # how it sends on: a 3xx, or a Refresh header or meta element
    downgrade: bool = False  # sends from https to http

    @property
    def permanent(self) -> bool:
        """Whether the answer says that the page has moved for good."""
        return self.via == "http" and self.status in PERMANENT


@dataclass(frozen=True)
class Condition:
    """The validators of an earlier answer, byte for byte, and the address that gave them ("": the one asked for)."""

    etag: str = ""
    last_modified: str = ""
    url: str = ""


@dataclass(frozen=True)
class Exchange:
    """A complete answer, or as much of one as the limits allow."""

    url: str  # as given to `fetch`
    hops: tuple[Hop, ...]  # at least one; in order
    status: int  # of the last hop
    headers: Mapping[str, str] = field(default_factory=dict)  # of the last hop; names in lower case
    content_type: str = ""  # lower case, without parameters; "" where none is stated
    charset: str = ""  # the encoding the text was read by; "" where there is no text
    body: bytes = field(default=b"", repr=False)  # unpacked; at most the limit
    text: str = field(default="", repr=False)  # decoded, where the body is text; "" for PDF, images …
    bytes_read: int = 0  # off the wire, still packed
    length_promised: int | None = None  # Content-Length
    truncated: bool = False  # there was, or may have been, more body than was read
    conditional: bool = False  # a condition went with the last request: only then does 304 mean "the same"
    retry_after: int | None = None  # seconds asked for, 0 to a day; None where nothing sensible is asked
    forward_refused: str = (
        ""  # why the Refresh target of this page was not followed; "" where none or followed
    )
    tls_until: dt.datetime | None = None  # when the certificate of the last hop runs out
    elapsed: float = 0.0  # seconds

    @property
    def final_url(self) -> str:
        """The address that gave the answer."""
        return self.hops[-1].url


@dataclass(frozen=True)
class Failure:
    """No answer to judge. `hops` holds what was answered before, and the status of a body that failed on the way."""

    url: str  # as given to `fetch`
    kind: Kind
    reason: str  # a sentence for people, without resolved addresses or credentials
    hops: tuple[Hop, ...] = ()
    at: str = ""  # the address that failed, without credentials; differs from `url` after redirects
    retry_after: int | None = None  # seconds; with kind "busy"
    elapsed: float = 0.0  # seconds

    @property
    def status(self) -> int | None:
        """The last status that was seen, if any."""
        return self.hops[-1].status if self.hops else None

    @property
    def final_url(self) -> str:
        """Where the look ended."""
        return self.at or self.url
