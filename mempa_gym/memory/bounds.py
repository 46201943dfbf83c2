"""The two references: no memory at all, and an oracle (paper 000, section 4, Reference Condition Runs).

Both are measured by probes only, so they store nothing. The oracle is told the target by the harness for one probe;
it is the single memory that ever hears one, which is why revealing is a method of its class and no part of the
protocol.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from mempa_gym.frozen import FrozenDict
from mempa_gym.interaction.views import MemoryQuery, TurnRecord
from mempa_gym.memory.render import one_line
from mempa_gym.memory.saving import pack, require_kind, unpack
from mempa_gym.taxonomy import attribute as get_attribute

__all__ = ["NoMemory", "OracleMemory"]


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What a reference returns whatever it is asked."""

    text: str = ""


_NOTHING = _Evidence()


class _Reference:
    name: str
    accumulates = False
    options: Mapping[str, Any] = FrozenDict()

    def __init__(self) -> None:
        self._state = _NOTHING

    def recall(self, query: MemoryQuery) -> str:
        """Returns the fixed evidence."""
        return self._state.text

    def write(self, record: TurnRecord) -> None:
        """Stores nothing."""

    def end_session(self, now: str) -> None:
        """Does nothing."""

    def prepare_checkpoint(self, now: str) -> None:
        """Does nothing."""

    def without_conversation(self) -> None:
        """Does nothing: no conversation is carried."""

    def get_state(self) -> object:
        """Returns the state."""
        return self._state

    def set_state(self, state: object) -> None:
        """Takes back a state.

        Raises:
            RunError: It is no state of a reference.
        """
        self._state = require_kind(self.name, state, _Evidence)

    def dump(self, state: object) -> dict[str, object]:
        """Returns a state as JSON-able data."""
        return pack(self.name, self.options, asdict(require_kind(self.name, state, _Evidence)))

    def load(self, data: object) -> object:
        """Returns the state of a `dump`.

        Raises:
            DataError: The data is damaged.
            RunError: It belongs to another memory.
        """
        return unpack(self.name, self.options, data, _Evidence)

    def reset(self) -> None:
        """Forgets what was revealed."""
        self._state = _NOTHING

    def stats(self) -> Mapping[str, int | str]:
        """Returns nothing: there is nothing to count."""
        return {}


class NoMemory(_Reference):
    """Returns no evidence and stores nothing."""

    name = "none"


class OracleMemory(_Reference):
    """Returns the target setting with its definition in place of retrieved memory."""

    name = "oracle"

    def reveal(self, attribute: str, setting: str) -> None:
        """Tells the oracle what the user prefers; called by the harness at the start of a probe.

        The evidence is one line: The user wants IX_<attribute> set to "<setting>": <visible behaviour>

        Raises:
            UnknownNameError: There is no such attribute, or it has no such setting.
        """
        behaviour = one_line(get_attribute(attribute).setting(setting).behaviour)
        self._state = _Evidence(f'The user wants IX_{attribute} set to "{setting}": {behaviour}')
