"""Plays a run and stores it slot by slot; a run that was stopped goes on where it stopped.

Resuming replays the recorded calls of the PA through the engine up to the last stored slot and then plays on:
everything else is a function of the seed and those calls, so no state has to be stored, and no model is asked twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from mempa_gym import memory as memories
from mempa_gym.engine import EngineConfig, TimelineEngine, play
from mempa_gym.engine.randomness import Stream, child
from mempa_gym.errors import RunError
from mempa_gym.factories.names import make_agent, make_judge, resolve_persona
from mempa_gym.factories.timeline import Game, build_game, reference_worlds
from mempa_gym.interaction.policies import PAAction, PAPolicy
from mempa_gym.interaction.views import PAView
from mempa_gym.runs.codec import action_from_json, action_to_json, result_to_json
from mempa_gym.runs.config import RunConfig, identity
from mempa_gym.runs.store import RunStore, is_free
from mempa_gym.timeline import build_timeline, load_library
from mempa_gym.world import World

__all__ = ["References", "open_run", "play_run", "prepare"]

Progress = Callable[[int, int], None]


class References:
    """Worlds of File-memory runs, kept while several conditions of one user, agent and seed are played."""

    def __init__(self) -> None:
        self._found: dict[Any, Mapping[int, World]] = {}

    def worlds(self, game: Game, config: RunConfig, policy: PAPolicy | None = None) -> Mapping[int, World]:
        """Returns the worlds at each probe, made when absent; by ``policy`` where it is not a built-in one."""
        slips = tuple(sorted(config.slips.items()))
        key = (game.persona, config.agent, game.seed, slips, config.max_calls, config.answer_asks)
        if key not in self._found:
            self._found[key] = reference_worlds(game, policy or config.agent, config.slips)
        return self._found[key]


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


def prepare(config: RunConfig, references: References | None = None, policy: PAPolicy | None = None) -> TimelineEngine:
    """Returns the engine of a run, ready to play.

    Args:
        config: what to play.
        references: shared worlds for none and oracle.
        policy: a PA of one's own; ``config.agent`` then only names it.

    Raises:
        UnknownNameError: a persona, memory, agent, matrix or judge that does not exist; the message lists the valid
        ones.
    """
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
    game = Game(persona, timeline, config.seed, engine)
    worlds = None if memory.accumulates else (references or References()).worlds(game, config, policy)
    return build_game(game, memory, judge=config.judge, worlds=worlds)


def open_run(config: RunConfig, directory: Path, places: int) -> RunStore:
    """Opens the run of a configuration, or makes it.

    Raises:
        RunError: the directory holds another run; every differing field is named.
    """
    mine = identity(config)
    if is_free(directory):
        return RunStore.create(directory, mine, places)
    store = RunStore.open(directory)
    theirs = store.identity
    differing = [
        f"{name}: recorded {_shown(theirs, name)}, now {_shown(mine, name)}"
        for name in _paths(mine, theirs)
        if _shown(theirs, name) != _shown(mine, name)
    ]
    if differing:
        store.close()
        raise RunError(
            "the directory holds a run that differs: " + "; ".join(differing),
            where=str(directory),
            remedy="Use the recorded values to continue it, or another --out for a new run",
        )
    return store


def _paths(*identities: Mapping[str, Any]) -> list[str]:
    names = {f"config.{key}" for item in identities for key in item.get("config", {})}
    return [*sorted(names), "version", "data", "code"]


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
        directory: where to store it; None keeps it in memory only.
        policy: a PA of one's own in place of a built-in one; it is recorded under its name.
        references: shared worlds for none and oracle.
        progress: called with (slots done, slots in all).
    """
    directory = Path(directory) if directory is not None else None
    if policy is not None:
        config = replace(config, agent=make_agent(policy).name)
    if directory is not None and not is_free(directory):
        with RunStore.open(directory) as found:
            if found.complete and found.identity == identity(config):
                return list(found.records())
    engine = prepare(config, references, policy)
    store = open_run(config, directory, engine.places) if directory is not None else None
    try:
        return _play(policy or make_agent(config.agent, config.slips), engine, store, progress)
    finally:
        if store is not None:
            store.close()


def _play(
    player: PAPolicy, engine: TimelineEngine, store: RunStore | None, progress: Progress | None
) -> list[dict[str, Any]]:
    stored = list(store.records()) if store is not None else []
    policy = _Recorder(player, list(store.actions()) if store is not None else [])
    records: list[dict[str, Any]] = []

    def keep(engine: TimelineEngine) -> None:
        while len(records) < len(engine.results):
            position = len(records)
            record = result_to_json(engine.results[position])
            actions = policy.take()
            if position < len(stored):
                if stored[position] != record:
                    raise RunError(
                        f"slot {position} ({record['slot']}) does not replay as it was recorded",
                        where=str(store.directory) if store else "",
                        remedy="The recorded run was made by other code; start a new run in another directory",
                    )
            elif store is not None:
                store.append(position, record, actions)
            records.append(record)
            if progress is not None:
                progress(len(records), engine.places)

    play(engine, policy, after=keep)
    return records
