"""Addresses of sources: one form for each, the work behind it, its version, and whether the page may change.

Pure: nothing is looked up or fetched. What may be fetched is judged again, and more strictly, by the client that does.
"""

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, quote, unquote, urlsplit, urlunsplit

LONGEST_ADDRESS = 2000
PINNED, FLOATING = "pinned", "floating"

_PORTS = {"http": "80", "https": "443"}
_TRACKING = re.compile(
    r"(?:utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|igshid|mc_[ce]id|mkt_tok|_hsenc|_hsmi|"
    r"hsctatracking|ref_src|ref_url|trk|ncid|nvid|cmpid|spm)",
    re.I,
)
# The last label holds a letter: numbers there make an IP address, which is no address of a published work.
_HOST = re.compile(
    r"(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+(?=[0-9-]*[a-z])[a-z0-9-]{2,63}"
)
_PRIVATE = (".local", ".localhost", ".localdomain", ".internal", ".home.arpa", ".test", ".invalid")
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
_ARXIV_HOSTS = ("arxiv.org", "export.arxiv.org", "ar5iv.org", "ar5iv.labs.arxiv.org")
_ARXIV = re.compile(
    r"/(?:abs|pdf|html|format|src|e-print)/((?:[a-z-]+(?:\.[A-Z]{2})?/)?[0-9]{4}\.?[0-9]{3,5})(v[0-9]+)?(?:\.pdf)?/?"
)
_DOI = re.compile(r"/(10\.[0-9]{4,9}/\S+)")
_DOI_PAGE = re.compile(r"/doi/(?:abs/|full/|pdf/|epdf/|book/)?(10\.[0-9]{4,9}/\S+)")
_PINS = [
    re.compile(r"/(?:blob|tree|raw|commit|resolve)/([0-9a-f]{7,64})(?=/|$)"),
    re.compile(r"/([0-9a-f]{40}|[0-9a-f]{64})(?=/|$)"),
    re.compile(
        r"/(?:blob|tree|raw|resolve)/(?:refs/tags/)?(?:[a-z]+-)?v?([0-9]+(?:\.[0-9]+)+[\w.-]*)(?=/|$)"
    ),
    re.compile(r"/(?:releases/tag|-/tags)/(?:v(?=[0-9]))?([^/]+)"),
    re.compile(
        r"/v?([0-9]+\.[0-9]+(?:\.[0-9]+)*(?:[-.]?(?:rc|post|dev|alpha|beta|preview|a|b)[0-9]*)?)(?=/|$)"
    ),
]


class AddressError(ValueError):
    """The address cannot be that of a source; the message says what to change."""


@dataclass(frozen=True)
class Address:
    """One address in its one form. `version` is what the address itself pins, "" where it pins nothing."""

    url: str
    work_id: str
    version: str
    link_kind: str


def is_tracking(name: str) -> bool:
    """True for a query parameter that says where a reader came from and nothing about the page."""
    return bool(_TRACKING.fullmatch(name))


def normalise(url: str) -> Address:
    """Return the one form of a web address with the identity of the work it leads to.

    The same work under `/abs/…v2` and `/pdf/…v2` has one `work_id` and one `version`. Raises AddressError for what is
    no web address or hides something from the person who reads it.
    """
    parts = _judged(url)
    host, path = parts.hostname or "", _path(parts.path)
    port = f":{parts.port}" if parts.port and str(parts.port) != _PORTS[parts.scheme] else ""
    query, fragment = _query(parts.query), _meaningful(parts.fragment)
    clean = urlunsplit((parts.scheme, host + port, path, query, fragment))
    bare = host.removeprefix("www.")
    if bare in _ARXIV_HOSTS and (found := _ARXIV.fullmatch(path)):
        return Address(clean, f"arxiv:{found[1]}", found[2] or "", PINNED if found[2] else FLOATING)
    doi = (
        _DOI.fullmatch(unquote(path))
        if bare in ("doi.org", "dx.doi.org")
        else _DOI_PAGE.fullmatch(unquote(path))
    )
    if doi:
        name = doi[1].rstrip("/").lower()
        # arXiv gives its papers DOIs too; they are the same work as the arXiv page.
        if arxiv := re.fullmatch(r"10\.48550/arxiv\.(.+?)(v[0-9]+)?", name):
            paper = re.sub(r"\.[a-z]{2}/", lambda found: found[0].upper(), arxiv[1])
            return Address(clean, f"arxiv:{paper}", arxiv[2] or "", PINNED if arxiv[2] else FLOATING)
        return Address(clean, f"doi:{name}", "", PINNED)
    identity = (
        bare + port + path.rstrip("/") + (f"?{query}" if query else "") + (f"#{fragment}" if fragment else "")
    )
    version = next((found[1] for pin in _PINS if (found := pin.search(path))), "")
    return Address(clean, f"url:{identity}", version, PINNED if version else FLOATING)


