"""What every memory has to hold, whatever it stores."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from typing import Any

import pytest

from mempa_gym.errors import DataError, RunError
from mempa_gym.interaction.views import MemoryQuery
from mempa_gym.memory import FileMemory, MemorySystem, build, memory_names

NAMES = memory_names()
STORING = ("full", "file")


def make(name: str) -> MemorySystem:
    return build(name, trigger=900, target=450, system_tokens=20) if name == "file" else build(name)


def evidence(memory: MemorySystem) -> str:
    return memory.recall(MemoryQuery("2026-06-30T12:00", "What now?"))


def day(number: int) -> str:
    return f"2026-{3 + number // 28:02d}-{1 + number % 28:02d}T10:00"


def fill(story: Any, memory: MemorySystem, sessions: int = 12) -> None:
    for number in range(sessions):
        story.play(memory, story.session(f"s{number}", 3, at=day(number), words=20))


@pytest.mark.parametrize("name", NAMES)
def test_it_follows_the_protocol(name: str) -> None:
    assert isinstance(make(name), MemorySystem)
    assert make(name).accumulates == (name in STORING)


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_memory_returns_an_empty_text(name: str) -> None:
    assert evidence(make(name)) == ""


@pytest.mark.parametrize("name", NAMES)
def test_a_state_is_a_reference_and_is_never_changed(story: Any, name: str) -> None:
    memory = make(name)
    fill(story, memory)
    state = memory.get_state()
    assert memory.get_state() is state
    before = json.dumps(memory.dump(state))
    fill(story, memory)
    story.play(memory, story.session("later"))
    memory.prepare_checkpoint("2026-06-30T12:00")
    memory.without_conversation()
    memory.reset()
    assert json.dumps(memory.dump(state)) == before


@pytest.mark.parametrize("name", STORING)
def test_branches_do_not_see_each_other(story: Any, name: str) -> None:
    trunk = make(name)
    fill(story, trunk, 4)
    state, before = trunk.get_state(), evidence(trunk)
    branches = []
    for mark in ("left", "right"):
        memory = make(name)
        memory.set_state(state)
        story.play(memory, story.session(mark, 2))
        branches.append(memory)
    assert "mark-left" in evidence(branches[0])
    assert "mark-right" not in evidence(branches[0])
    assert "mark-right" in evidence(branches[1])
    assert "mark-left" not in evidence(branches[1])
    assert evidence(trunk) == before


@pytest.mark.parametrize("name", STORING)
def test_two_memories_share_nothing(story: Any, name: str) -> None:
    first, second = make(name), make(name)
    story.play(first, story.session("ZEBRA"))
    first.prepare_checkpoint("2026-03-02T12:00")
    story.play(second, story.session("other"))
    assert "ZEBRA" not in evidence(second) + json.dumps(second.dump(second.get_state()))


@pytest.mark.parametrize("name", NAMES)
def test_a_reset_forgets_everything(story: Any, name: str) -> None:
    memory = make(name)
    fill(story, memory)
    evidence(memory)
    memory.reset()
    fresh = make(name)
    assert memory.dump(memory.get_state()) == fresh.dump(fresh.get_state())
    assert evidence(memory) == ""
    # The same ids count as new ones again.
    fill(story, memory, 2)
    fill(story, fresh, 2)
    assert evidence(memory) == evidence(fresh)


@pytest.mark.parametrize("name", STORING)
def test_a_turn_sent_again_is_stored_once_and_an_equal_turn_is_another(story: Any, name: str) -> None:
    memory = make(name)
    turns = [story.turn("1", "mark-same", new_session=True), story.turn("2", "mark-same")]
    story.play(memory, [turns[0], turns[0], turns[1], turns[0], turns[1]])
    state = memory.get_state()
    for turn in turns:
        memory.write(turn)
    assert memory.get_state() is state
    assert evidence(memory).count("mark-same") == 2


@pytest.mark.parametrize("name", STORING)
def test_a_turn_sent_again_after_a_restart_is_stored_once(story: Any, name: str) -> None:
    memory = make(name)
    fill(story, memory)
    again = make(name)
    again.set_state(again.load(json.loads(json.dumps(memory.dump(memory.get_state())))))
    before = again.get_state()
    for number in range(12):
        for record in story.session(f"s{number}", 3, at=day(number), words=20):
            again.write(record)
    assert again.get_state() is before


@pytest.mark.parametrize("name", NAMES)
def test_a_dump_read_back_is_the_same_state(story: Any, name: str) -> None:
    memory = make(name)
    fill(story, memory)
    story.play(memory, story.session("open"), end=False)
    if hasattr(memory, "reveal"):
        memory.reveal("verbosity", "Terse")
    state = memory.get_state()
    data = json.loads(json.dumps(memory.dump(state)))
    other = make(name)
    assert other.load(data) == state
    other.set_state(other.load(data))
    assert evidence(other) == evidence(memory)
    story.play(other, story.session("next"))
    story.play(memory, story.session("next"))
    assert other.get_state() == memory.get_state()


@pytest.mark.parametrize("name", NAMES)
def test_damaged_data_is_refused(name: str) -> None:
    memory = make(name)
    good = memory.dump(memory.get_state())
    damaged: tuple[Any, ...] = (
        None,
        [],
        {},
        {**good, "format": 99},
        {**good, "more": 1},
        {**good, "state": None},
        {**good, "state": {**good["state"], "more": 1}},
        {**good, "state": dict.fromkeys(good["state"], 3.5)},
        {**good, "state": {key: object() for key in good["state"]}},
    )
    for bad in damaged:
        with pytest.raises(DataError):
            memory.load(bad)


def test_a_state_of_another_memory_or_other_options_is_refused(story: Any) -> None:
    memory = build("file")
    data = memory.dump(memory.get_state())
    with pytest.raises(RunError, match="saved with memory 'file', this memory has 'full'"):
        build("full").load(data)
    with pytest.raises(RunError, match="saved with trigger 20000, this memory has 15000"):
        build("file", trigger=15_000).load(data)
    with pytest.raises(RunError, match=r"consolidator 'offline\(keep=6"):
        build("file", keep=3).load(data)
    for name in NAMES:
        with pytest.raises(RunError, match="cannot take a state"):
            build(name).set_state(("wrong",))
    with pytest.raises(RunError):
        build("full").set_state(memory.get_state())


@pytest.mark.parametrize("name", NAMES)
def test_it_can_be_copied_and_pickled_in_the_middle(story: Any, name: str) -> None:
    memory = make(name)
    fill(story, memory, 120)
    story.play(memory, story.session("open"), end=False)
    for twin in (copy.deepcopy(memory), pickle.loads(pickle.dumps(memory))):
        assert twin.get_state() == memory.get_state()
        story.play(twin, story.session("only-the-twin"))
        assert "only-the-twin" not in evidence(memory)


_SCRIPT = """
import json, sys
sys.path.insert(0, sys.argv[1])
from conftest import Story
from mempa_gym.memory import build
story = Story()
out = {}
for name in ("full", "file"):
    memory = build(name, trigger=900, target=450) if name == "file" else build(name)
    for n in range(12):
        turns = story.session(f"s{n}", 3, at=f"2026-03-{n + 1:02d}T10:00", words=20)
        steps = [story.selection("verbosity", "Terse"), story.call(text="x", b=1, a=2)]
        talk = "ask Renee, ask Marco, ask Ines about the stopcock, gravel, soup, tent, lamp, mast, kelp, drum, yarn"
        turns.insert(1, story.turn(f"s{n}.pick", talk, at=turns[0].at, steps=steps))
        story.play(memory, turns)
    memory.prepare_checkpoint("2026-04-01T10:00")
    out[name] = [memory.dump(memory.get_state()), getattr(memory, "memory_text", "")]
