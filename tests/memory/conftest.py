"""Makers of turns and doubles of a consolidator, shared by the tests of every memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from mempa_gym.interaction.views import MemoryQuery, Step, TurnRecord
from mempa_gym.memory import ConsolidationResult, MemorySystem
from mempa_gym.memory.answers import Outcome

DAY = "2026-03-02"


@dataclass
class Recorder:
    """A consolidator that remembers what it was given and answers from a list, then with notes that grow by a line."""

    answers: list[Any] = field(default_factory=list)
    name: str = "recorder"
    chunks: list[tuple[str, ...]] = field(default_factory=list)
    memories: list[str] = field(default_factory=list)
    times: list[str] = field(default_factory=list)

    def propose(self, memory_text: str, lines: tuple[str, ...], now: str) -> Outcome:
        self.chunks.append(lines)
        self.memories.append(memory_text)
        self.times.append(now)
        if self.answers:
            answer = self.answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer  # type: ignore[no-any-return]
        return ConsolidationResult(f"chunk {len(self.chunks)}", f"{memory_text}- chunk {len(self.chunks)}\n")


class Story:
    """Plays turns into a memory the way the harness does."""

    def turn(
        self, id: str, text: str = "", *, at: str = f"{DAY}T09:00", steps: Sequence[Step] = (), **fields: Any
    ) -> TurnRecord:
        """Returns a record whose user message is `text` and whose reply is a short fixed one."""
        values = {"event": None, "reply": "Done.", "new_session": False, **fields}
        return TurnRecord(turn_id=id, at=at, user=text, steps=tuple(steps), **values)

    def selection(self, attribute: str, setting: str) -> Step:
        return Step(f"IX_{attribute}", {"setting": setting}, True, '{"status": "selected"}', False)

    def call(self, tool: str = "message_read", text: str = '{"id": "msg_1"}', **arguments: Any) -> Step:
        return Step(tool, arguments, True, text, True)

    def play(self, memory: MemorySystem, session: Sequence[TurnRecord], *, end: bool = True) -> list[str]:
        """Plays one session and returns the evidence of each of its turns."""
        seen = []
        for record in session:
            seen.append(memory.recall(MemoryQuery(record.at, record.user or record.event or "")))
            memory.write(record)
        if end:
            memory.end_session(session[-1].at)
        return seen

    def session(self, name: str, turns: int = 2, *, at: str = f"{DAY}T09:00", words: int = 5) -> list[TurnRecord]:
        """Returns a session whose messages are unique words, about `words` tokens each."""
        return [
            self.turn(f"{name}.{n}", " ".join([f"mark-{name}-{n}", *["word"] * words]), at=at, new_session=n == 0)
            for n in range(turns)
        ]


@pytest.fixture(scope="session")
def story() -> Story:
    return Story()


@pytest.fixture(scope="session")
def recorder() -> Callable[..., Recorder]:
    return Recorder


@pytest.fixture(scope="session")
def ask() -> MemoryQuery:
    return MemoryQuery("2026-06-30T12:00", "What now?")
