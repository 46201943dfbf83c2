"""What is paid: one frozen, JSON-able table of weights, and the two ways of paying it.

The reward derives from the papers' scores: a right selection (PSA), the delivered behaviour (BRS), and the price of
asking. When it is paid decides whether it can be a hint. In ``eval`` mode nothing is paid before the last step of a
timeline; in ``train`` mode each term is paid when it is caused, which tells a learner at once whether a choice was
right, so such a run is marked privileged and enters no table.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from mempa_gym.engine import Occurrence, Term
from mempa_gym.errors import InvalidOptionError, unknown
from mempa_gym.frozen import FrozenDict

__all__ = ["MODES", "RewardMode", "RewardSpec", "resolve_mode", "resolve_reward"]

RewardMode = Literal["train", "eval"]
MODES: tuple[RewardMode, ...] = ("train", "eval")
_NOTHING = FrozenDict({term.value: 0.0 for term in Term})


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardSpec:
    """Weights of the reward; costs are given as positive numbers and subtracted.

    | field | paid for | unit |
    | --- | --- | --- |
    | selection | a right selection in a probe | 1 each |
    | selection_live | a right selection in a live session | 1 each |
    | realization | the judge's score, (score - 1) / 4, in a probe | 0 to 1 each |
    | realization_live | the same in a live session | 0 to 1 each |
    | ask_cost | a direct question about manner, in any phase | 1 each |
    | write_cost | a turn that the memory stored, to ``memory_0`` alone | 1 each |
    | token_cost | delivered text | 1,000 characters |
    | invalid_penalty | a call refused before anything was looked at | 1 each |
    """

    selection: float = 1.0
    selection_live: float = 0.1
    realization: float = 0.25
    realization_live: float = 0.0
    ask_cost: float = 0.2
    write_cost: float = 0.0
    token_cost: float = 0.0
    invalid_penalty: float = 0.0

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
                raise InvalidOptionError(f"{field.name} must be a finite number, got {value!r}", where="RewardSpec")
            object.__setattr__(self, field.name, float(value))

    def to_dict(self) -> dict[str, float]:
        """Returns the weights as plain data."""
        return asdict(self)

    def price(self, occurrence: Occurrence) -> float:
        """Returns what one occurrence pays, negative for a cost."""
        term, amount, probe = occurrence.term, occurrence.amount, occurrence.probe
        if term is Term.SELECTION:
            return amount * (self.selection if probe else self.selection_live)
        if term is Term.REALIZATION:
            return (amount - 1.0) / 4.0 * (self.realization if probe else self.realization_live)
        if term is Term.ASK:
            return -amount * self.ask_cost
        if term is Term.WRITE:
            return -amount * self.write_cost
        if term is Term.TOKENS:
            return -amount / 1000.0 * self.token_cost
        return -amount * self.invalid_penalty

    def terms(self, occurrences: Sequence[Occurrence]) -> dict[str, float]:
        """Returns the reward by term; every term is present, in a fixed order."""
        found = dict(_NOTHING)
        for occurrence in occurrences:
            found[occurrence.term.value] += self.price(occurrence)
        # A zero has no sign.
        return {name: value + 0.0 for name, value in found.items()} if occurrences else found


def resolve_reward(value: RewardSpec | Mapping[str, Any] | None) -> RewardSpec:
    """Returns the spec for a constructor argument.

    Raises:
        UnknownNameError: a weight that does not exist.
        InvalidOptionError: neither a spec nor a mapping, or a weight that is no finite number.
    """
    if value is None:
        return RewardSpec()
    if isinstance(value, RewardSpec):
        return value
    if not isinstance(value, Mapping):
        raise InvalidOptionError(
            f"reward must be a RewardSpec or a mapping, got {type(value).__name__}", where="reward"
        )
    names = [field.name for field in fields(RewardSpec)]
    for name in value:
        if name not in names:
            raise unknown("reward weight", name, names)
    return RewardSpec(**value)


def resolve_mode(value: str) -> RewardMode:
    """Returns the reward mode, or raises UnknownNameError."""
    for mode in MODES:
        if value == mode:
            return mode
    raise unknown("reward mode", value, MODES)
