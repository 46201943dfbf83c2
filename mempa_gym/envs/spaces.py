"""A text space that admits every string, at the cost of one type check.

Gymnasium's ``Text`` is a set of characters: by default it holds no space and no full stop, a Unicode character set
takes a second to build, and ``contains`` walks the whole string at every step. Conversations need all characters and
are long.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.error import CustomSpaceError
from gymnasium.spaces import Text
from gymnasium.spaces.utils import flatdim, flatten, flatten_space
from gymnasium.vector.utils import create_shared_memory

__all__ = ["AnyText", "JsonText"]

_LONGEST = 2**31 - 1


class AnyText(Text):
    """All strings. A sample is a short run of letters and spaces."""

    def __init__(self, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(max_length=_LONGEST, min_length=0, charset="abcdefghijklmnopqrstuvwxyz ", seed=seed)

    def contains(self, x: Any) -> bool:
        """Returns whether ``x`` is a string."""
        return isinstance(x, str)

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Returns up to 24 random letters; masks make no sense here and are not used."""
        size = int(self.np_random.integers(0, 25))
        letters = self.np_random.integers(0, 27, size=size)
        return "".join("abcdefghijklmnopqrstuvwxyz "[i] for i in letters)

    def __repr__(self) -> str:
        return "AnyText()"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))


class JsonText(AnyText):
    """All strings, meant to hold a JSON object; a sample is the empty object."""

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Returns ``{}``."""
        return "{}"

    def __repr__(self) -> str:
        return "JsonText()"


@create_shared_memory.register(AnyText)
def _no_shared_memory(space: AnyText, n: int = 1, ctx: Any = None) -> Any:
    """Refuses: Gymnasium would set aside the longest text there can be, gigabytes for each environment."""
    raise CustomSpaceError(
        "texts of any length do not fit into shared memory; give AsyncVectorEnv shared_memory=False (make_vec: "
        "vector_kwargs={'shared_memory': False})"
    )


def _no_flattening(space: AnyText, *values: Any) -> Any:
    # Gymnasium would make room for the longest text there is.
    raise CustomSpaceError(
        "texts of any length cannot be flattened; keep the numbers first: "
        "gymnasium.wrappers.FilterObservation(env, ['observation', 'tool_mask'])"
    )


# Gymnasium declares these for a generic space, so their registers are typed too narrowly.
_flattening: tuple[Any, ...] = (flatdim, flatten, flatten_space)
for _function in _flattening:
    _function.register(AnyText, _no_flattening)
