"""What happens when: sessions, probes, change events, and the timelines made of them."""

from __future__ import annotations

from mempa_gym.timeline.load import Library, load_library, parse_event, parse_script, scenarios, scripted_personas
from mempa_gym.timeline.schedule import Slot, SlotKind, Timeline, build_timeline
from mempa_gym.timeline.script import Beat, ChangeEvent, EventTurn, Fact, LockRule, Session

__all__ = [
    "Beat",
    "ChangeEvent",
    "EventTurn",
    "Fact",
    "Library",
    "LockRule",
    "Session",
    "Slot",
    "SlotKind",
    "Timeline",
    "build_timeline",
    "load_library",
    "parse_event",
    "parse_script",
    "scenarios",
    "scripted_personas",
]
