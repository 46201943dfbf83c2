"""Playing a stored run again from what its PA did, and finding the first place where it comes out otherwise.

Everything but the PA's actions is a function of the seed, so a sound run replays byte for byte. Where it does not,
either the file was changed after it was written or other code or data is at work; the report says which, and where.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mempa_gym.engine import TimelineEngine, play
from mempa_gym.errors import MempaGymError, PolicyError
from mempa_gym.interaction.policies import PAAction
from mempa_gym.interaction.views import PAView
from mempa_gym.runs.codec import action_from_json, canonical, result_to_json
from mempa_gym.runs.config import RunConfig, identity
from mempa_gym.runs.runner import HISTORY, Progress, differences, prepare
from mempa_gym.runs.store import FILE, Row, RunStore
from mempa_gym.wrappers.differences import first_difference

__all__ = ["Difference", "Recorded", "ReplayReport", "check_replay", "replay_run"]

_LONGEST = 200


class Recorded:
    """A PA that makes the moves of a record again.

    Args:
        slots: the actions of each slot, as stored.
        name: the name of the PA that made them.
        watch: told of every view and the move that is made on it.
    """

    uses_plan = False

    def __init__(
        self,
        slots: list[list[dict[str, Any]]],
        name: str = "recorded",
        watch: Callable[[PAView, PAAction], None] | None = None,
    ) -> None:
        self.name = name
        self._watch = watch
        self._moves = [action_from_json(item) for slot in slots for item in slot]
        self._next = 0

    def begin_session(self, rng: np.random.Generator) -> None:
        """Does nothing: a record needs no chance."""

    def act(self, view: PAView) -> PAAction:
        """Returns the next move.

        Raises:
            PolicyError: the record has no more.
        """
        if self._next >= len(self._moves):
            raise PolicyError("the record has no further action", where=self.name)
        action = self._moves[self._next]
        self._next += 1
        if self._watch is not None:
            self._watch(view, action)
        return action

    def get_state(self) -> int:
        """Returns how many moves were made."""
        return self._next

    def set_state(self, state: int) -> None:
        """Goes back to a state."""
        self._next = state


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing that is not as recorded.

    Attributes:
        position: place of the slot in the run, from 0.
        slot: its script's id, "" where that cannot be read.
        part: "record", "actions" or "digest".
        path: the field within it, like ``turns[2].reply``; "" for the whole.
        recorded: what the file holds there.
        replayed: what the replay makes of it.
        changed: whether the file was changed after it was written; else other code or data is at work.
    """

    position: int
    slot: str
    part: str
    path: str
    recorded: str
    replayed: str
    changed: bool

    def __str__(self) -> str:
        why = "changed after it was written" if self.changed else "as written; other code or data is at work"
        place = f"slot {self.position} ({self.slot or '?'}), {self.part}{f' at {self.path}' if self.path else ''}"
        return f"{place}: recorded {self.recorded}, replayed {self.replayed} ({why})"


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """What a replay found.

    Attributes:
        slots: how many slots replayed as recorded.
        recorded: how many slots are recorded.
        places: how many the run has when it is complete.
        difference: the first difference, None when there is none.
        other: in what version, data or code of the record are not the present ones.
    """

    slots: int
    recorded: int
    places: int
    difference: Difference | None
    other: tuple[str, ...]


def replay_run(
    directory: Path,
    *,
    watch: Callable[[PAView, PAAction], None] | None = None,
    after: Callable[[TimelineEngine], None] | None = None,
) -> TimelineEngine:
    """Plays a stored run again, as far as it is recorded, and returns the engine.

    Args:
        directory: the run.
        watch: told of every view of the PA and the move that it made on it.
        after: called after every action of any role.

    Raises:
        RunError: no run there, or a damaged one.
        PolicyError: it does not replay.
    """
    with RunStore.open(directory) as store:
        rows = list(store.sound_rows())
        engine, policy = _engine(store, [json.loads(row.actions) for row in rows], watch)
        play(engine, policy, stop=lambda game: len(game.results) >= len(rows), after=after)
    return engine


