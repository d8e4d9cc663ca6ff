"""The text of an address, judged before anything is looked up: what would be asked of which host and port.

Two readers of one text must not find two hosts in it; whatever leaves room for that is refused, never repaired.
"""

import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from urllib.parse import quote, urljoin

import idna

from sources.clients.exchange import NotFetchedError

_EVERY_PORT = frozenset(range(65536))
LONGEST = 8000  # characters; sign-in pages are sent to with long ones
_DEFAULT_PORT = {"http": 80, "https": 443}
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(.*)", re.DOTALL)
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\[\]:]+)(?::([0-9]{0,5}))?")
# Spaces of every kind, and characters that nobody sees.
_INVISIBLE = re.compile(
    "[\\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]"
)
_LABELS = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_INWARD = ("local", "localhost", "localdomain", "internal", "intranet", "lan", "home.arpa", "onion")
_ILLEGAL = re.compile(r"[^\x21-\x7e]+|[\"<>\\^`{|}]|%(?![0-9A-Fa-f]{2})")


@dataclass(frozen=True)
class Target:
    """One request: where it goes and what it asks for."""

    scheme: str
    host: str  # lower case, in ASCII; IPv6 without brackets
    port: int
    path: str  # path and query exactly as sent
    fragment: str = ""
    literal: bool = False  # the host is an IP address

    @property
    def authority(self) -> str:
        """The value of the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORT[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        """Scheme, host and port: what a robots.txt speaks for."""
        return f"{self.scheme}://{self.authority}"

    @property
    def page(self) -> str:
        """The address without its fragment."""
        return self.origin + self.path

    @property
    def url(self) -> str:
        """The whole address."""
        return f"{self.page}#{self.fragment}" if self.fragment else self.page


def target(url: str, ports: frozenset[int]) -> Target:
    """What to ask of whom. Raises NotFetchedError: "unsupported" for other schemes, "unsafe" for all that hides something."""
    url = url.strip(" ")
    if len(url) > LONGEST:
        raise NotFetchedError(
            "unsafe", f"The address has {len(url)} characters; {LONGEST} is the most that is sent."
        )
    if _CONTROL.search(url):
        raise NotFetchedError("unsafe", "The address holds a control character.")
    found = _SCHEME.fullmatch(url)
    if not found:
        raise NotFetchedError("unsupported", "The address does not begin with http:// or https://.")
    scheme, rest = found[1].lower(), found[2]
    if scheme not in _DEFAULT_PORT:
        raise NotFetchedError("unsupported", f"Addresses that begin with “{scheme[:20]}:” are not checked.")
    location, _, fragment = rest.partition("#")
    if "\\" in location:
        raise NotFetchedError("unsafe", "The address holds a backslash, which programs read in two ways.")
    if not location.startswith("//"):
        raise NotFetchedError("unsafe", f"The address names no host after {scheme}:.")
    authority = re.split(r"[/?]", location[2:], maxsplit=1)[0]
    host, port, literal = _place(authority, _DEFAULT_PORT[scheme])
    if port not in ports:
        raise NotFetchedError("unsafe", f"Port {port} is not one that web pages are served on.")
    path = location[2 + len(authority) :]
    return Target(scheme, host, port, _legal(path if path.startswith("/") else "/" + path), fragment, literal)


def onward(base: Target, location: str) -> str:
    """The absolute address a redirect means; the fragment lives on. Raises NotFetchedError where it hides something."""
    location = location.strip(" \t")
    # Judged before joining, since joining drops line ends without a word.
    if _CONTROL.search(location) or "\\" in location.partition("#")[0]:
        raise NotFetchedError(
            "unsafe", "The target of the redirect holds a control character or a backslash."
        )
    try:
        joined = urljoin(base.page, location)
    except ValueError:
        raise NotFetchedError("unsafe", "The target of the redirect is no address.") from None
    return joined if "#" in joined or not base.fragment else f"{joined}#{base.fragment}"


def host_of(url: str) -> str:
    """The host whose turn an address needs, whatever its port; "" for one that is asked of nobody."""
    try:
        return target(url, _EVERY_PORT).host
    except NotFetchedError:
        return ""


def masked(url: str) -> str:
    """An address as it may be shown: without user and password, without control characters, cut."""
    shown = re.sub(r"(?<=//)[^/?#]*@", "", _CONTROL.sub("\ufffd", url))
    return shown if len(shown) <= LONGEST else shown[:LONGEST] + "…"


def _place(authority: str, default_port: int) -> tuple[str, int, bool]:
    if "@" in authority:
        raise NotFetchedError("unsafe", "The address carries a user name or password; they are never sent.")
    if "%" in authority or _INVISIBLE.search(authority):
        raise NotFetchedError("unsafe", "The host is written with escapes or invisible characters.")
    found = _AUTHORITY.fullmatch(authority)
    if not found:
        raise NotFetchedError("unsafe", "The address names no host with a port.")
    port = int(found[2]) if found[2] else default_port
    if found[1].startswith("["):
        try:
            return str(IPv6Address(found[1][1:-1])), port, True
        except AddressValueError:
            raise NotFetchedError("unsafe", "The host is no IPv6 address.") from None
    host = _ascii(found[1])
    if not _NUMBER.fullmatch(host.rpartition(".")[2]):
        return _name(host), port, False
    try:
        # Four plain numbers and nothing else: 127.1, 0x7f000001 and 0177.0.0.1 are other spellings of one address.
        return str(IPv4Address(host)), port, True
    except AddressValueError:
        raise NotFetchedError("unsafe", "The host is a number that hides an address.") from None


def _ascii(host: str) -> str:
    """The host in lower case and ASCII, without the root's dot."""
    try:
        plain = host.lower() if host.isascii() else idna.encode(host, uts46=True).decode("ascii")
    except (idna.IDNAError, UnicodeError):
        raise NotFetchedError("unsafe", "The host is no name that can be looked up.") from None
    return plain.removesuffix(".")


def _name(host: str) -> str:
    if len(host) > 253 or not _LABELS.fullmatch(host):
        raise NotFetchedError("unsafe", "The host is no name that can be looked up.")
    if "." not in host or any(host.endswith("." + suffix) for suffix in _INWARD):
        raise NotFetchedError("unsafe", "The host is a name of a private network.")
    return host


def _legal(path: str) -> str:
    """Path and query as cited, with only what is illegal there escaped."""
    return _ILLEGAL.sub(lambda found: quote(found[0], safe=""), path)
