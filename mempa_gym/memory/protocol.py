"""What the harness asks of a memory, and nothing more.

Every condition of paper 000, Table 11 answers the same few calls, so that the engine treats a file, a vector store
and the bounds (no memory, oracle, full history) alike. The calls carry what paper 000, E.4 lets a memory know: the
turn as the PA saw it, the user's message, and story time. There is no place for a target, a context, a session number
or a probe flag.

State is an opaque immutable value. Handing it out is therefore a checkpoint, taking it back is a branch, and dropping
it is a discard; none of the three costs more in a long history than in a short one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from mempa_gym.interaction.views import MemoryQuery, TurnRecord

__all__ = ["MemorySystem"]


@runtime_checkable
class MemorySystem(Protocol):
    """A memory of one user's sessions with one PA (paper 000, 3.4).

    Order of calls in a live session: for each turn `recall`, then `write`; after the last turn `end_session`. Before
    a checkpoint `prepare_checkpoint`. A probe plays on a branch: `set_state` of the checkpoint,
    `without_conversation`, then turns as usual; the branch is then dropped.

    Attributes:
        name: name of the condition, as on the command line.
        accumulates: whether the condition has sessions to learn from. False for the references that are measured by
            probes only, from the checkpoints of another run (paper 000, section 4).
        options: the switches it was built with, JSON-able, to be recorded with the results.
    """

    name: str
    accumulates: bool
    options: Mapping[str, Any]

    def recall(self, query: MemoryQuery) -> str:
        """Returns the evidence for the next model calls of the PA, empty when there is none.

        It never holds the turns of the session that is being played: the harness shows those to the PA. Nothing of
        the query is stored; maintenance that is due (a consolidation) may happen here. Asked twice in a row it
        returns the same, unless maintenance failed and is tried again.
        """
        ...

    def write(self, record: TurnRecord) -> None:
        """Stores a finished turn. A turn id that is stored already is left alone, so that a turn can be sent again."""
        ...

    def end_session(self, now: str) -> None:
        """Closes the session that is being played; from now on its turns are history. `now` is story time."""
        ...

    def prepare_checkpoint(self, now: str) -> None:
        """Finishes what a branch must be able to rely on, for instance by storing turns that are still waiting."""
        ...

    def without_conversation(self) -> None:
        """Drops raw conversation that the memory itself carries along; for probe branches only (paper 000, E.4)."""
        ...

    def get_state(self) -> Any:
        """Returns an immutable value that later calls do not change, in constant time."""
        ...

    def set_state(self, state: Any) -> None:
        """Takes back a value of `get_state`, also of another instance with the same options.

        Raises:
            RunError: The value belongs to another kind of memory.
        """
        ...

    def dump(self, state: Any) -> Any:
        """Returns a state as JSON-able data, with the options it was made under."""
        ...

    def load(self, data: Any) -> Any:
        """Returns the state of a `dump`; it still has to be set.

        Raises:
            DataError: The data is damaged.
            RunError: The data belongs to another memory, or to other options.
        """
        ...

    def reset(self) -> None:
        """Forgets everything, as a new instance would."""
        ...

    def stats(self) -> Mapping[str, int | str]:
        """Returns what happened inside, so that a failure is never taken for an empty memory."""
        ...
