"""Malformed scripts are refused with file, key and reason; sound ones compile to what they say."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mempa_gym import resources
from mempa_gym.errors import DataError, UnknownNameError
from mempa_gym.personas import load_persona
from mempa_gym.timeline import SlotKind, build_timeline, load_library, parse_event, parse_script
from mempa_gym.timeline.viability import check_distinct

FILE = "data/personas/user_b/scripts/acc_005.yaml"


def raw(name: str = "acc_005") -> dict[str, Any]:
    found: dict[str, Any] = resources.read_yaml(f"personas/user_b/scripts/{name}.yaml")
    return copy.deepcopy(found)


def decision(data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = next(beat for beat in data["beats"] if beat.get("decision"))
    return found


def reaction(data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = next(beat for beat in data["beats"] if beat.get("reaction"))
    return found


FAULTS: list[tuple[str, Callable[[dict[str, Any]], Any], str]] = [
    ("an unknown key", lambda d: d.update(mood="x"), "mood"),
    ("a missing key", lambda d: d.pop("task"), "task"),
    ("a wrong time", lambda d: d.update(at="14.02.2026"), "at"),
    ("an unknown context", lambda d: d.update(context="home"), "context"),
    ("no decision", lambda d: decision(d).pop("decision"), "decision beat"),
    ("a setting without a plan", lambda d: decision(d)["pa"]["settings"].pop("Task-focused"), "settings"),
    ("a target without reactions", lambda d: reaction(d)["react"].pop("Task-focused"), "react"),
    ("a shown setting without a reaction", lambda d: reaction(d)["react"]["Task-focused"].popitem(), "react"),
    ("a lock where there is none", lambda d: d.update(lock={"tool": "message_send", "until": ["x"]}), "write lock"),
    ("beats with one id", lambda d: d["beats"][1].update(id=d["beats"][0]["id"]), "beat ids"),
    ("needs without a nudge", lambda d: d["beats"][0].update(nudge=None), "nudge"),
    (
        "a wording per setting too early",
        lambda d: d["beats"][0].update(say={"Task-focused": "x"}),
        "after the decision",
    ),
]


@pytest.mark.parametrize(("change", "named"), [fault[1:] for fault in FAULTS], ids=[fault[0] for fault in FAULTS])
def test_a_malformed_script_names_file_key_and_reason(change: Callable[[dict[str, Any]], Any], named: str) -> None:
    data = raw()
    change(data)
    with pytest.raises(DataError) as caught:
        parse_script(data, FILE)
    assert FILE in str(caught.value)
    assert named in str(caught.value)


def test_broken_yaml_names_the_line() -> None:
    with pytest.raises(DataError, match=r"line \d"):
        resources.parse_yaml("id: acc_001\nkind: [accumulation\nat: x", FILE)


def test_a_key_given_twice_is_refused() -> None:
    with pytest.raises(DataError, match="twice"):
        resources.parse_yaml("id: acc_001\nid: acc_002\n", FILE)


def test_an_event_must_carry_out_its_old_setting() -> None:
    data = raw("event_03")
    for turn in data["turns"]:
        for step in turn.get("steps", ()):
            if step["tool"].startswith("IX_"):
                step["args"]["setting"] = "Reactive"
    with pytest.raises(DataError, match="old setting"):
        parse_event(data, "event_03.yaml")


def test_an_unknown_persona_lists_those_with_scripts() -> None:
    with pytest.raises(UnknownNameError, match="user_b"):
        load_library("user_x")


def test_sessions_survive_pickling() -> None:
    library = load_library("user_b")
    assert pickle.loads(pickle.dumps(library.sessions)) == library.sessions


def test_every_cell_has_a_session_and_one_final_probe() -> None:
    library = load_library("user_b")
    assert {session.cell for session in library.sessions} == {probe.cell for probe in library.probes}
    finals = [probe.cell for probe in library.probes if probe.before_event is None]
    assert len(finals) == len(set(finals)) == 28
    assert len(library.probes) == 28 + len(library.events)
    assert len(library.sessions) >= 28


def test_six_scenario_types_a_context_and_each_is_used() -> None:
    from mempa_gym.timeline import scenarios

    library = load_library("user_b")
    for context, types in scenarios("user_b").items():
        assert len(types) == 6
        used = {session.scenario for session in library.sessions if session.context == context}
        assert used == set(types)


def test_a_counterfactual_persona_plays_the_same_scripts_and_its_own_changes() -> None:
    persona = load_persona("user_b").permuted(np.random.default_rng(4))
    timeline = build_timeline(persona, load_library("user_b"))
    planned = {(c.cell, c.before, c.after) for c in persona.changes}
    for slot in timeline.slots:
        if slot.event is not None:
            assert (slot.cell, slot.event.before, slot.event.after) in planned
    live = [slot for slot in timeline.slots if slot.kind is SlotKind.ACCUMULATION]
    assert [slot.session for slot in live] == list(load_library("user_b").sessions)


def test_no_two_sessions_are_about_one_thing() -> None:
    library = load_library("user_b")
    scripts = (*library.sessions, *library.probes)
    assert check_distinct(scripts) == []
    data = raw("acc_005")
    data["id"] = "acc_999"
    copied = parse_script(data, "acc_999.yaml")
    (problem,) = check_distinct((*scripts, copied))
    assert (problem.script, problem.condition) == ("acc_999", "form")
    assert "acc_005" in problem.reason
    assert check_distinct((*scripts, copied), ("acc_001",)) == []
