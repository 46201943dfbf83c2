"""File memory: recent conversation as it was, older conversation as notes (paper 000, section 4 and Table 11).

When the prompt reaches the trigger, the oldest whole turns are handed to a consolidator, which rewrites MEMORY.md and
adds a paragraph to HISTORY.md; MEMORY.md stands in the prompt in full, HISTORY.md never. The rules follow the agent
framework the paper builds on in the one version that fits its numbers, with what its users found missing: a counter
that is always there, story time instead of the wall clock, and no answer applied unchecked. Trigger and target are
two numbers, not one derived from the other.

Nothing here is a file on disk. The texts are values in an immutable state, so that a checkpoint is one reference,
branches cannot see each other, and two runs cannot share a folder.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from mempa_gym.errors import InvalidOptionError, MempaGymError
from mempa_gym.frozen import FrozenDict
from mempa_gym.interaction.views import MemoryQuery, TurnRecord
from mempa_gym.memory.answers import ConsolidationFailure, Consolidator, Outcome, checked_result
from mempa_gym.memory.ids import IdSet, contains, with_id
from mempa_gym.memory.offline import OfflineConsolidator
from mempa_gym.memory.options import require_flag, require_positive
from mempa_gym.memory.render import CONTINUED, render_record, require_story_time
from mempa_gym.memory.saving import pack, require_kind, unpack
from mempa_gym.memory.schemas import tool_schema_tokens
from mempa_gym.memory.tokens import MESSAGE_OVERHEAD, LineCounter, count_tokens

__all__ = [
    "CONVERSATION_HEADING",
    "MEMORY_HEADING",
    "SYSTEM_TOKENS",
    "TARGET_TOKENS",
    "TRIGGER_TOKENS",
    "FileMemory",
    "FileState",
    "FileTurn",
]

TRIGGER_TOKENS = 20_000
TARGET_TOKENS = 10_000
# What the PA's instructions take, memory and tools apart. A constant, so that a reworded prompt changes no history.
SYSTEM_TOKENS = 1_000

MEMORY_HEADING = "# Memory"
CONVERSATION_HEADING = "# Earlier conversation"

_MOST_ROUNDS = 5
_FAILURES_BEFORE_RAW = 3


@dataclass(frozen=True, slots=True)
class FileTurn:
    """A turn that is not consolidated yet.

    Attributes:
        id: the record's turn id.
        session: running number of the session within this memory; for grouping only, never shown.
        text: the turn as `render` writes it.
        tokens: its share of the prompt.
    """

    id: str
    session: int
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class FileCounts:
    """What consolidation did so far.

    Attributes:
        consolidations: chunks that a consolidator turned into notes.
        unchanged: those among them that left MEMORY.md as it was.
        failures: proposals that could not be used.
        raw_archives: chunks that went into HISTORY.md word for word after repeated failures.
        unreachable: times that the prompt stayed above the target although something was archived.
        last_failure: kind and detail of the latest failure; empty if there was none.
    """

    consolidations: int = 0
    unchanged: int = 0
    failures: int = 0
    raw_archives: int = 0
    unreachable: int = 0
    last_failure: str = ""


@dataclass(frozen=True, slots=True)
class FileState:
    """Everything a File memory knows.

    Attributes:
        memory: MEMORY.md.
        memory_tokens: its size.
        history: the entries of HISTORY.md, oldest first.
        past: turns of earlier sessions that are not consolidated yet.
        current: such turns of the session that is being played.
        tail_tokens: size of both.
        session: running number of the latest session.
        in_session: whether that session is being played.
        archived: the pointer: how many turns were archived; never falls.
        archived_session: session of the latest archived turn.
        failures_in_a_row: failures since the last success.
        seen: ids of all turns ever written.
        counts: what happened so far.
    """

    memory: str = ""
    memory_tokens: int = 0
    history: tuple[str, ...] = ()
    past: tuple[FileTurn, ...] = ()
    current: tuple[FileTurn, ...] = ()
    tail_tokens: int = 0
    session: int = 0
    in_session: bool = False
    archived: int = 0
    archived_session: int = 0
    failures_in_a_row: int = 0
    seen: IdSet = ()
    counts: FileCounts = field(default_factory=FileCounts)


_EMPTY = FileState()


class FileMemory:
    """Consolidates the oldest turns into MEMORY.md; returns MEMORY.md and the turns not consolidated yet.

    Args:
        trigger: prompt size in tokens at which consolidation starts.
        target: size at which it stops.
        flush: consolidate all waiting turns before a checkpoint, so that a probe, which carries no raw conversation,
            can know the last sessions.
        count_tools: count the schemas of all tools as part of the prompt.
        system_tokens: size of the PA's instructions.
        consolidator: who writes the notes; the rules of `OfflineConsolidator` when left out.

    Raises:
        InvalidOptionError: A number is not a positive whole number, the target is above the trigger, or an argument is
            of the wrong kind.
    """

    name = "file"
    accumulates = True

    def __init__(
        self,
        *,
        trigger: int = TRIGGER_TOKENS,
        target: int = TARGET_TOKENS,
        flush: bool = True,
        count_tools: bool = False,
        system_tokens: int = SYSTEM_TOKENS,
        consolidator: Consolidator | None = None,
    ) -> None:
        for option, value in (("trigger", trigger), ("target", target), ("system_tokens", system_tokens)):
            require_positive(option, value)
        require_flag("flush", flush)
        require_flag("count_tools", count_tools)
        if target > trigger:
            raise InvalidOptionError(
                f"{target} is above the trigger of {trigger}", where="target", remedy="Give a target below the trigger"
            )
        if consolidator is not None and not isinstance(consolidator, Consolidator):
            raise InvalidOptionError(
                f"got {type(consolidator).__name__}",
                where="consolidator",
                remedy="Give an object with a name and the method propose(memory_text, lines, now)",
            )
        self._trigger = trigger
        self._target = target
        self._flush = flush
        self._consolidator = consolidator if consolidator is not None else OfflineConsolidator()
        self._fixed_tokens = system_tokens + (tool_schema_tokens() if count_tools else 0)
        self._lines = LineCounter()
        self._state = _EMPTY
        self._rendered: tuple[str, tuple[FileTurn, ...], str] = ("", (), "")
        self.options: Mapping[str, Any] = FrozenDict(
            {
                "trigger": trigger,
                "target": target,
                "flush": flush,
                "count_tools": count_tools,
                "system_tokens": system_tokens,
                "consolidator": self._consolidator.name,
            }
        )

    @property
    def memory_text(self) -> str:
        """MEMORY.md."""
        return self._state.memory

    @property
    def history_text(self) -> str:
        """HISTORY.md: entries separated by a blank line, each with a story-time stamp in front."""
        return "\n\n".join(self._state.history)

    @property
    def prompt_tokens(self) -> int:
        """The counted size of the prompt, the next message apart."""
        return self._size(self._state, 0)

    def recall(self, query: MemoryQuery) -> str:
        """Returns MEMORY.md and the waiting turns of earlier sessions, each under its heading, if there are any.

        Consolidates first if the message brings the prompt to the trigger. Asked again, a memory with a failed
        consolidation behind it tries once more.
        """
        require_story_time(query.now, "now")
        self._state = self._reduced(self._state, count_tokens(query.text) + MESSAGE_OVERHEAD, query.now)
        memory, past = self._state.memory, self._state.past
        if self._rendered[0] is not memory or self._rendered[1] is not past:
            self._rendered = (memory, past, _evidence(memory, past))
        return self._rendered[2]

    def write(self, record: TurnRecord) -> None:
        """Stores a turn once, and consolidates if the prompt has reached the trigger."""
        state = self._state
        if contains(state.seen, record.turn_id):
            return
        text = render_record(record)
        past, current, session = state.past, state.current, state.session
        if record.new_session or not state.in_session:
            past = (*past, *current) if current else past
            current, session = (), session + 1
        tokens = count_tokens(text) + MESSAGE_OVERHEAD * (text.count("\n") + 1)
        state = replace(
            state,
            past=past,
            current=(*current, FileTurn(record.turn_id, session, text, tokens)),
            session=session,
            in_session=True,
            tail_tokens=state.tail_tokens + tokens,
            seen=with_id(state.seen, record.turn_id),
        )
        self._state = self._reduced(state, 0, record.at)

    def end_session(self, now: str) -> None:
        """Closes the session; its turns are shown as earlier conversation from now on."""
        require_story_time(now, "now")
        self._state = _closed(self._state)

    def prepare_checkpoint(self, now: str) -> None:
        """Consolidates all waiting turns, if the memory was built to.

        A chunk that fails three times in a row is archived word for word, so this ends.
        """
        require_story_time(now, "now")
        while self._flush and (waiting := len(self._state.past) + len(self._state.current)):
            self._state, _ = self._archived(self._state, waiting, now)

    def without_conversation(self) -> None:
        """Drops the waiting turns; for probe branches only."""
        self._state = replace(_closed(self._state), past=(), tail_tokens=0)

    def get_state(self) -> object:
        """Returns the state."""
        return self._state

    def set_state(self, state: object) -> None:
        """Takes back a state.

        Raises:
            RunError: It is no state of a File memory.
        """
        self._state = require_kind(self.name, state, FileState)

    def dump(self, state: object) -> dict[str, Any]:
        """Returns a state as JSON-able data, with the options of this memory."""
        checked = require_kind(self.name, state, FileState)
        data = asdict(checked)
        data["seen"] = [sorted(part) for part in checked.seen]
        for key in ("history", "past", "current"):
            data[key] = list(data[key])
        return pack(self.name, self.options, data)

    def load(self, data: object) -> object:
        """Returns the state of a `dump`.

        Raises:
            DataError: The data is damaged.
            RunError: It belongs to another memory, or to other options.
        """
        return unpack(self.name, self.options, data, FileState)

    def reset(self) -> None:
        """Forgets everything."""
        self._state = _EMPTY
        self._rendered = ("", (), "")

    def stats(self) -> Mapping[str, int | str]:
        """Returns the counts of `FileCounts`, and how many turns are archived and waiting."""
        state = self._state
        waiting = len(state.past) + len(state.current)
        return {**asdict(state.counts), "archived": state.archived, "waiting": waiting}

    def _size(self, state: FileState, message_tokens: int) -> int:
        return self._fixed_tokens + state.memory_tokens + state.tail_tokens + message_tokens

    def _reduced(self, state: FileState, message_tokens: int, now: str) -> FileState:
        """Returns the state after what consolidation is due; the same object when none is."""
        if self._size(state, message_tokens) < self._trigger:
            return state
        start = state.archived
        for _ in range(_MOST_ROUNDS):
            excess = self._size(state, message_tokens) - self._target
            count = _boundary((*state.past, *state.current), excess) if excess > 0 else 0
            if not count:
                break
            state, done = self._archived(state, count, now)
            if not done:
                return state
        if state.archived > start and self._size(state, message_tokens) > self._target:
            counts = replace(state.counts, unreachable=state.counts.unreachable + 1)
            state = replace(state, counts=counts)
        return state

    def _archived(self, state: FileState, count: int, now: str) -> tuple[FileState, bool]:
        """Archives the oldest turns: into notes if the proposal holds, word for word after three failures in a row.

        Returns the new state, and whether the pointer moved.
        """
        chunk = (*state.past, *state.current)[:count]
        lines = _chunk_lines(chunk, state.archived_session)
        outcome = self._proposal(state.memory, lines, now)
        counts = state.counts
        if isinstance(outcome, ConsolidationFailure):
            failures = state.failures_in_a_row + 1
            counts = replace(
                counts, failures=counts.failures + 1, last_failure=f"{outcome.kind}: {_brief(outcome.detail)}"
            )
            if failures < _FAILURES_BEFORE_RAW:
                return replace(state, failures_in_a_row=failures, counts=counts), False
            counts = replace(counts, raw_archives=counts.raw_archives + 1)
            entry = f"[{now}] (not consolidated, {len(chunk)} turns)\n" + _paragraph("\n".join(lines))
            return _advanced(state, count, entry, counts), True
        entry = f"[{now}] {_paragraph(outcome.history_entry)}"
        if outcome.memory_text == state.memory:
            counts = replace(counts, unchanged=counts.unchanged + 1)
        elif len(outcome.memory_text) < len(state.memory) and outcome.reason:
            entry += f" (MEMORY.md became shorter: {_brief(outcome.reason)})"
        counts = replace(counts, consolidations=counts.consolidations + 1)
        state = _advanced(state, count, entry, counts)
        if outcome.memory_text != state.memory:
            tokens = self._lines.count(outcome.memory_text.split("\n"))
            state = replace(state, memory=outcome.memory_text, memory_tokens=tokens)
        return state, True

    def _proposal(self, memory: str, lines: tuple[str, ...], now: str) -> Outcome:
        try:
            result: object = self._consolidator.propose(memory, lines, now)
        except MempaGymError:
            # The project's own errors (a spent budget, a wrong option) are decisions to stop, not bad answers.
            raise
        except Exception as error:
            # A consolidator is a plug-in that talks to a network: whatever breaks there must not cost the turns.
            result = ConsolidationFailure("error", f"{type(error).__name__}: {error}")
        return checked_result(result, memory)


def _brief(text: str, longest: int = 200) -> str:
    return " ".join(text.split())[:longest]


def _closed(state: FileState) -> FileState:
    if not state.in_session:
        return state
    past = (*state.past, *state.current) if state.current else state.past
    return replace(state, past=past, current=(), in_session=False)


def _advanced(state: FileState, count: int, entry: str, counts: FileCounts) -> FileState:
    from_past = min(count, len(state.past))
    from_current = count - from_past
    gone = (*state.past[:from_past], *state.current[:from_current])
    return replace(
        state,
        history=(*state.history, entry),
        past=state.past[from_past:],
        current=state.current[from_current:],
        tail_tokens=state.tail_tokens - sum(turn.tokens for turn in gone),
        archived=state.archived + count,
        archived_session=gone[-1].session,
        failures_in_a_row=0,
        counts=counts,
    )


def _boundary(tail: Sequence[FileTurn], excess: int) -> int:
    """Returns how many of the oldest turns to archive to remove `excess` tokens; the newest turn always stays."""
    removed = 0
    for count, turn in enumerate(tail[:-1], start=1):
        removed += turn.tokens
        if removed >= excess:
            return count
    return max(len(tail) - 1, 0)


def _chunk_lines(chunk: Sequence[FileTurn], archived_session: int) -> tuple[str, ...]:
    lines = [CONTINUED] if chunk[0].session == archived_session else []
    session = chunk[0].session
    for turn in chunk:
        if turn.session != session:
            lines.append("")
            session = turn.session
        if turn.text:
            lines.extend(turn.text.split("\n"))
    return tuple(lines)


def _evidence(memory: str, past: Sequence[FileTurn]) -> str:
    parts = []
    if memory.strip():
        parts.append(f"{MEMORY_HEADING}\n{memory}")
    if past:
        parts.append(CONVERSATION_HEADING + "\n" + "\n".join(_chunk_lines(past, 0)))
    return "\n\n".join(parts)


def _paragraph(text: str) -> str:
    # A blank line separates entries, so none may stand inside one.
    return "\n".join(line for line in text.splitlines() if line.strip())
