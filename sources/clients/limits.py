"""How far a look may go: time, size, hops, and what the operator lets it reach beside the public web."""

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network

Network = IPv4Network | IPv6Network
ALWAYS = frozenset({80, 443})
AGENT = "EvidenceRegistryLinks"  # the name robots.txt may call us by


@dataclass(frozen=True)
class Limits:
    """The bounds of one look; the defaults are those of the public web."""

    agent: str = f"{AGENT}/1.0"  # the whole User-Agent; `agent` below adds the page about us
    deadline: float = 20.0  # seconds round everything: names, connections, hops, headers, body
    max_bytes: int = 2_000_000  # of the unpacked body, and of the packed one
    max_hops: int = 10  # requests after the first; eight are still reasonable
    min_interval: float = 1.0  # seconds between the end of one request to a host and the next
    ports: frozenset[int] = ALWAYS | {8080, 8443}
    networks: tuple[Network, ...] = ()  # allowed although not public
    authorities: str = ""  # file of certificate authorities trusted beside the system's


def agent(about: str) -> str:
    """The User-Agent that names us and the page about us; what no header may hold is left out."""
    page = "".join(character for character in about if "!" <= character <= "~" and character not in "();")
    return f"{AGENT}/1.0 (+{page})" if page else f"{AGENT}/1.0"


def networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """The networks written as 127.0.0.0/16 or fd00::/8. Raises ValueError naming the one that is none."""
    found = []
    for text in texts:
        try:
            found.append(ip_network(text.strip(), strict=True))
        except ValueError as error:
            raise ValueError(f"“{text}” is no network: write it as 192.0.2.0/24. ({error})") from None
    return tuple(found)


def ports(texts: Iterable[str]) -> frozenset[int]:
    """Ports 80 and 443 and those given. Raises ValueError naming the one that is none."""
    found = set(ALWAYS)
    for text in texts:
        if not (text.strip().isascii() and text.strip().isdigit() and 0 < int(text) < 65536):
            raise ValueError(f"“{text}” is no port: write a number from 1 to 65535.")
        found.add(int(text))
    return frozenset(found)
