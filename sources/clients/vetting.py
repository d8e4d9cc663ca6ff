"""The one decision about addresses: may a connection go there? Public unicast only, however the address is written.

`ipaddress.is_global` alone is not enough: it lets multicast, the metadata services of two clouds, and addresses that
carry a private one inside pass. So IPv6 is judged by what is allowed, and what is wrapped is judged by what it holds.
"""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from sources.clients.limits import Network

_FORBIDDEN_4 = tuple(
    IPv4Network(text)
    for text in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carriers' address translation; a cloud's metadata at 100.100.100.200
        "127.0.0.0/8",  # this machine
        "168.63.129.16/32",  # a cloud's metadata on a public number
        "169.254.0.0/16",  # link-local; metadata of most clouds
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments; a cloud's metadata at 192.0.0.192
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112: answers for private names
        "192.52.193.0/24",  # multicast relays
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)
_UNICAST_6 = IPv6Network("2000::/3")  # all that is handed out as public unicast
_FORBIDDEN_6 = tuple(
    IPv6Network(text)
    for text in (
        "2001::/23",  # protocol assignments, Teredo (which carries an IPv4 address), ORCHID
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: carries an IPv4 address
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # documentation
        "3ffe::/16",  # the first IPv6 network, given back
    )
)
_MAPPED = IPv6Network("::ffff:0:0/96")
_NAT64 = IPv6Network("64:ff9b::/96")  # what a resolver answers in a network without IPv4
_ISATAP = (0x0000_5EFE, 0x0200_5EFE)  # an interface named so carries an IPv4 address in its last half


def refusal(address: str, allowed: Iterable[Network] = ()) -> str:
    """Why no connection may go to an address, "" where it may. What cannot be read as an address is refused."""
    try:
        read = ip_address(address)
    except ValueError:
        return "is no plain IP address"
    if isinstance(read, IPv6Address) and read.scope_id:
        return "belongs to one link of this machine"
    if any(read.version == network.version and read in network for network in allowed):
        return ""
    return _refusal_4(read) if isinstance(read, IPv4Address) else _refusal_6(read)


def _refusal_4(address: IPv4Address) -> str:
    if not address.is_global or any(address in network for network in _FORBIDDEN_4):
        return "is not on the public internet"
    return ""


def _refusal_6(address: IPv6Address) -> str:
    if address in _MAPPED or address in _NAT64:
        return _refusal_4(IPv4Address(int(address) & 0xFFFF_FFFF))
    if address not in _UNICAST_6 or not address.is_global:
        return "is not on the public internet"
    if any(address in network for network in _FORBIDDEN_6) or (int(address) >> 32) & 0xFFFF_FFFF in _ISATAP:
        return "is not on the public internet"
    return ""
