"""Games for tests: whole timelines, or one script on its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mempa_gym import memory as memories
from mempa_gym.agents import FixedSelector, PlannedPA
from mempa_gym.engine import EngineConfig, TimelineEngine
from mempa_gym.factories.names import make_user
from mempa_gym.personas import Persona, load_persona
from mempa_gym.taxonomy import attribute, attribute_ids
from mempa_gym.timeline import Session, Slot, SlotKind, Timeline, build_timeline, load_library
from mempa_gym.world import open as open_world


def whole(memory: str = "none", *, seed: int = 0, persona: Persona | None = None, **config: Any) -> TimelineEngine:
    """Returns a whole timeline of user_b."""
    who = persona or load_persona("user_b")
    timeline = build_timeline(who, load_library("user_b"))
    return TimelineEngine(
        timeline,
        open_world("user_b", timeline.slots[0].at),
        memories.build(memory),
        make_user("user_b"),
        seed=seed,
        config=EngineConfig(**{"repeats": 1, **config}),
    )


def script(identifier: str) -> Session:
    """Returns a script of user_b by id."""
    library = load_library("user_b")
    return next(item for item in (*library.sessions, *library.probes) if item.id == identifier)


def script_of(attribute_id: str, kind: str = "accumulation", context: str | None = None) -> Session:
    """Returns the first script of user_b on an attribute."""
    library = load_library("user_b")
    found = library.sessions if kind == "accumulation" else library.probes
    return next(s for s in found if s.attribute == attribute_id and context in (None, s.context))


def alone(session: Session, target: str, *, memory: str = "none", seed: int = 0, **config: Any) -> TimelineEngine:
    """Returns a game of one script."""
    kind = SlotKind.PROBE if session.is_probe else SlotKind.ACCUMULATION
    slot = Slot(kind, session.at, session, None, target, final=session.is_probe)
    return TimelineEngine(
        Timeline(load_persona("user_b"), (slot,)),
        open_world("user_b", session.at),
        memories.build(memory),
        make_user("user_b"),
        seed=seed,
        config=EngineConfig(**{"repeats": 1, "attempts": 1, **config}),
    )


def fixed(chosen: Mapping[str, str] | None = None, **more: Any) -> PlannedPA:
    """Returns a planned PA that picks the first setting of every attribute but those given."""
    table = {name: attribute(name).labels[0] for name in attribute_ids()}
    return PlannedPA(FixedSelector({**table, **(chosen or {})}), **more)
