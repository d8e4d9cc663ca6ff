"""What a look has left: seconds and bytes, held against every single read of its sockets.

`requests` bounds one read at a time, so that a server sending a byte now and then is never late. Here each read gets
what is left of the whole, and a server that sends headers for ever meets the limit of bytes.
"""

import socket
import ssl
import time
from typing import Any

_HEADERS = 400_000  # bytes for all status lines, headers and chunk marks of a look


class DeadlinePassedError(TimeoutError):
    """The time of the whole look is over."""


class TooManyBytesError(OSError):
    """More came off the wire than any page within the limits can need."""


class Budget:
    """The time and bytes of one look."""

    def __init__(self, seconds: float, max_bytes: int) -> None:
        self.ends = time.monotonic() + seconds
        self._size = 2 * max_bytes + _HEADERS
        self._bytes = self._size

    def seconds(self) -> float:
        """Seconds left, more than 0. Raises DeadlinePassedError."""
        left = self.ends - time.monotonic()
        if left <= 0:
            raise DeadlinePassedError
        return left

    def shorten(self, seconds: float) -> None:
        """Leave no more than so many seconds."""
        self.ends = min(self.ends, time.monotonic() + seconds)

    def next_request(self) -> None:
        """Each hop may send as many bytes as the first."""
        self._bytes = self._size

    def spend(self, count: int) -> None:
        """Count bytes that were read. Raises TooManyBytesError."""
        self._bytes -= count
        if self._bytes < 0:
            raise TooManyBytesError


class _Bound:
    """Mixed into sockets: every read and write gets the time that is left and no more."""

    budget: Budget | None = None

    def recv_into(self, *arguments: Any, **more: Any) -> int:
        """Read; raises DeadlinePassedError or TooManyBytesError."""
        if self.budget is None:
            return super().recv_into(*arguments, **more)  # type: ignore[misc]
        self.settimeout(self.budget.seconds())  # type: ignore[attr-defined]
        count: int = super().recv_into(*arguments, **more)  # type: ignore[misc]
        self.budget.spend(count)
        return count

    def sendall(self, *arguments: Any, **more: Any) -> None:
        """Write; raises DeadlinePassedError."""
        if self.budget is not None:
            self.settimeout(self.budget.seconds())  # type: ignore[attr-defined]
        super().sendall(*arguments, **more)  # type: ignore[misc]


class BoundTLS(_Bound, ssl.SSLSocket):
    """A TLS connection within a budget; made by a context whose `sslsocket_class` it is."""


class BoundSocket(_Bound, socket.socket):
    """A plain connection within a budget."""
