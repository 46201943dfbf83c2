"""Child generators, one per purpose and place, so that a new draw in one never shifts another.

Every stream is a pure function of the seed, the purpose and where on the timeline it is used. A resumed or branched run
therefore draws what an uninterrupted one would have drawn, whatever was played before.
"""

from __future__ import annotations

from enum import IntEnum
from hashlib import blake2b

import numpy as np

__all__ = ["Stream", "child", "child_seed", "opaque_id"]


class Stream(IntEnum):
    """Purposes of randomness. Numbers are part of the results: never reuse or reorder them."""

    PA = 1
    USER = 2
    PERSONA = 3


def child(seed: int, stream: Stream, *place: int) -> np.random.Generator:
    """Returns the generator of a purpose at a place (slot, repeat, attempt)."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(int(stream), *place))))


def child_seed(seed: int, stream: Stream, *place: int) -> int:
    """Returns a 64-bit seed of a purpose at a place, for components that take a number.

    A hash instead of a seed sequence: it is drawn for every session, and a sequence takes a hundred times as long.
    """
    return int.from_bytes(blake2b(repr((seed, int(stream), *place)).encode(), digest_size=8).digest(), "big")


def opaque_id(seed: int, *place: int) -> str:
    """Returns an id for a place that tells neither where it is nor whether it is a probe's."""
    return blake2b(repr((seed, *place)).encode(), digest_size=8).hexdigest()
