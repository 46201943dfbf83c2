from __future__ import annotations

from typing import Any

from mempa_gym.interaction.views import MemoryQuery
from mempa_gym.memory import FullMemory


def test_everything_but_the_session_in_play_is_returned(story: Any) -> None:
    memory = FullMemory()
    assert story.play(memory, story.session("a")) == ["", ""]
    first, second = story.play(memory, story.session("b", at="2026-03-03T10:00"))
    assert first == second
    assert first.splitlines() == [
        "[2026-03-02T09:00] USER: mark-a-0 word word word word word",
        "[2026-03-02T09:00] PA: Done.",
        "[2026-03-02T09:00] USER: mark-a-1 word word word word word",
        "[2026-03-02T09:00] PA: Done.",
    ]
    third = story.play(memory, story.session("c", 1, at="2026-03-04T10:00"))[0]
    assert [block.count("USER") for block in third.split("\n\n")] == [2, 2]
    assert third.startswith(first)


def test_a_probe_keeps_the_history(story: Any, ask: MemoryQuery) -> None:
    memory = FullMemory()
    story.play(memory, story.session("a"))
    before = memory.recall(ask)
    memory.prepare_checkpoint("2026-03-05T10:00")
    memory.without_conversation()
    assert memory.recall(ask) == before != ""


def test_a_new_session_closes_one_that_was_left_open(story: Any) -> None:
    memory = FullMemory()
    story.play(memory, story.session("a"), end=False)
    assert memory.recall(MemoryQuery("2026-03-02T10:00", "")) == ""
    memory.write(story.session("b")[0])
    assert "mark-a-1" in memory.recall(MemoryQuery("2026-03-02T10:00", ""))
    assert "mark-b-0" not in memory.recall(MemoryQuery("2026-03-02T10:00", ""))


def test_the_cache_follows_the_branch(story: Any, ask: MemoryQuery) -> None:
    memory = FullMemory()
    story.play(memory, story.session("a"))
    root = memory.get_state()
    story.play(memory, story.session("left"))
    left = memory.get_state()
    assert "mark-left-0" in memory.recall(ask)
    memory.set_state(root)
    story.play(memory, story.session("right"))
    assert "mark-left-0" not in memory.recall(ask)
    assert "mark-right-0" in memory.recall(ask)
    memory.set_state(left)
    assert "mark-right-0" not in memory.recall(ask)
