"""Plays a run and stores it slot by slot; a run that was stopped goes on where it stopped.

Resuming replays the recorded calls of the PA through the engine up to the last stored slot and then plays on:
everything else is a function of the seed and those calls, so no state has to be stored, and no model is asked twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from mempa_gym import memory as memories
from mempa_gym.engine import EngineConfig, TimelineEngine, checkpoint_worlds, lay_out, play
from mempa_gym.engine.randomness import Stream, child
from mempa_gym.errors import RunError
from mempa_gym.factories.names import make_agent, make_judge, resolve_persona
from mempa_gym.factories.timeline import Game, build_game, reference_engine
from mempa_gym.interaction.policies import PAAction, PAPolicy
from mempa_gym.interaction.views import PAView
from mempa_gym.memory import MemorySystem
from mempa_gym.runs.codec import action_from_json, action_to_json, canonical, result_to_json
from mempa_gym.runs.config import RunConfig, identity
from mempa_gym.runs.store import RunStore, is_free
from mempa_gym.timeline import SlotKind, build_timeline, load_library
from mempa_gym.world import World

__all__ = ["HISTORY", "References", "differences", "open_run", "play_run", "prepare"]

HISTORY = "history"
"""Where the history of a run without memory is stored, below the run's directory."""

Progress = Callable[[int, int], None]


class References:
    """Worlds of File-memory runs, kept while several conditions of one user, agent and seed are played."""

    def __init__(self) -> None:
        self._found: dict[Any, Mapping[int, World]] = {}

    def worlds(
        self,
        game: Game,
        config: RunConfig,
        policy: PAPolicy | None = None,
        directory: Path | None = None,
        progress: Progress | None = None,
    ) -> Mapping[int, World]:
        """Returns the worlds at each probe, made when absent; by ``policy`` where it is not a built-in one.

        With a directory the history is a stored run of its own there: stopped, it goes on where it stopped. It is
        stored with every run, also where the worlds are known already: a run's directory says all that it rests on.
        """
        slips = tuple(sorted(config.slips.items()))
        agent = (config.agent, canonical(getattr(policy, "fingerprint", None)))
        key = (game.persona, agent, game.seed, slips, config.max_calls, config.answer_asks)
        if key not in self._found or directory is not None:
            self._found[key] = _history(game, config, policy, directory, progress)
        return self._found[key]


def _history(
    game: Game, config: RunConfig, policy: PAPolicy | None, directory: Path | None, progress: Progress | None
) -> Mapping[int, World]:
    player = policy or make_agent(config.agent, config.slips)
    engine = reference_engine(game)
    if directory is None:
        return checkpoint_worlds(engine, player)
    known = replace(config, memory="file", memory_options={}, repeats=1, judge="none", told_context=False)
    places = sum(slot.kind is not SlotKind.PROBE for slot in game.timeline.slots)
    with open_run(known, directory, places, policy=player, part="accumulation") as store:
        worlds: Mapping[int, World] = _Player(player, engine, store, progress, places).drive(checkpoint_worlds)
        return worlds


class _Recorder:
    """A policy that plays another's moves, recorded ones first, and writes every move down."""

    def __init__(self, inner: PAPolicy, recorded: list[list[dict[str, Any]]]) -> None:
        self.inner = inner
        self.name = inner.name
        self.uses_plan = inner.uses_plan
        self.moves: list[dict[str, Any]] = []
        self._recorded = [action_from_json(item) for slot in recorded for item in slot]
        self._next = 0

    def begin_session(self, rng: np.random.Generator) -> None:
        self.inner.begin_session(rng)

    def act(self, view: PAView) -> PAAction:
        if self._next < len(self._recorded):
            action = self._recorded[self._next]
            self._next += 1
        else:
            action = self.inner.act(view)
        self.moves.append(action_to_json(action))
        return action

    def take(self) -> list[dict[str, Any]]:
        moves, self.moves = self.moves, []
        return moves

    def get_state(self) -> Any:
        return self.inner.get_state()

    def set_state(self, state: Any) -> None:
        self.inner.set_state(state)


@dataclass(frozen=True, slots=True)
class _Plan:
    """A run before anything is played."""

    game: Game
    memory: MemorySystem

    @property
    def places(self) -> int:
        """How many slots the run has."""
        return len(lay_out(self.game.timeline, self.game.config))


def _plan(config: RunConfig, policy: PAPolicy | None) -> _Plan:
    memory = memories.build(config.memory, **config.memory_options)
    make_agent(policy or config.agent, config.slips)
    make_judge(config.judge)
    persona = resolve_persona(config.persona, child(config.seed, Stream.PERSONA), config.matrix)
    timeline = build_timeline(persona, load_library(persona.id))
    engine = EngineConfig(
        repeats=config.repeats,
        max_calls=config.max_calls,
        accumulate=memory.accumulates,
        answer_asks=config.answer_asks,
        told_context=config.told_context,
    )
    return _Plan(Game(persona, timeline, config.seed, engine), memory)


def prepare(
    config: RunConfig,
    references: References | None = None,
    policy: PAPolicy | None = None,
    *,
    history: Path | None = None,
    progress: Progress | None = None,
) -> TimelineEngine:
    """Returns the engine of a run, ready to play.

    Args:
        config: what to play.
        references: shared worlds for none and oracle.
        policy: a PA of one's own; ``config.agent`` then only names it.
        history: where the history of a run without memory is stored; None keeps it in memory.
        progress: called with (slots done, slots in all) of that history.

    Raises:
        UnknownNameError: a persona, memory, agent, matrix or judge that does not exist; the message lists the valid
        ones.
    """
    plan = _plan(config, policy)
    worlds = None
    if not plan.memory.accumulates:
        worlds = (references or References()).worlds(plan.game, config, policy, history, progress)
    return build_game(plan.game, plan.memory, judge=config.judge, worlds=worlds)


