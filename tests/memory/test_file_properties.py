from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from mempa_gym.interaction.views import MemoryQuery, Step, TurnRecord
from mempa_gym.memory import ConsolidationFailure, ConsolidationResult, FileMemory, OfflineConsolidator
from mempa_gym.memory.ids import contains, with_id

# One move of a timeline: a turn of some size, a turn sent again, the end of a session, or a checkpoint.
MOVES = st.lists(
    st.one_of(
        st.tuples(st.just("turn"), st.integers(0, 400)),
        st.tuples(st.just("new"), st.integers(0, 400)),
        st.tuples(st.just("again"), st.integers(0, 20)),
        st.tuples(st.just("end"), st.just(0)),
        st.tuples(st.just("checkpoint"), st.just(0)),
    ),
    max_size=40,
)
TIMES = [f"2026-12-{28 + n // 3:02d}T{8 + n % 3:02d}:00" for n in range(12)] + [
    f"2027-01-{1 + n:02d}T08:00" for n in range(28)
]


class Flaky:
    """Keeps what it was given; fails wherever the pattern says so."""

    name = "flaky"

    def __init__(self, pattern: list[bool]) -> None:
        self.pattern = pattern
        self.calls = 0
        self.accepted: list[str] = []

    def propose(self, memory_text: str, lines: tuple[str, ...], now: str) -> Any:
        self.calls += 1
        if self.pattern and self.pattern[self.calls % len(self.pattern)]:
            return ConsolidationFailure("error", "down")
        self.accepted += lines
        return ConsolidationResult("ok", memory_text + f"- call {self.calls}\n")


def record(number: int, size: int, *, new: bool) -> TurnRecord:
    text = f"mark-{number}. " + "word " * size
    return TurnRecord(str(number), TIMES[number % len(TIMES)], text, None, (), "Done.", new_session=new)


def stored(memory: FileMemory, accepted: list[str]) -> Counter[str]:
    state: Any = memory.get_state()
    tail = [turn.text for turn in (*state.past, *state.current)]
    return Counter(re.findall(r"mark-\d+", "\n".join([*accepted, memory.history_text, *tail])))


@given(MOVES, st.lists(st.booleans(), max_size=5))
@settings(max_examples=60)
def test_nothing_is_lost_or_doubled_and_the_pointer_only_moves_on(
    moves: list[tuple[str, int]], failing: list[bool]
) -> None:
    double = Flaky([] if all(failing) and failing else failing)
    memory = FileMemory(trigger=1_500, target=700, system_tokens=10, consolidator=double)
    written: list[TurnRecord] = []
    pointer, history = 0, ""
    for kind, size in moves:
        now = TIMES[len(written) % len(TIMES)]
        if kind in ("turn", "new"):
            turn = record(len(written), size, new=kind == "new")
            memory.recall(MemoryQuery(turn.at, turn.user))
            memory.write(turn)
            written.append(turn)
        elif kind == "again" and written:
            memory.write(written[size % len(written)])
        elif kind == "end":
            memory.end_session(now)
        elif kind == "checkpoint":
            memory.prepare_checkpoint(now)
            assert memory.stats()["waiting"] == 0
        assert int(memory.stats()["archived"]) >= pointer
        pointer = int(memory.stats()["archived"])
        assert memory.history_text.startswith(history)
        history = memory.history_text
        assert pointer + int(memory.stats()["waiting"]) == len(written)
        assert memory.prompt_tokens < 1_500 or int(memory.stats()["waiting"]) == 1 or failing
    assert stored(memory, double.accepted) == Counter(f"mark-{n}" for n in range(len(written)))
    assert set(re.findall(r"^\[(.*?)\]", memory.history_text, re.MULTILINE)) <= set(TIMES)


@given(MOVES)
@settings(max_examples=40)
def test_the_tail_is_counted_right_at_every_step(moves: list[tuple[str, int]]) -> None:
    memory = FileMemory(trigger=1_500, target=700, system_tokens=10, consolidator=Flaky([]))
    for number, (kind, size) in enumerate(moves):
        if kind in ("turn", "new"):
            memory.write(record(number, size, new=kind == "new"))
        elif kind == "end":
            memory.end_session(TIMES[0])
        state: Any = memory.get_state()
        assert state.tail_tokens == sum(turn.tokens for turn in (*state.past, *state.current))
        sessions = [turn.session for turn in (*state.past, *state.current)]
        assert sessions == sorted(sessions)


@given(MOVES, MOVES, MOVES)
@settings(max_examples=30)
def test_a_branch_is_as_if_the_other_had_never_been(
    trunk: list[tuple[str, int]], left: list[tuple[str, int]], right: list[tuple[str, int]]
) -> None:
    def play(memory: FileMemory, moves: list[tuple[str, int]], start: int) -> str:
        shown = []
        for number, (kind, size) in enumerate(moves, start):
            if kind in ("turn", "new"):
                turn = record(number, size, new=kind == "new")
                shown.append(memory.recall(MemoryQuery(turn.at, turn.user)))
                memory.write(turn)
            elif kind == "end":
                memory.end_session(TIMES[0])
            elif kind == "checkpoint":
                memory.prepare_checkpoint(TIMES[0])
        return json.dumps([shown, memory.dump(memory.get_state())])

    def fresh() -> FileMemory:
        return FileMemory(trigger=1_500, target=700, system_tokens=10, consolidator=OfflineConsolidator())

    shared = fresh()
    play(shared, trunk, 0)
    state = shared.get_state()
    first = play(shared, left, 100)
    shared.set_state(state)
    second = play(shared, right, 200)
    for moves, start, seen in ((left, 100, first), (right, 200, second)):
        alone = fresh()
        play(alone, trunk, 0)
        assert play(alone, moves, start) == seen


_WORDS = st.text(st.characters(), max_size=60)


@given(st.lists(st.tuples(_WORDS, _WORDS, st.sampled_from(["Terse", "Detailed", "", "Loud"])), max_size=12))
@settings(max_examples=40)
def test_any_talk_can_be_consolidated_offline(turns: list[tuple[str, str, str]]) -> None:
    memory = FileMemory(trigger=400, target=200, system_tokens=10)
    for number, (user, reply, setting) in enumerate(turns):
        step = Step("IX_verbosity", {"setting": setting}, bool(setting), "ok", False)
        memory.write(TurnRecord(str(number), TIMES[number], user, None, (step,), reply, new_session=number % 3 == 0))
    memory.prepare_checkpoint(TIMES[-1])
    assert memory.stats()["failures"] == 0
    assert memory.stats()["waiting"] == 0
    noted = re.findall(r"^- \[.*?\] IX_verbosity (\w+)", memory.memory_text, re.MULTILINE)
    assert set(noted) <= {"Terse", "Detailed"}
    assert len(noted) <= 6


@given(st.lists(st.text(max_size=4)))
def test_an_id_set_is_a_set(values: list[str]) -> None:
    ids: tuple[frozenset[str], ...] = ()
    seen: set[str] = set()
    for value in values:
        assert contains(ids, value) == (value in seen)
        if value not in seen:
            ids = with_id(ids, value)
            seen.add(value)
    assert sorted(member for part in ids for member in part) == sorted(seen)
    assert len(ids) <= max(1, len(seen)).bit_length()
