"""The viability checks find each kind of fault they are there for, and nothing in the packaged scripts."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from mempa_gym import resources
from mempa_gym.errors import UnknownNameError
from mempa_gym.runs.viability import check_persona, check_script
from mempa_gym.timeline import load_library, parse_event, parse_script


def raw(name: str) -> dict[str, Any]:
    found: dict[str, Any] = resources.read_yaml(f"personas/user_b/scripts/{name}.yaml")
    return copy.deepcopy(found)


def beat(data: dict[str, Any], kind: str) -> dict[str, Any]:
    found: dict[str, Any] = next(item for item in data["beats"] if item.get(kind))
    return found


def plan(data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = beat(data, "decision")["pa"]["settings"]
    return found


def same_replies(data: dict[str, Any]) -> None:
    settings = plan(data)
    first = next(iter(settings.values()))
    for realisation in settings.values():
        realisation.update(copy.deepcopy(first))


def swap(data: dict[str, Any]) -> None:
    settings = plan(data)
    one, two = list(settings)[:2]
    settings[one], settings[two] = settings[two], settings[one]


def unlock(data: dict[str, Any]) -> None:
    data["lock"]["match"] = {
        key: "con_nobody" if key == "to" else value for key, value in data["lock"]["match"].items()
    }


ANYTHING = "Right then, that is one way of going about it, I suppose."

FAULTS: list[tuple[str, str, Callable[[dict[str, Any]], Any], str, str]] = [
    ("a record that does not exist", "acc_005", lambda d: d["records"].append("em_nothing"), "feasible", "em_nothing"),
    ("a record of later", "acc_005", lambda d: d.update(at="2026-02-02T09:00"), "feasible", "not visible"),
    (
        "a call that is refused",
        "acc_005",
        lambda d: d["beats"][0]["pa"]["calls"].append(
            {"tool": "email_message_read", "args": {"email_id": "em_nothing"}}
        ),
        "feasible",
        "is refused",
    ),
    (
        "a request that gives the setting away",
        "probe_002",
        lambda d: d["beats"][0].update(say=d["beats"][0]["say"] + " The short version, please."),
        "not given away",
        "cues",
    ),
    (
        "a reaction that names a setting",
        "acc_001",
        lambda d: beat(d, "reaction")["react"]["Terse"].update(Terse="Terse is just what I wanted, that works."),
        "not given away",
        "Terse",
    ),
    ("settings that look alike", "probe_002", same_replies, "observable", "delivered exactly as"),
    ("settings that show each other", "probe_002", swap, "observable", "shows"),
    (
        "a fact said too early",
        "acc_026",
        lambda d: d["beats"][0].update(say=d["beats"][0]["say"] + " " + next(iter(d["facts"].values()))["marks"][0]),
        "feasible",
        "before its beat",
    ),
    ("a lock that guards nothing", "acc_026", unlock, "feasible", "guarded write"),
    (
        "one reaction to everything",
        "acc_001",
        lambda d: [row.update(dict.fromkeys(row, ANYTHING)) for row in beat(d, "reaction")["react"].values()],
        "answerable",
        "repeats",
    ),
    (
        "no block at the boundary",
        "acc_019",
        lambda d: [call.update(fails=False) for call in beat(d, "decision")["pa"]["before"]],
        "feasible",
        "blocked",
    ),
    ("one option only", "acc_010", lambda d: d["task"].update(options=d["task"]["options"][:1]), "feasible", "options"),
    ("an unknown scenario type", "acc_005", lambda d: d.update(scenario="golf"), "form", "scenario type"),
]


@pytest.mark.parametrize(("name", "change", "condition", "words"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_a_fault_is_found_and_named(
    name: str, change: Callable[[dict[str, Any]], Any], condition: str, words: str
) -> None:
    data = raw(name)
    change(data)
    problems = check_script("user_b", parse_script(data, f"{name}.yaml"))
    hits = [item for item in problems if item.condition == condition and words in item.text()]
    assert hits, [item.text() for item in problems]
    assert all(item.script == name for item in hits)


def test_an_event_that_does_not_carry_out_its_old_setting_is_found() -> None:
    data = raw("event_03")
    for turn in data["turns"]:
        if any(step["tool"].startswith("IX_") for step in turn.get("steps", ())):
            turn["steps"] = [s for s in turn["steps"] if s["tool"].startswith("IX_")]
            turn["reply"] = "Shall I send it to her?"
    assert any(item.condition == "observable" for item in check_script("user_b", parse_event(data, "event_03.yaml")))


def test_an_event_that_names_its_setting_is_found() -> None:
    data = raw("event_04")
    data["turns"][-1]["user"] += " One-at-a-time."
    assert any("named" in item.reason for item in check_script("user_b", parse_event(data, "event_04.yaml")))


def test_the_packaged_scripts_are_viable() -> None:
    count, problems = check_persona("user_b")
    library = load_library("user_b")
    assert count == len(library.sessions) + len(library.probes) + len(library.events)
    assert [item.text() for item in problems] == []


def test_an_unknown_script_lists_the_known() -> None:
    with pytest.raises(UnknownNameError, match="acc_001"):
        check_persona("user_b", only=("acc_0001",))
