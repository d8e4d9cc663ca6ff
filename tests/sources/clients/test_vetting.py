"""The decision about addresses, whatever the form; what is wrapped is judged by what it holds."""

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.clients.limits import networks, ports
from sources.clients.vetting import refusal

ALLOWED = networks(["127.0.0.0/16", "fd00:1::/64"])


@pytest.mark.parametrize(
    "address",
    [
        "1.1.1.1",
        "8.8.8.8",
        "185.199.108.153",
        "192.0.66.2",
        "2606:4700::1111",
        "2a00:1450:4001::200e",
        "2001:4860::8888",
    ],
)
def test_public_unicast_passes(address):
    assert refusal(address) == ""


@pytest.mark.parametrize("address", ["::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_a_public_address_in_a_known_wrapping_passes(address):
    assert refusal(address) == ""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "example.org",
        "127.1",
        "0x7f.0.0.1",
        "127.0.0.01",
        "1.1.1.1/32",
        " 1.1.1.1",
        "fe80::1%eth0",
        "[::1]",
    ],
)
def test_what_is_no_plain_address_is_refused(text):
    assert refusal(text)


@given(st.ip_addresses())
def test_nothing_that_python_calls_not_global_passes(address):
    if not address.is_global or address.is_multicast:
        assert refusal(str(address))


@given(st.ip_addresses(v=4))
def test_wrapping_hides_nothing(address):
    bits = int(address)
    for prefix in ("::ffff:0:0", "64:ff9b::"):
        assert bool(refusal(str(IPv6Address(int(IPv6Address(prefix)) | bits)))) == bool(refusal(str(address)))
    for whole in (bits, int(IPv6Address("2002::")) | bits << 80, int(IPv6Address("2a00::5efe:0:0")) | bits):
        assert refusal(str(IPv6Address(whole)))


@given(st.ip_addresses(v=6))
def test_ipv6_passes_in_the_unicast_range_only(address):
    if not refusal(str(address)) and address.ipv4_mapped is None:
        assert int(address) >> 125 == 1 or address in networks(["64:ff9b::/96"])[0]


def test_an_operator_may_allow_a_network_and_nothing_beside_it():
    assert refusal("127.0.3.4", ALLOWED) == ""
    assert refusal("fd00:1::7", ALLOWED) == ""
    for other in (
        "127.1.0.1",
        "127.66.6.6",
        "fd00:2::7",
        "::1",
        "10.0.0.1",
        "::ffff:127.0.3.4",
        "2002:7f00:304::",
    ):
        assert refusal(other, ALLOWED), other


def test_neighbours_of_forbidden_networks_pass():
    for first, last in (
        ("100.64.0.0", "100.127.255.255"),
        ("172.16.0.0", "172.31.255.255"),
        ("168.63.129.16",) * 2,
    ):
        assert refusal(str(IPv4Address(int(ip_address(first)) - 1))) == ""
        assert refusal(first)
        assert refusal(last)
        assert refusal(str(IPv4Address(int(ip_address(last)) + 1))) == ""


@pytest.mark.parametrize("text", ["127.0.0.1/8", "nonsense", "1.2.3.4/33"])
def test_a_network_that_is_none_is_named(text):
    with pytest.raises(ValueError, match="is no network: write it as"):
        networks([text])


def test_ports_are_added_to_those_of_the_web():
    assert ports([]) == {80, 443}
    assert ports(["8443"]) == {80, 443, 8443}
    for text in ("0", "65536", "x", "-1", ""):
        with pytest.raises(ValueError, match="is no port"):
            ports([text])
