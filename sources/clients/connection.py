"""A connection to a vetted address, and the `requests` adapter that knows no other way out."""

import datetime as dt
import http.client
import socket
import ssl
from collections.abc import Mapping
from functools import cache
from ipaddress import ip_address
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from requests.cookies import RequestsCookieJar, extract_cookies_to_jar
from urllib3.connection import HTTPConnection

from sources.clients.budget import BoundSocket, BoundTLS, Budget
from sources.clients.exchange import NotFetchedError
from sources.clients.limits import Limits, Network
from sources.clients.targets import Target
from sources.clients.vetting import refusal

_TRIED = 6  # addresses of one name
_EARLY = 20  # answers of the hundreds before the real one


@cache
def tls_context(authorities: str) -> ssl.SSLContext:
    """Certificates are verified, always. The system's authorities, those `requests` carries, and a file of the operator's."""
    context = ssl.create_default_context()
    context.load_verify_locations(requests.certs.where())
    if authorities:
        context.load_verify_locations(authorities)
    context.sslsocket_class = BoundTLS
    return context


class PatientResponse(http.client.HTTPResponse):
    """Passes over 102 and 103 as well as 100, but not for ever."""

    def _read_status(self) -> tuple[str, int, str]:
        for _ in range(_EARLY):
            version, status, reason = super()._read_status()  # type: ignore[misc]
            if not (100 <= status < 200 and status != http.client.SWITCHING_PROTOCOLS):
                return version, status, reason
            http.client.parse_headers(self.fp)
        raise http.client.BadStatusLine("only answers that announce another one")


class VettedConnection(HTTPConnection):
    """Connects to one of the given addresses and to nothing else; Host, SNI and certificate stay those of the name."""

    response_class = PatientResponse

    def __init__(self, target: Target, addresses: list[str], limits: Limits, budget: Budget) -> None:
        super().__init__(target.host, target.port)
        self.target = target
        self.addresses = addresses
        self.limits = limits
        self.budget = budget
        self.certificate_ends: dt.datetime | None = None

    def connect(self) -> None:
        """Open the connection, with TLS for https. Raises OSError, ssl.SSLError or NotFetchedError."""
        plain = _first_that_answers(
            self.addresses[:_TRIED], self.target.port, self.limits.networks, self.budget
        )
        if self.target.scheme == "http":
            self.sock = plain
            return
        plain.settimeout(self.budget.seconds())
        try:
            secure = tls_context(self.limits.authorities).wrap_socket(plain, server_hostname=self.target.host)
        except BaseException:
            plain.close()
            raise
        secure.budget = self.budget  # type: ignore[attr-defined]
        self.sock = secure
        ends = (secure.getpeercert() or {}).get("notAfter")
        if isinstance(ends, str):
            self.certificate_ends = dt.datetime.fromtimestamp(ssl.cert_time_to_seconds(ends), dt.UTC)


class VettedAdapter(HTTPAdapter):
    """Sends one prepared request over a connection made for it; no pool, no proxy, no retry, no redirect."""

    def __init__(self, connection: VettedConnection) -> None:
        super().__init__()
        self.connection = connection

    def init_poolmanager(self, *arguments: Any, **more: Any) -> None:
        """There is no pool: a connection lives for one request."""

    def send(self, request: requests.PreparedRequest, *arguments: Any, **more: Any) -> requests.Response:
        """Return the answer with its body still on the wire."""
        self.connection.request(
            "GET",
            self.connection.target.path,
            headers={str(name): str(value) for name, value in request.headers.items()},
            preload_content=False,
            decode_content=False,
        )
        return self.build_response(request, self.connection.getresponse())

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()


def answer(
    connection: VettedConnection, jar: RequestsCookieJar, headers: Mapping[str, str]
) -> requests.Response:
    """Ask for the connection's target; cookies come from the jar and go into it. Raises what sockets raise."""
    request = requests.PreparedRequest()
    request.prepare_method("GET")
    # Not prepare_url: it would write the address anew, and what was cited must be what is asked for.
    request.url = connection.target.page
    request.prepare_headers({**headers, "Host": connection.target.authority})
    request.prepare_cookies(jar)
    # Not Session.send: it prepares the next request of a redirect, and reads the whole body for that.
    response = VettedAdapter(connection).send(request)
    extract_cookies_to_jar(jar, request, response.raw)
    return response


def _first_that_answers(
    addresses: list[str], port: int, networks: tuple[Network, ...], budget: Budget
) -> socket.socket:
    """A connection to the first address that takes one; the time left is shared among those not yet tried."""
    failure: OSError = OSError("no address")
    for tried, address in enumerate(addresses):
        share = budget.seconds() / (len(addresses) - tried)
        family = socket.AF_INET6 if ip_address(address).version == 6 else socket.AF_INET
        try:
            sock = BoundSocket(family, socket.SOCK_STREAM)
        except OSError as error:  # a machine without that family
            failure = error
            continue
        try:
            sock.settimeout(share)
            sock.connect((address, port))
            _vet_peer(sock, networks)
        except OSError as error:
            sock.close()
            failure = error
        except BaseException:
            sock.close()
            raise
        else:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.budget = budget
            return sock
    raise failure


def _vet_peer(sock: socket.socket, networks: tuple[Network, ...]) -> None:
    """Judge once more whom the kernel connected us to."""
    if reason := refusal(str(sock.getpeername()[0]), networks):
        raise NotFetchedError("unsafe", f"The connection led to an address that {reason}.")
