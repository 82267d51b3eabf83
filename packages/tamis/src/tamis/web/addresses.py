"""Which addresses belong to the public web. The decision needs no socket: it is a function of an IP address."""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Address = IPv4Address | IPv6Address

# The special-purpose registry of IANA, multicast and the reserved block at the end. Written out, because the answers
# of Python's `is_global` differ between its versions.
# 168.63.129.16 is from a public range, but in Azure it is the host of the machine.
_NOT_PUBLIC_4 = tuple(
    map(
        IPv4Network,
        """
        0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
        192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
        168.63.129.16
        """.split(),
    )
)

# The addresses of sites start with the bits 001, except for protocol assignments (with Teredo), documentation and 6to4.
_PUBLIC_6 = IPv6Network("2000::/3")
_NOT_PUBLIC_6 = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))

# These hold an IPv4 address in their last 32 bits, which decides: mapped addresses, and NAT64, by which networks
# without IPv4 reach it.
_HOLD_IPV4 = tuple(map(IPv6Network, ("::ffff:0:0/96", "64:ff9b::/96")))

# ISATAP: the third quarter of the address says that the last one is an IPv4 address inside the network of a site.
_ISATAP = (0x0000_5EFE, 0x0200_5EFE)


def is_public(address: Address) -> bool:
    """Does this address belong to the public web? No: private, loopback, link-local, multicast, reserved ones ..."""
    if isinstance(address, IPv6Address):
        if address.scope_id or int(address) >> 32 & 0xFFFF_FFFF in _ISATAP:  # a zone is one of this machine's networks
            return False
        if any(address in network for network in _HOLD_IPV4):
            return is_public(IPv4Address(int(address) & 0xFFFF_FFFF))
        return address in _PUBLIC_6 and not any(address in network for network in _NOT_PUBLIC_6)
    return not any(address in network for network in _NOT_PUBLIC_4)


def literal(host: str) -> Address | None:
    """The address that a host spells out, in any notation that resolvers accept; None for a name."""
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return IPv4Address("127.0.0.1")
    try:
        return ip_address(host)
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(name))  # 2130706433, 0x7f.1, 0177.0.0.1
    except (OSError, ValueError):
        return None
