"""The decision which addresses are public. No socket is opened here."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from tamis.web.addresses import is_public, literal_address

NOT_PUBLIC = """
    0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.255 168.63.129.16 169.254.169.254
    172.16.0.1 172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.1
    203.0.113.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255
    :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:0:127.0.0.1 64:ff9b::127.0.0.1 64:ff9b::10.0.0.1
    64:ff9b:1::1 100::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:10::1 2001:db8::1 2002:7f00:1::1
    2002:808:808::1 3fff::1 4000::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%1 fec0::1 ff02::1
""".split()

PUBLIC = """
    1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 128.0.0.0 172.15.255.255 172.32.0.0 192.0.1.0
    192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255
    2001:200::1 2001:4860:4860::8888 2606:4700::1111 2a00:1450::1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8
""".split()


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_not_public(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_public(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("127.1", "127.0.0.1"),
        ("2130706433", "127.0.0.1"),
        ("0x7f000001", "127.0.0.1"),
        ("0177.0.0.1", "127.0.0.1"),
        ("10.0.0.1.", "10.0.0.1"),
        ("::1", "::1"),
        ("LOCALHOST.", "127.0.0.1"),
        ("a.localhost", "127.0.0.1"),
    ],
)
def test_an_address_in_any_spelling(host: str, address: str) -> None:
    assert literal_address(host) == ip_address(address)


@pytest.mark.parametrize("host", ["oven.example", "localhost.example", "127.0.0.1.example", "", "a\0b", "🍞"])
def test_a_name_spells_out_no_address(host: str) -> None:
    assert literal_address(host) is None