def open_run(
    config: RunConfig, directory: Path, places: int, *, policy: PAPolicy | None = None, part: str = "run"
) -> RunStore:
    """Opens the run of a configuration to play it, or makes it.

    Raises:
        RunError: the directory holds another run, every differing field is named; or another process plays it.
    """
    mine = identity(config, policy, part)
    store = RunStore.create(directory, mine, places) if is_free(directory) else RunStore.open(directory)
    try:
        check_same(store, mine)
        if not store.complete:
            store.claim()
    except BaseException:
        store.close()
        raise
    return store


def check_same(store: RunStore, mine: Mapping[str, Any]) -> None:
    """Refuses a stored run that is another one.

    Raises:
        RunError: it differs; every differing field is named.
    """
    differing = differences(store.identity, mine)
    if differing:
        raise RunError(
            "the directory holds a run that differs: " + "; ".join(differing),
            where=str(store.directory),
            remedy="Use the recorded values to continue it, or another --out for a new run",
        )


def differences(theirs: Mapping[str, Any], mine: Mapping[str, Any]) -> list[str]:
    """Returns in what two runs' identities differ, a text for each field."""
    return [
        f"{name}: recorded {_shown(theirs, name)}, now {_shown(mine, name)}"
        for name in _paths(mine, theirs)
        if _shown(theirs, name) != _shown(mine, name)
    ]


def _paths(*identities: Mapping[str, Any]) -> list[str]:
    names = {f"config.{key}" for item in identities for key in item.get("config", {})}
    agents = {f"pa.{key}" for item in identities for key in item.get("pa") or {}}
    return [*sorted(names), *sorted(agents), "version", "data", "code", "part"]


def _shown(item: Mapping[str, Any], path: str) -> Any:
    value: Any = item
    for part in path.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def play_run(
    config: RunConfig,
    directory: Path | str | None = None,
    *,
    policy: PAPolicy | None = None,
    references: References | None = None,
    progress: Progress | None = None,
) -> list[dict[str, Any]]:
    """Plays a run to its end, going on with a recorded part, and returns all records.

    Args:
        config: what to play.
        directory: where to store it; None keeps it in memory only. A run without memory stores the history its probes
            start from in ``history`` below it.
        policy: a PA of one's own in place of a built-in one; it is recorded under its name and, where it has one, its
            ``fingerprint``, a mapping of plain values.
        references: shared worlds for none and oracle.
        progress: called with (slots done, slots in all).

    Raises:
        RunError: the directory holds another run or is being played by another process.
    """
    directory = Path(directory) if directory is not None else None
    if policy is not None:
        config = replace(config, agent=make_agent(policy).name)
    player = policy or make_agent(config.agent, config.slips)
    if directory is None:
        engine = prepare(config, references, player, progress=progress)
        return _Player(player, engine, None, progress, engine.places).records_of(play)
    if not is_free(directory):
        with RunStore.open(directory) as found:
            check_same(found, identity(config, player))
            if found.complete:
                return list(found.records())
    # The run takes its place before its history is played: the directory then belongs to this run and no other.
    places = _plan(config, policy).places
    with open_run(config, directory, places, policy=player) as store:
        engine = prepare(config, references, player, history=directory / HISTORY, progress=progress)
        return _Player(player, engine, store, progress, places).records_of(play)


class _Player:
    """Plays an engine and keeps each finished slot; what is stored already is played from the store."""

    def __init__(
        self,
        player: PAPolicy,
        engine: TimelineEngine,
        store: RunStore | None,
        progress: Progress | None,
        places: int,
    ) -> None:
        self.records: list[dict[str, Any]] = []
        self._policy = _Recorder(player, list(store.actions()) if store is not None else [])
        self._player = player
        self._engine = engine
        self._store = store
        self._stored = list(store.records()) if store is not None else []
        self._progress = progress
        self._places = places
        self._used = _usage(player)
        self._since = time.perf_counter()

    def records_of(self, drive: Callable[..., Any]) -> list[dict[str, Any]]:
        """Plays to the end and returns all records."""
        self.drive(drive)
        return self.records

    def drive(self, drive: Callable[..., Any]) -> Any:
        """Plays to the end with ``play`` or something like it, and returns what that returns."""
        return drive(self._engine, self._policy, after=self._keep)

    def _keep(self, engine: TimelineEngine) -> None:
        while len(self.records) < len(engine.results):
            position = len(self.records)
            record = result_to_json(engine.results[position])
            actions = self._policy.take()
            if position < len(self._stored):
                self._compare(position, record)
            elif self._store is not None:
                now, used = time.perf_counter(), _usage(self._player)
                usage = {name: amount - self._used.get(name, 0) for name, amount in used.items()}
                self._store.append(position, record, actions, seconds=now - self._since, usage=usage)
                self._since, self._used = now, used
            self.records.append(record)
            if self._progress is not None:
                self._progress(len(self.records), self._places)
            if len(self.records) == len(self._stored):
                self._since = time.perf_counter()

    def _compare(self, position: int, record: Mapping[str, Any]) -> None:
        if self._stored[position] != record:
            raise RunError(
                f"slot {position} ({record['slot']}) does not replay as it was recorded",
                where=str(self._store.directory) if self._store else "",
                remedy="`mempa-gym replay --check` names the first difference; start a new run in another directory",
            )


def _usage(policy: object) -> dict[str, int]:
    """Returns what a PA has used so far, by its own count (``usage``); empty for one that counts nothing."""
    return dict(getattr(policy, "usage", None) or {})
