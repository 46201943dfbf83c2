"""A persona's world at a point of story time: calls go in, results come out, every change is on record.

A world is a few references to values that never change (start records, state, locks), so a branch copies those
references and nothing else. Whatever happens on a branch leaves its parent as it was; keeping the branch is the
commit and dropping it the rollback (paper 000, C.2: working copy, commit or discard).
"""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mempa_gym.errors import ArgumentError, MempaGymError
from mempa_gym.tools import ToolResult, ToolSpec, specs
from mempa_gym.tools.formats import check_stamp
from mempa_gym.world.answers import Answer
from mempa_gym.world.base import Base, build_base, load_base
from mempa_gym.world.desk import Desk
from mempa_gym.world.domains.documents import by_path
from mempa_gym.world.entry import Record
from mempa_gym.world.handlers import HANDLERS
from mempa_gym.world.locks import LOCKED, Lock, Locks
from mempa_gym.world.log import CallEntry
from mempa_gym.world.state import EMPTY

__all__ = ["World", "open_world"]


def open_world(persona: str, now: str) -> World:
    """Opens the packaged world of a persona as it is before anything happened.

    Args:
        persona: a persona's id, for example "user_b".
        now: story time, YYYY-MM-DDTHH:MM.

    Raises:
        UnknownNameError: No persona of this name has a packaged world.
        ArgumentError: `now` is no story time.
        DataError: A file of the world does not follow its schema.
    """
    return World(load_base(persona), now)


