"""Reads a persona's scripts and change events from the packaged data.

A file that does not fit the format is refused with its name, the key and the reason; nothing of a persona plays until
all its files are sound.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from mempa_gym import resources
from mempa_gym.errors import DataError, unknown
from mempa_gym.timeline.models import EventModel, ScriptModel
from mempa_gym.timeline.script import ChangeEvent, Session, compile_event, compile_script

__all__ = ["Library", "load_library", "parse_event", "parse_script", "scenarios", "scripted_personas"]


class Library:
    """All scripts of one persona.

    Attributes:
        persona: the persona's id.
        sessions: accumulation sessions in story order.
        probes: probes by id.
        events: change events in story order.
    """

    __slots__ = ("events", "persona", "probes", "sessions")

    def __init__(
        self, persona: str, sessions: tuple[Session, ...], probes: tuple[Session, ...], events: tuple[ChangeEvent, ...]
    ) -> None:
        self.persona = persona
        self.sessions = sessions
        self.probes = probes
        self.events = events


def parse_script(raw: Any, file: str) -> Session:
    """Checks one script and returns its playable form.

    Raises:
        DataError: the content does not fit the format of ``ScriptModel``.
    """
    return compile_script(resources.validated(ScriptModel, raw, file))


def parse_event(raw: Any, file: str) -> ChangeEvent:
    """Checks one change event and returns its playable form.

    Raises:
        DataError: the content does not fit the format of ``EventModel``.
    """
    return compile_event(resources.validated(EventModel, raw, file))


@cache
def scripted_personas() -> tuple[str, ...]:
    """Returns the ids of the packaged personas that have scripts."""
    root = resources.data_path("personas")
    return tuple(sorted(folder.name for folder in root.iterdir() if folder.joinpath("scripts").is_dir()))


@cache
def scenarios(persona: str) -> dict[str, dict[str, str]]:
    """Returns the persona's scenario types by context (paper 000, C.1: six a context)."""
    found: dict[str, dict[str, str]] = resources.read_yaml(f"personas/{persona}/scenarios.yaml")
    return found


@cache
def load_library(persona: str) -> Library:
    """Returns the scripts of a packaged persona.

    Raises:
        UnknownNameError: the persona has no scripts; the message lists those that have.
        DataError: a file is malformed, or two files carry the same id.
    """
    if persona not in scripted_personas():
        raise unknown("persona with scripts", persona, scripted_personas())
    folder = resources.data_path(f"personas/{persona}/scripts")
    sessions: list[Session] = []
    probes: list[Session] = []
    events: list[ChangeEvent] = []
    for entry in sorted(folder.iterdir(), key=lambda item: item.name):
        if not entry.name.endswith(".yaml"):
            continue
        file = f"data/personas/{persona}/scripts/{entry.name}"
        raw = resources.parse_yaml(entry.read_text(encoding="utf-8"), file)
        found = raw.get("id") if isinstance(raw, dict) else None
        if found != entry.name.removesuffix(".yaml"):
            raise DataError(file, "id", f"the id {found!r} is not the file's name")
        if isinstance(raw, dict) and "turns" in raw:
            events.append(parse_event(raw, file))
        else:
            session = parse_script(raw, file)
            (probes if session.is_probe else sessions).append(session)
    return Library(
        persona,
        tuple(sorted(sessions, key=lambda item: (item.at, item.id))),
        tuple(sorted(probes, key=lambda item: item.id)),
        tuple(sorted(events, key=lambda item: (item.at, item.id))),
    )