def check_replay(directory: Path, progress: Progress | None = None) -> ReplayReport:
    """Plays a stored run again and compares every slot with its record.

    Raises:
        RunError: no run there, or one whose file or identity is damaged.
    """
    with RunStore.open(directory) as store:
        rows, places, theirs = list(store.rows()), store.places, store.identity
        other = tuple(differences(theirs, {**identity(RunConfig.from_json(theirs["config"])), **_own(theirs)}))
        compared = 0
        difference: Difference | None = None

        def compare(engine: TimelineEngine) -> None:
            nonlocal compared, difference
            while difference is None and compared < len(engine.results):
                difference = _compare(rows[compared], canonical(result_to_json(engine.results[compared])))
                compared += difference is None
                if progress is not None:
                    progress(compared, len(rows))

        broken = next((row.position for row in rows if _actions(row) is None), len(rows))
        try:
            engine, policy = _engine(store, [_actions(row) or [] for row in rows[:broken]])
            play(
                engine,
                policy,
                stop=lambda game: difference is not None or len(game.results) >= broken,
                after=compare,
            )
        except MempaGymError as error:
            # The record asks for what cannot be done: its slot is the one in play.
            if difference is None and compared < len(rows):
                difference = _unplayable(rows[compared], str(error))
        if difference is None and compared < len(rows):
            difference = _unplayable(rows[compared], "nothing")
    return ReplayReport(compared, len(rows), places, difference, other)


def _engine(
    store: RunStore, actions: list[list[dict[str, Any]]], watch: Callable[[PAView, PAAction], None] | None = None
) -> tuple[TimelineEngine, Recorded]:
    config = RunConfig.from_json(store.identity["config"])
    policy = Recorded(actions, config.agent, watch)
    history = store.directory / HISTORY
    worlds_of = Recorded(_stored_actions(history), config.agent) if (history / FILE).is_file() else policy
    return prepare(config, policy=worlds_of), policy


def _stored_actions(directory: Path) -> list[list[dict[str, Any]]]:
    with RunStore.open(directory) as store:
        return list(store.actions())


def _own(theirs: dict[str, Any]) -> dict[str, Any]:
    """Returns the fields of an identity that a replay takes as they are."""
    return {key: theirs.get(key) for key in ("config", "pa", "part")}


def _actions(row: Row) -> list[dict[str, Any]] | None:
    try:
        found = json.loads(row.actions)
        for item in found:
            action_from_json(item)
    except (ValueError, TypeError, MempaGymError):
        return None
    return found if isinstance(found, list) else None


def _compare(row: Row, replayed: str) -> Difference | None:
    if row.sound and row.record == replayed:
        return None
    again = json.loads(replayed)
    slot = str(again["slot"])
    if row.record == replayed:
        # The record is what its actions lead to. Either the actions were changed to some with the same outcome, or the
        # digest itself was.
        return Difference(row.position, slot, "digest or actions", "", "another digest", row.digest, True)
    if not row.sound and not row.fits(replayed):
        return Difference(row.position, slot, "actions", "", "what does not fit its digest", "another outcome", True)
    try:
        recorded = json.loads(row.record)
    except ValueError:
        return Difference(row.position, slot, "record", _byte(row.record, replayed), "no JSON", "JSON", True)
    path, mine, theirs = first_difference(recorded, again) or (_byte(row.record, replayed), row.record, replayed)
    return Difference(row.position, slot, "record", path, _short(mine), _short(theirs), not row.sound)


def _byte(left: str, right: str) -> str:
    place = next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
    return f"character {place}"


def _unplayable(row: Row, why: str) -> Difference:
    try:
        slot = str(json.loads(row.record)["slot"])
    except (ValueError, KeyError, TypeError):
        slot = ""
    return Difference(row.position, slot, "actions", "", "what cannot be played", _short(why), not row.sound)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