class World:
    """One working copy of a persona's records (paper 000, C.2).

    Made by `open_world`, `World.from_records` or `branch`.
    """

    __slots__ = ("_base", "_locks", "_log", "_now", "_state")

    def __init__(self, base: Base, now: str) -> None:
        self._base = base
        self._state = EMPTY
        self._locks = Locks()
        self._log: list[CallEntry] = []
        self._now = _story_time(now)

    @classmethod
    def from_records(cls, records: Mapping[str, Sequence[Mapping[str, Any]]], now: str, name: str = "records") -> World:
        """Makes a world from records in the form of a fixture file: collection to list of records.

        Raises:
            DataError: A record does not follow its collection's schema, or two have one id.
            ArgumentError: `now` is no story time.
        """
        return cls(build_base(records, name), now)

    @property
    def persona(self) -> str:
        """The persona's id, or the name given to `from_records`."""
        return self._base.name

    @property
    def now(self) -> str:
        """Story time, YYYY-MM-DDTHH:MM; set it to move on. Records that enter later are not visible."""
        return self._now

    @now.setter
    def now(self, value: str) -> None:
        self._now = _story_time(value)

    @property
    def log(self) -> tuple[CallEntry, ...]:
        """All calls since this world was made or branched, refused ones included, oldest first."""
        return tuple(self._log)

    def call(self, tool: str, arguments: Mapping[str, Any] | str) -> ToolResult:
        """Carries out one call, or refuses it and writes nothing.

        Never raises on what an agent may send: an unknown tool, broken JSON and unknown values all come back as a
        result whose error text says which value failed and why.

        Args:
            tool: the tool's published name.
            arguments: an object, or its JSON text.
        """
        spec = specs().get(tool) if isinstance(tool, str) else None
        if spec is None:
            return self._refuse(tool, arguments, _unknown_tool(tool))
        try:
            checked = spec.parse(arguments)
        except ArgumentError as error:
            return self._refuse(tool, arguments, f"Error: {error}")
        return self.run(spec, checked)

    def run(self, spec: ToolSpec, checked: dict[str, Any]) -> ToolResult:
        """Carries out a call whose arguments the tool has checked already, or refuses it and writes nothing.

        Args:
            spec: the tool.
            checked: what ``spec.parse`` returned; it belongs to the world from then on.
        """
        tool = spec.name
        if not spec.available:
            return self._refuse(tool, checked, f"Error: {tool} is not available: this world holds no such records yet.")
        if self._locks.locks and self._locks.closed(tool, checked):
            return self._refuse(tool, checked, LOCKED)
        answers = self._base.answers
        key = answers.key(tool, checked, self._now, self._state)
        known = answers.get(key)
        if known is None:
            known = self._carried_out(tool, checked)
            answers.put(key, known)
        self._state = known.state
        if not known.ok:
            return self._refuse(tool, checked, known.text)
        self._log.append(CallEntry(tool, checked, True, None, known.changes))
        return ToolResult.of_text(known.text)

    def _carried_out(self, tool: str, checked: dict[str, Any]) -> Answer:
        desk = Desk(self._base, self._state, self._now)
        try:
            result = ToolResult(True, HANDLERS[tool](desk, checked))
        except MempaGymError as error:
            return Answer(False, f"Error: {error}", self._state, ())
        return Answer(True, result.text(), desk.state, tuple(desk.changes))

    def record(self, record_id: str) -> Record | None:
        """Returns a visible record as a fresh dict, or None; for a document its path will do as well.

        Only what is written by now is in it: no `enters`, no later sections. A slot that is taken is not visible.
        """
        desk = Desk(self._base, self._state, self._now)
        collection = desk.collection_of(record_id)
        entry = desk.visible(collection, record_id) if collection else None
        if collection is None or entry is None:
            collection, entry = "documents", by_path(desk, record_id)
        return desk.show(collection, entry) if entry is not None else None

    def records(self, collection: str) -> list[Record]:
        """Returns all visible records of a collection as fresh dicts, in order of id.

        Raises:
            KeyError: There is no such collection.
        """
        desk = Desk(self._base, self._state, self._now)
        entries = sorted(desk.all(collection), key=lambda entry: entry.id)
        return [desk.show(collection, entry) for entry in entries]

    def state_hash(self) -> str:
        """Returns a hash of all records, visible or not; equal for equal records however they came about.

        Story time, locks and the log are not part of it. Its cost does not depend on the world.
        """
        total = (self._base.total + self._state.total) % (1 << 256)
        return hashlib.blake2b(total.to_bytes(32), digest_size=16).hexdigest()

    def branch(self) -> World:
        """Returns an isolated working copy with the same records, time and locks and an empty log.

        Its cost does not depend on the size or the age of the world.
        """
        copy = World.__new__(World)
        copy._base = self._base
        copy._state = self._state
        copy._locks = self._locks
        copy._now = self._now
        copy._log = []
        return copy

    def copy(self) -> World:
        """Returns a branch that keeps the log, for a checkpoint in the middle of a session."""
        copy = self.branch()
        copy._log = list(self._log)
        return copy

    __copy__ = copy

    def set_locks(self, locks: Iterable[Lock]) -> None:
        """Puts these locks, all closed, in the place of the present ones.

        Raises:
            UnknownNameError: A lock guards no tool.
            ArgumentError: A lock matches an argument that its tool does not have, or two locks share an id.
        """
        self._locks = Locks.of(locks)

    def open_lock(self, lock_id: str) -> None:
        """Opens a lock for good; opening it again changes nothing.

        Raises:
            UnknownNameError: There is no such lock.
        """
        self._locks = self._locks.opening(lock_id)

    def _refuse(self, tool: str, arguments: Mapping[str, Any] | str, error: str) -> ToolResult:
        self._log.append(CallEntry(_as_text(tool), _as_given(arguments), False, error, ()))
        return ToolResult(False, None, error)


def _story_time(value: str) -> str:
    try:
        return check_stamp(value)
    except (ValueError, TypeError):
        raise ArgumentError("now", value, "expected a story time, YYYY-MM-DDTHH:MM", "Give an existing time") from None


def _unknown_tool(tool: object) -> str:
    name = _as_text(tool)
    near = difflib.get_close_matches(name, specs(), n=1)
    hint = f"Did you mean {near[0]!r}? " if near else ""
    return f"Error: there is no tool {name!r:.120}. {hint}Call one of the tools offered, by its exact name."


def _as_text(tool: object) -> str:
    return tool.encode("utf-8", "backslashreplace").decode() if isinstance(tool, str) else repr(tool)[:120]


def _as_given(arguments: object) -> Mapping[str, Any] | str:
    """Returns arguments as the log can keep them: plain JSON data of its own, or a text."""
    if isinstance(arguments, str):
        return arguments.encode("utf-8", "backslashreplace").decode()
    try:
        text = json.dumps(dict(arguments) if isinstance(arguments, Mapping) else arguments, allow_nan=False)
        copy = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return f"<{type(arguments).__name__} that is no JSON>"
    return copy if isinstance(copy, dict) else text
