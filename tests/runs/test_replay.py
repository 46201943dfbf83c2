"""Stored runs played again: sound ones come out the same, and a change in one is found and located."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mempa_gym.errors import RunError
from mempa_gym.factories.names import make_agent
from mempa_gym.interaction.policies import Reply, ToolUse
from mempa_gym.interaction.views import PAView
from mempa_gym.runs import References, RunConfig, canonical_lines, chat_lines, check_replay, health_of, play_run
from mempa_gym.runs.replay import replay_run
from mempa_gym.runs.store import FILE, RunStore
from mempa_gym.wrappers.differences import first_difference

CONFIG = RunConfig(persona="user_b", memory="file", agent="random", seed=3, repeats=1)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("runs") / "file"
    play_run(CONFIG, directory)
    return directory


@pytest.fixture
def copy(finished: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(finished, tmp_path / "copy"))


def change(directory: Path, column: str, position: int, how: Callable[[str], str]) -> None:
    with closing(sqlite3.connect(directory / FILE)) as db, db:
        (text,) = db.execute(f"SELECT {column} FROM slots WHERE position = ?", (position,)).fetchone()
        changed = how(text)
        assert changed != text
        db.execute(f"UPDATE slots SET {column} = ? WHERE position = ?", (changed, position))


def test_a_run_replays_as_it_was_recorded(finished: Path) -> None:
    report = check_replay(finished)
    assert report.difference is None
    assert report.slots == report.recorded == report.places
    assert report.other == ()


def test_a_run_without_memory_replays_with_its_stored_history(tmp_path: Path) -> None:
    play_run(RunConfig(persona="user_b", memory="none", agent="random", repeats=1), tmp_path / "none")
    report = check_replay(tmp_path / "none")
    assert report.difference is None
    assert report.slots == report.places


def test_a_changed_field_of_a_record_is_located(copy: Path) -> None:
    with RunStore.open(copy) as store:
        record = list(store.records())[9]
    reply = record["turns"][1]["reply"]
    change(copy, "record", 9, lambda text: text.replace(json.dumps(reply)[1:-1], "X" + json.dumps(reply)[2:-1]))
    report = check_replay(copy)
    assert report.slots == 9
    assert report.difference is not None
    assert (report.difference.position, report.difference.slot) == (9, record["slot"])
    assert report.difference.changed
    assert report.difference.path in ("turns[1].reply", "exchange.turns[0].reply")


@pytest.mark.parametrize("column", ["record", "actions", "digest"])
@pytest.mark.parametrize("seed", range(12))
def test_one_changed_byte_is_found_in_its_slot(copy: Path, column: str, seed: int) -> None:
    rng = random.Random(f"{column} {seed}")
    with RunStore.open(copy) as store:
        position = rng.randrange(len(store))

    def flip(text: str) -> str:
        place = rng.randrange(len(text))
        other = rng.choice([c for c in '0aZ"{},\\' if c != text[place]])
        return text[:place] + other + text[place + 1 :]

    change(copy, column, position, flip)
    report = check_replay(copy)
    assert report.difference is not None
    assert report.difference.position == position
    assert report.difference.changed
    with pytest.raises(RunError, match=f"slot {position} "):
        list(canonical_lines(copy))
    with pytest.raises(RunError, match=f"slot {position} "):
        replay_run(copy)


def test_a_whole_record_that_other_code_made_is_told_from_a_changed_one(copy: Path) -> None:
    with RunStore.open(copy) as store:
        rows = list(store.rows())
    record = json.loads(rows[4].record)
    record["realization"] = 1.5
    with closing(sqlite3.connect(copy / FILE, isolation_level=None)) as db:
        db.execute("DELETE FROM slots WHERE position >= 4")
        db.execute("DELETE FROM spent WHERE position >= 4")
    with RunStore.open(copy) as store:
        store.append(4, record, json.loads(rows[4].actions))
    report = check_replay(copy)
    assert report.difference is not None
    assert report.difference.path == "realization"
    assert not report.difference.changed
    assert "other code or data" in str(report.difference)


def test_an_incomplete_run_replays_as_far_as_it_goes(copy: Path) -> None:
    with closing(sqlite3.connect(copy / FILE, isolation_level=None)) as db:
        db.execute("DELETE FROM slots WHERE position >= 11")
    report = check_replay(copy)
    assert report.difference is None
    assert report.slots == report.recorded == 11
    assert report.places > 11


def test_other_data_is_named_and_the_run_is_replayed_all_the_same(
    finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mempa_gym.runs.config.data_hash", lambda: "0000")
    report = check_replay(finished)
    assert report.difference is None
    assert [line for line in report.other if line.startswith("data: recorded")]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(json_values, json_values)
def test_a_first_difference_exists_exactly_where_values_differ(left: Any, right: Any) -> None:
    assert (first_difference(left, right) is None) == (json.dumps(left) == json.dumps(right) or _same(left, right))


def _same(left: Any, right: Any) -> bool:
    # The order of an object's keys is no difference.
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


# -- what a run can be taken out as ------------------------------------------------------------------------------------


def test_canonical_lines_are_the_run_and_nothing_of_the_clock(finished: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    play_run(CONFIG, again)
    lines = list(canonical_lines(finished))
    assert lines == list(canonical_lines(again))
    head, *slots = map(json.loads, lines)
    assert head["places"] == len(slots)
    assert [slot["position"] for slot in slots] == list(range(len(slots)))
    assert not [line for line in lines if '"seconds"' in line]


def test_chat_lines_are_what_the_pa_saw_and_said(finished: Path) -> None:
    seen: list[tuple[PAView, str]] = []

    def watch(view: PAView, action: ToolUse | Reply) -> None:
        if isinstance(action, Reply):
            seen.append((view, action.text))

    replay_run(finished, watch=watch)
    lines = [json.loads(line) for line in chat_lines(finished)]
    # Replies that a reminder sent back are left out.
    assert 0 < len(lines) <= len(seen)
    said = {text for _, text in seen}
    for line in lines:
        *_, last = line["messages"]
        assert last["role"] == "assistant"
        assert last["content"] in said
        assert line["messages"][0]["role"] == "system"
        assert line["tools"]
        text = json.dumps(line)
        assert "target" not in line
        assert "acc_0" not in text
        assert "probe_0" not in text
    right = [json.loads(line) for line in chat_lines(finished, only_right=True)]
    assert 0 < len(right) < len(lines)
    assert all(line in lines for line in right)


def test_tool_calls_and_results_of_a_chat_line_belong_together(finished: Path) -> None:
    for line in chat_lines(finished):
        open_calls: list[str] = []
        for message in json.loads(line)["messages"]:
            if message["role"] == "tool":
                open_calls.remove(message["tool_call_id"])
            else:
                assert not open_calls
                open_calls = [call["id"] for call in message.get("tool_calls", ())]
        assert not open_calls


# -- how a run went ----------------------------------------------------------------------------------------------------


def test_health_counts_what_was_played(finished: Path) -> None:
    health = health_of(finished)
    assert health.slots == health.places == health.sessions + health.events + health.probes
    assert health.calls > health.slots
    assert health.seconds > 0.0
    assert health.floors == {}
    assert json.loads(json.dumps(health.to_json()))["slots"] == health.slots
    assert f"{health.slots} of {health.places} slots" in health.lines()[0]


def test_every_stored_run_keeps_the_history_it_rests_on(tmp_path: Path) -> None:
    references = References()
    for memory in ("none", "oracle"):
        play_run(RunConfig(persona="user_b", memory=memory, repeats=1), tmp_path / memory, references=references)
        report = check_replay(tmp_path / memory)
        assert report.difference is None
        assert report.slots == report.places


def test_agents_that_say_they_differ_share_no_history() -> None:
    class Told(type(make_agent("random"))):  # type: ignore[misc]
        def __init__(self, model: str, chosen: str) -> None:
            made = make_agent(chosen)
            super().__init__(made.selector, name="told")  # type: ignore[attr-defined]
            self.fingerprint = {"model": model}

    references = References()
    config = RunConfig(persona="user_b", memory="none", repeats=1)
    hashes = []
    for model, chosen in (("a", "reader"), ("b", "random")):
        records = play_run(config, references=references, policy=Told(model, chosen))
        hashes.append([record["state_hash"] for record in records])
    assert hashes[0] != hashes[1]
