"""What holds for every test: no network, and property tests that draw the same examples each time."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# Two tests share a core on a small machine: a deadline would measure the neighbour.
settings.register_profile(
    "mempa_gym", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("mempa_gym")

_LOOPBACK = ("127.0.0.1", "::1", "localhost")


@pytest.fixture(autouse=True, scope="session")
def _no_network() -> Iterator[None]:
    """Refuses connections that leave this machine, so that a test cannot come to need one."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in _LOOPBACK:
            raise RuntimeError(f"a test tried to reach {address!r}; tests use the loopback interface only")
        connect(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded)
        yield