print(json.dumps(out))
"""


def test_hash_seed_clock_zone_and_folder_do_not_show(tmp_path: Any) -> None:
    empty = tmp_path / "home"
    empty.mkdir()
    outputs = []
    for seed, zone in (("1", "Pacific/Kiritimati"), ("2", "America/Los_Angeles")):
        result = subprocess.run(
            [sys.executable, "-c", _SCRIPT, os.path.dirname(__file__)],
            env={**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "HOME": str(empty), "PYTHONDONTWRITEBYTECODE": "1"},
            cwd=empty,
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.append(result.stdout)
    assert outputs[0] == outputs[1]
    assert "IX_verbosity Terse" in outputs[0]
    assert list(empty.iterdir()) == []


def test_a_checkpoint_costs_the_same_in_a_long_history(story: Any) -> None:
    memory = FileMemory()
    fill(story, memory, 3)
    early = memory.get_state()
    for number in range(200):
        story.play(memory, story.session(f"long{number}", 2, words=40))
    late = memory.get_state()
    # A checkpoint is one reference, and what was written before it is shared, not copied.
    assert late is memory.get_state()
    memory.set_state(early)
    assert memory.get_state() is early
    memory.set_state(late)
    memory.write(story.turn("one more", "Hi"))
    after: Any = memory.get_state()
    kept: Any = late
    assert after.memory is kept.memory
    assert all(new is old for new, old in zip(after.past, kept.past, strict=True))
    assert all(new is old for new, old in zip(after.history, kept.history, strict=True))
    assert len(after.seen) < 12
