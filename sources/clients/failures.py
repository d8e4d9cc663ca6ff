"""Names for what goes wrong on the way: every error of sockets, TLS and HTTP libraries becomes one kind and a sentence."""

import http.client
import ssl
from collections.abc import Iterator

import requests
from urllib3.exceptions import HTTPError, InvalidChunkLength
from urllib3.exceptions import IncompleteRead as LibraryIncompleteRead

from sources.clients.budget import TooManyBytesError
from sources.clients.exchange import Kind, NotFetchedError

# What libraries raise when a server or a network misbehaves; anything else is a mistake of ours and stays an error.
ERRORS = (OSError, http.client.HTTPException, requests.RequestException, HTTPError, ValueError)

# In this order: an error and its causes are looked through for the first that fits.
_NAMES: tuple[tuple[type[BaseException] | tuple[type[BaseException], ...], Kind, str], ...] = (
    (TooManyBytesError, "too_large", "The answer is larger than any page may be."),
    (ssl.SSLCertVerificationError, "tls", "The certificate is not valid: {detail}."),
    (TimeoutError, "timeout", "There was no complete answer within {seconds:g} s."),
    (http.client.RemoteDisconnected, "closed", "The connection was closed without an answer."),
    (http.client.LineTooLong, "too_large", "The answer has a header line beyond all measure."),
    (InvalidChunkLength, "protocol", "The body is cut into pieces in a way that is not HTTP."),
    (
        (http.client.IncompleteRead, LibraryIncompleteRead),
        "cut",
        "The body ended before its promised length.",
    ),
    (ssl.SSLError, "tls", "No secure connection could be made: {detail}."),
    (ConnectionRefusedError, "refused", "Nothing listens there: the connection was refused."),
    (ConnectionError, "reset", "The connection was torn down."),
    (http.client.HTTPException, "protocol", "The answer is not HTTP."),
    (OSError, "unreachable", "There is no road to the host."),
)


def named(error: BaseException, seconds: float) -> tuple[Kind, str]:
    """The kind of an error and a sentence about it; `seconds` is the deadline it may have run into."""
    chain = list(_causes(error))
    for cause in chain:
        if isinstance(cause, NotFetchedError):
            return cause.kind, cause.reason
        if isinstance(cause, http.client.HTTPException) and "headers" in str(cause):
            return "too_large", "The answer has more header lines than any page needs."
    for kinds, kind, words in _NAMES:
        for cause in chain:
            if isinstance(cause, kinds) and not isinstance(cause, requests.RequestException):
                return kind, words.format(detail=_detail(cause), seconds=seconds)
    return "protocol", "The answer is not HTTP."


def _detail(error: BaseException) -> str:
    """What OpenSSL says, without the position in its source."""
    words = getattr(error, "verify_message", "") or getattr(error, "reason", "") or type(error).__name__
    return str(words).lower().replace("_", " ").rstrip(".")[:200]


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and everything it was raised from, or was wrapped around."""
    waiting, seen = [error], set()
    while waiting:
        current = waiting.pop(0)
        if id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        wrapped = [part for part in current.args if isinstance(part, BaseException)]
        waiting += [part for part in (*wrapped, current.__cause__, current.__context__) if part is not None]
