"""Builds timeline environments from names and plain values.

Every argument is JSON-able (a Persona or policy object may stand in for a name in Python), so that Gymnasium's specs
can be written down and read back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from mempa_gym import memory as memories
from mempa_gym.engine import EngineConfig, TimelineEngine, checkpoint_worlds
from mempa_gym.envs.core import TimelineCore, resolve_roles
from mempa_gym.envs.facade import ResetFacade
from mempa_gym.envs.options import EpisodeOptions
from mempa_gym.envs.rewards import RewardSpec, resolve_mode, resolve_reward
from mempa_gym.envs.timeline_aec import TimelineAEC
from mempa_gym.envs.timeline_gym import TimelineEnv
from mempa_gym.errors import InvalidOptionError, unknown
from mempa_gym.factories.names import make_agent, make_judge, make_user, resolve_persona
from mempa_gym.interaction.policies import PAPolicy
from mempa_gym.memory import MemorySystem
from mempa_gym.memory.kept import KeptMemory
from mempa_gym.personas import Persona
from mempa_gym.timeline import SlotKind, Timeline, build_timeline, load_library
from mempa_gym.world import World
from mempa_gym.world import open as open_world

__all__ = ["Game", "TimelineArguments", "aec", "build_game", "gym_session", "gym_timeline", "raw_aec"]


@dataclass(frozen=True, kw_only=True)
class TimelineArguments:
    """Arguments of the timeline environments.

    Attributes:
        persona: a packaged user, a Persona, or "random", "train" (counterfactual users), "eval" (packaged users).
        memory: none, oracle, full or file, or what makes a memory of one's own when it is called; played inside unless
            "memory" is among the roles.
        memory_options: options of that memory.
        agent: built-in PA policy where "pa" is not among the roles, and the one whose File-memory run (of seed 0, made
            once for each persona) gives none and oracle their checkpoints.
        roles: roles played from outside.
        matrix: "written", "permuted" (a counterfactual of the persona) or "final" (its preferences after all changes).
        reward: a RewardSpec or its weights by name.
        reward_mode: "eval" or "train".
        judge: "rule" or "none".
        repeats: how often each probe is played.
        max_calls: model calls a user turn.
        answer_asks: whether the user answers direct questions about manner.
        told_context: tell the PA whether a session is work or personal (recorded; such runs stand apart).
        slips: planned PA's slip rates by "attribute/Setting".
        start_session: first slot of the story to play.
        end_session: slot before which it stops; final probes then take the preferences of that moment.
        max_cycles: steps after which an episode is truncated.
        render_mode: "ansi" or "human".
    """

    persona: str | Persona = "user_b"
    memory: str | Callable[..., MemorySystem] = "file"
    memory_options: Mapping[str, Any] | None = None
    agent: str | PAPolicy = "reader"
    roles: Any = ("pa",)
    matrix: str = "written"
    reward: RewardSpec | Mapping[str, Any] | None = None
    reward_mode: str = "eval"
    judge: str = "rule"
    repeats: int = 3
    max_calls: int = 40
    answer_asks: bool = True
    told_context: bool = False
    slips: Mapping[str, float] | None = None
    start_session: int = 0
    end_session: int | None = None
    max_cycles: int | None = None
    render_mode: str | None = None

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> TimelineArguments:
        """Returns the arguments, or raises UnknownNameError for one that does not exist."""
        names = [field.name for field in fields(cls)]
        for name in given:
            if name not in names:
                raise unknown("argument", name, names)
        return cls(**given)


@dataclass(frozen=True, slots=True)
class Game:
    """What one game is made of; used by environments and by runs.

    Attributes:
        persona: whose preferences count.
        timeline: its slots.
        seed: root of the game's randomness.
        config: limits and modes.
    """

    persona: Persona
    timeline: Timeline
    seed: int
    config: EngineConfig


def build_game(
    game: Game,
    memory: MemorySystem,
    *,
    judge: str = "rule",
    worlds: Mapping[int, World] | None = None,
) -> TimelineEngine:
    """Returns a fresh engine for a game."""
    return TimelineEngine(
        game.timeline,
        open_world(game.persona.id, game.timeline.slots[0].at),
        memory,
        make_user(game.persona.id, answer_asks=game.config.answer_asks),
        seed=game.seed,
        config=game.config,
        judge=make_judge(judge),
        worlds=worlds,
    )


def reference_engine(game: Game) -> TimelineEngine:
    """Returns the engine of the File-memory run whose worlds the probes of a run without memory start from."""
    config = EngineConfig(
        repeats=1, max_calls=game.config.max_calls, answer_asks=game.config.answer_asks, attempts=game.config.attempts
    )
    source = Game(game.persona, game.timeline, game.seed, config)
    return build_game(source, memories.build("file"), judge="none")


class Builder:
    """Makes the engine of each episode of an environment."""

    def __init__(self, arguments: TimelineArguments, *, one_session: bool = False) -> None:
        self.arguments = arguments
        self.one_session = one_session
        self._worlds: tuple[Persona, Mapping[int, World]] | None = None
        # What is wrong with an argument shows when the environment is made, not at its first reset.
        resolve_persona(arguments.persona, np.random.default_rng(0), arguments.matrix)
        self._memory()
        make_judge(arguments.judge)
        make_agent(arguments.agent, arguments.slips)
        self._config(EpisodeOptions())
        if one_session and arguments.memory == "oracle":
            raise InvalidOptionError(
                "the oracle answers in probes and a live session has none",
                where="memory",
                remedy="Use mempa/Timeline-v0 with it, or another memory here",
            )
        _check_limit(arguments.max_cycles)

    def _memory(self) -> MemorySystem:
        arguments = self.arguments
        if "memory" in resolve_roles(arguments.roles):
            return KeptMemory()
        options = arguments.memory_options if arguments.memory_options is not None else {}
        if not isinstance(options, Mapping) or not all(isinstance(name, str) for name in options):
            raise InvalidOptionError(
                f"memory_options must be a mapping of names to values, got {options!r}", where="memory_options"
            )
        if callable(arguments.memory):
            made = arguments.memory(**options)
            if not isinstance(made, MemorySystem):
                raise InvalidOptionError(
                    f"it made a {type(made).__name__}, which is no memory",
                    where="memory",
                    remedy="See memory.protocol.MemorySystem for the calls a memory answers",
                )
            return made
        return memories.build(arguments.memory, **options)

    def _config(self, options: EpisodeOptions, *, accumulate: bool = True) -> EngineConfig:
        arguments = self.arguments
        start = options.start_session if options.start_session is not None else arguments.start_session
        end = options.end_session if options.end_session is not None else arguments.end_session
        return EngineConfig(
            repeats=arguments.repeats,
            max_calls=arguments.max_calls,
            accumulate=accumulate,
            answer_asks=arguments.answer_asks,
            told_context=arguments.told_context,
            probes=not self.one_session,
            start_session=start,
            end_session=end,
        )

    def build(self, options: EpisodeOptions, rng: np.random.Generator) -> TimelineEngine:
        """Returns a fresh game; persona, session and seed are drawn from ``rng``."""
        arguments = self.arguments
        seed = int(rng.integers(2**63))
        persona = resolve_persona(
            options.persona if options.persona is not None else arguments.persona, rng, arguments.matrix
        )
        library = load_library(persona.id)
        timeline = build_timeline(persona, library)
        memory = self._memory()
        if self.one_session:
            options = _one_session(timeline, options, rng)
        config = self._config(options, accumulate=memory.accumulates or self.one_session)
        _check_range(timeline, config)
        if config.end_session is not None:
            timeline = build_timeline(persona, library, until=config.end_session)
        game = Game(persona, timeline, seed, config)
        worlds = None
        if not config.accumulate:
            # A reference run must not depend on the episode's seed, or each reset would cost a whole timeline.
            if self._worlds is None or self._worlds[0] != persona:
                source = Game(persona, timeline, 0, config)
                agent = make_agent(arguments.agent, arguments.slips)
                self._worlds = (persona, checkpoint_worlds(reference_engine(source), agent))
            worlds = self._worlds[1]
        return build_game(game, memory, judge=arguments.judge, worlds=worlds)


def _check_limit(max_cycles: Any) -> None:
    if max_cycles is None or (isinstance(max_cycles, int) and not isinstance(max_cycles, bool) and max_cycles > 0):
        return
    raise InvalidOptionError(
        f"max_cycles must be a whole number of at least 1, or None for no limit, got {max_cycles!r}", where="max_cycles"
    )


def _story(timeline: Timeline) -> list[int]:
    return [index for index, slot in enumerate(timeline.slots) if slot.kind is not SlotKind.PROBE]


def _check_range(timeline: Timeline, config: EngineConfig) -> None:
    count = len(_story(timeline))
    for name in ("start_session", "end_session"):
        value = getattr(config, name)
        if value is not None and value > (count - 1 if name == "start_session" else count):
            raise InvalidOptionError(
                f"{name} is {value}, but the story of {timeline.persona.id} has {count} sessions and events", where=name
            )


def _one_session(timeline: Timeline, options: EpisodeOptions, rng: np.random.Generator) -> EpisodeOptions:
    story = [timeline.slots[index] for index in _story(timeline)]
    live = [number for number, slot in enumerate(story) if slot.kind is SlotKind.ACCUMULATION]
    number = options.start_session
    if number is None:
        number = live[int(rng.integers(len(live)))]
    elif number not in live:
        raise InvalidOptionError(
            f"slot {number} of the story is no live session", where="start_session", remedy=f"Choose one of {live}"
        )
    return EpisodeOptions(options.persona, number, number + 1)


def one_session_game(persona: str, session: int | None, seed: int) -> TimelineEngine:
    """Returns a game of one live session of a packaged user, for a person to play."""
    builder = Builder(TimelineArguments(persona=persona, memory="none"), one_session=True)
    return builder.build(EpisodeOptions(start_session=session), np.random.default_rng(seed))


def _name_of(memory: Any) -> str:
    return str(getattr(memory, "name", getattr(memory, "__name__", type(memory).__name__)))


def _core(arguments: TimelineArguments, *, one_session: bool = False) -> TimelineCore:
    roles = resolve_roles(arguments.roles)
    return TimelineCore(
        Builder(arguments, one_session=one_session),
        roles=roles,
        policy=None if "pa" in roles else make_agent(arguments.agent, arguments.slips),
        memory_name=arguments.memory if isinstance(arguments.memory, str) else _name_of(arguments.memory),
        reward=resolve_reward(arguments.reward),
        mode=resolve_mode(arguments.reward_mode),
        judge_name=arguments.judge,
        one_session=one_session,
    )


def raw_aec(**kwargs: Any) -> TimelineAEC:
    """Returns the bare PettingZoo environment."""
    arguments = TimelineArguments.read(kwargs)
    return TimelineAEC(_core(arguments), render_mode=arguments.render_mode, max_cycles=arguments.max_cycles)


def aec(**kwargs: Any) -> ResetFacade:
    """Returns the PettingZoo environment, wrapped: order is enforced and ``reset(persona=...)`` works."""
    return ResetFacade(raw_aec(**kwargs))


def gym_timeline(**kwargs: Any) -> TimelineEnv:
    """Returns the Gymnasium environment of a whole timeline."""
    return _gym(kwargs, one_session=False)


def gym_session(**kwargs: Any) -> TimelineEnv:
    """Returns the Gymnasium environment of one session an episode."""
    return _gym(kwargs, one_session=True)


def _gym(given: Mapping[str, Any], *, one_session: bool) -> TimelineEnv:
    arguments = TimelineArguments.read(given)
    if resolve_roles(arguments.roles) != ("pa",):
        raise InvalidOptionError(
            "the Gymnasium environment has one seat, the PA's", where="roles", remedy="Use envs.timeline_v0 for others"
        )
    core = _core(arguments, one_session=one_session)
    return TimelineEnv(core, render_mode=arguments.render_mode, max_steps=arguments.max_cycles)
