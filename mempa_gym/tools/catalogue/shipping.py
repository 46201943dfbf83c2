"""Shipping: three tools."""

from __future__ import annotations

from typing import Annotated

from mempa_gym.tools.arguments import Arguments, Id, Query
from mempa_gym.tools.catalogue._common import reading, says

__all__ = ["TOOLS"]


class AddressRead(Arguments):
    address_id: Annotated[Id | None, says("Id of the address. Leave out to list them.")] = None
    query: Query = None


class ProofRead(Arguments):
    package_id: Annotated[Id, says("Id of the package.")]


class TrackingRead(Arguments):
    package_id: Annotated[Id | None, says("Id of the package. Leave out to list packages.")] = None
    query: Query = None


_read = reading("Shipping")

TOOLS = (
    _read("delivery_address_read", "Reads one of the user's delivery addresses, or lists them.", AddressRead),
    _read("package_delivery_proof_read", "Reads the proof of delivery of a package.", ProofRead),
    _read("package_tracking_read", "Reads where a package is, or lists packages.", TrackingRead),
)
