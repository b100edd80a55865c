"""Which IP addresses a host has, and whether an address is one of the open internet."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable

_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")  # NAT64: the last 32 bits are an address of IPv4
Resolve = Callable[[str, int], list[str]]
Allows = Callable[[str], bool]


def addresses(host: str, port: int) -> list[str]:
    """The IP addresses of a host. Raises `OSError` where it has none."""
    return [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def is_public(address: str) -> bool:
    """Whether an address is one of the open internet: no private, local, shared, multicast or mapped one."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    mapped = getattr(ip, "ipv4_mapped", None) or getattr(ip, "sixtofour", None)
    if ip in _TRANSLATED:
        mapped = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip.is_global and not ip.is_multicast and (mapped is None or is_public(str(mapped)))