def _judged(url: str) -> SplitResult:
    """Return the parts of an address after every check that needs no look at the network."""
    url = url.strip(" ")
    if not url:
        raise AddressError("No address was given: paste the address of the page that was read.")
    if len(url) > LONGEST_ADDRESS:
        raise AddressError(
            f"The address has {len(url)} characters and may have {LONGEST_ADDRESS}: give the shorter address of the page."
        )
    if hidden := next((c for c in url if ord(c) <= 32 or ord(c) == 127 or 128 <= ord(c) < 160), None):
        raise AddressError(
            f"The address holds the character U+{ord(hidden):04X}: copy it again without blanks."
        )
    if any(0xD800 <= ord(character) < 0xE000 for character in url):
        raise AddressError("The address holds half a character (a lone surrogate): copy it again.")
    if "\\" in url:
        raise AddressError("The address holds a backslash: web addresses have forward slashes only.")
    scheme, found, rest = url.partition("://")
    if not found or scheme.lower() not in _PORTS:
        shown = url[:40] + ("…" if len(url) > 40 else "")
        raise AddressError(f"“{shown}” is no web address: it has to start with http:// or https://.")
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
    if "@" in authority:
        raise AddressError(
            "The address holds a user name or password before its host: remove everything up to the @."
        )
    if not authority:
        raise AddressError(
            "The address names no host: it has to go on after http:// or https:// with a name."
        )
    if "%" in authority or _INVISIBLE.search(authority):
        raise AddressError("The host holds an escape or an invisible character: type the name as it is read.")
    try:
        parts = urlsplit(f"{scheme.lower()}://{_ascii_host(authority)}{rest[len(authority) :]}")
        port = parts.port
    except ValueError:
        raise AddressError(
            f"“{authority[:60]}” is no host with a port: check the part after http:// or https://."
        ) from None
    if port == 0:
        raise AddressError("Port 0 does not exist: leave the port out.")
    host = parts.hostname or ""
    if not _HOST.fullmatch(host) or host.endswith(_PRIVATE):
        raise AddressError(
            f"“{authority[:60]}” is no public host name: give it with its domain, as in docs.example.org."
        )
    return parts


def _ascii_host(authority: str) -> str:
    """Return the authority in lower case, names in other scripts in their ASCII form (bücher.de: xn--bcher-kva.de)."""
    host = authority.lower()
    if host.isascii():
        return host.rstrip(".") if not host.startswith("[") else host
    name, colon, port = host.partition(":")
    try:
        return name.encode("idna").decode("ascii") + colon + port
    except UnicodeError:
        raise ValueError(authority) from None


def _path(path: str) -> str:
    """Return the path without dot segments, every escape in one spelling; "/" for none.

    A slash at the end is kept, as the page was opened with it; the identity of the work leaves it out.
    """
    kept: list[str] = []
    for segment in path.split("/"):
        if segment == "..":
            kept = kept[:-1] or [""]
        elif segment != ".":
            kept.append(segment)
    return _escaped("/".join(kept)) or "/"


def _query(query: str) -> str:
    """Return the query without what only tells a site where a visitor came from."""
    pieces = [piece for piece in query.split("&") if piece]
    return _escaped("&".join(piece for piece in pieces if not is_tracking(unquote(piece.partition("=")[0]))))


def _escaped(text: str) -> str:
    upper = re.sub(r"%[0-9a-fA-F]{2}", lambda found: found[0].upper(), text)
    return re.sub(r"[^\x21-\x7e]+|[<>\"`{|}^]", lambda found: quote(found[0]), upper)


def _meaningful(fragment: str) -> str:
    """Return the fragment where it names the page itself ("#/report/3", "#!"), else "": an anchor is a locator."""
    return fragment if fragment.startswith(("/", "!")) else ""
