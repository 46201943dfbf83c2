from __future__ import annotations

import pytest

from mempa_gym.errors import InvalidOptionError, UnknownNameError
from mempa_gym.memory import FileMemory, MemorySystem, build, memory_names


def test_every_name_builds_a_memory_of_that_name() -> None:
    assert memory_names() == ("none", "oracle", "full", "file")
    for name in memory_names():
        memory = build(name)
        assert isinstance(memory, MemorySystem)
        assert memory.name == name
        assert build(name) is not memory


def test_unknown_names_are_answered_with_the_nearest_and_all_of_them() -> None:
    with pytest.raises(UnknownNameError) as caught:
        build("flie")
    message = str(caught.value)
    assert "Did you mean 'file'?" in message
    assert "'none', 'oracle', 'full', 'file'" in message
    assert "Not available yet: rag, mem0, memos, ledger" in message


@pytest.mark.parametrize("name", ["rag", "mem0", "memos", "ledger"])
def test_announced_memories_say_that_they_are_not_there_yet(name: str) -> None:
    with pytest.raises(UnknownNameError, match=f"'{name}' is not available yet"):
        build(name)


@pytest.mark.parametrize("name", ["", None, 3, ["file"]])
def test_a_name_of_another_kind_is_refused(name: object) -> None:
    with pytest.raises(UnknownNameError):
        build(name)  # type: ignore[arg-type]


def test_options_reach_the_memory() -> None:
    memory = build("file", trigger=900, target=400, flush=False, keep=2, system_tokens=10)
    assert isinstance(memory, FileMemory)
    assert dict(memory.options) == {
        "trigger": 900,
        "target": 400,
        "flush": False,
        "count_tools": False,
        "system_tokens": 10,
        "consolidator": "offline(keep=2, size=6000)",
    }


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("file", {"triger": 5}, "Did you mean 'trigger'"),
        ("full", {"trigger": 5}, "unknown option of the memory 'full'"),
        ("file", {"trigger": 0}, "trigger: got 0"),
        ("file", {"trigger": True}, "trigger: got True"),
        ("file", {"target": "10"}, "target: got '10'"),
        ("file", {"trigger": 5, "target": 6}, "above the trigger"),
        ("file", {"keep": -1}, "keep: got -1"),
        ("file", {"flush": "false"}, "flush: got 'false'"),
        ("file", {"count_tools": 1}, "count_tools: got 1"),
        ("file", {"consolidator": "offline"}, "consolidator: got str"),
    ],
)
def test_options_that_cannot_be_used_are_refused(name: str, options: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        build(name, **options)
