"""Process Visibility (paper 000, Table 4): is the way to the result reported, and when?

A result is no process: "Booked, reference 4417" reports none, "I checked three places" does. Under Full narration the sentences
are held against the calls that were really executed, in their order; telling of calls that never ran narrates nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from mempa_gym.behaviour.exchange import Call, Exchange, Turn
from mempa_gym.behaviour.lexicon import load
from mempa_gym.behaviour.model import Criterion, Reading, need, score_of
from mempa_gym.behaviour.text import Doc
from mempa_gym.behaviour.toolwords import stem, telling_words

__all__ = ["read"]


@dataclass(frozen=True, slots=True)
class _Said:
    place: int
    text: str
    words: tuple[str, ...]
    acts: frozenset[str]


def _sentences(doc: Doc) -> list[_Said]:
    lexicon = load("process")
    return [
        _Said(i, s.text, s.words, frozenset() if s.asks else lexicon.kinds_in(s.words))
        for i, s in enumerate(doc.sentences)
    ]


def _is_process(said: _Said) -> bool:
    acts = said.acts
    if "done" in acts or "progress" in acts:
        return True
    return "plan" in acts and "other" not in acts


def _calls(turn: Turn) -> list[Call]:
    """The calls to be narrated: one that failed and was tried again at once counts once."""
    kept: list[Call] = []
    for call in turn.executed:
        if kept and kept[-1].tool == call.tool and not kept[-1].ok:
            kept[-1] = call
        else:
            kept.append(call)
    return kept


@dataclass(frozen=True, slots=True)
class _Told:
    matched: int
    calls: int
    ordered: bool
    spans: tuple[str, ...]


def _narration(said: list[_Said], calls: list[Call]) -> _Told:
    """Holds the sentences of a reply against the calls of its turn."""
    tellers = [s for s in said if ("done" in s.acts or "progress" in s.acts or "deed" in s.acts or _is_process(s))]
    if not calls or not tellers:
        return _Told(0, len(calls), True, tuple(s.text for s in tellers))
    fits = [[_fit(s, call) for s in tellers] for call in calls]
    in_order = _longest_in_order(fits)
    # Without regard to order, each sentence tells of one call.
    free: set[int] = set()
    for row in fits:
        best = max(
            (j for j in range(len(tellers)) if j not in free and row[j] > 0), key=lambda j: (row[j], -j), default=-1
        )
        if best >= 0:
            free.add(best)
    return _Told(max(in_order, len(free)), len(calls), len(free) <= in_order, tuple(s.text for s in tellers))


def _fit(said: _Said, call: Call) -> int:
    domain, verb = telling_words(call.tool)
    words = {stem(word) for word in said.words}
    if words & domain and words & verb:
        return 3
    if words & domain:
        return 2
    return 1 if words & verb else 0


def _longest_in_order(fits: list[list[int]]) -> int:
    # Longest common subsequence of calls and sentences, a pair counting when the sentence may tell of the call.
    width = len(fits[0])
    best = [0] * (width + 1)
    for row in fits:
        previous = 0
        for j in range(width):
            held = best[j + 1]
            best[j + 1] = max(best[j + 1], best[j], previous + (row[j] > 0))
            previous = held
    return best[-1]


def read(exchange: Exchange) -> Reading:
    """Reads the replies for sentences on the work, their place, and how they match the executed calls."""
    turns = [turn for turn in exchange.turns if turn.doc]
    if not turns:
        empty = (need("gives the result", 1.0, 1.0),)
        return Reading(
            {"Silent": empty, "Bookend": empty, "Full narration": empty}, shows=False, why_not="the reply is empty"
        )
    told = [_sentences(turn.doc) for turn in turns]
    every = [s for said in told for s in said]
    process = [s for s in every if _is_process(s)]
    deeds = [s for s in every if "deed" in s.acts and not _is_process(s) and _first_person(s)]
    closings = [s for s in every if _is_bare_closing(s)]

    count = len(process)
    lost = 0.0 if not count else 0.5 if count == 1 else 0.75 if count == 2 else 1.0
    extra = 0.0 if not deeds else 0.2 if len(deeds) == 1 else 0.35 if len(deeds) == 2 else 0.6
    options = [_bookend([said]) for said in told]
    if len(told) > 1:
        options.append(_bookend(told))
    bookend = max(options, key=score_of)
    framed = score_of(bookend) >= 0.99
    ended = 0.5 if framed and not count else 0.2 if closings and len(every) > 1 else 0.0
    silent = (
        need("has no sentence on what will be, is being or was done", lost, 1.0, *(s.text for s in process)),
        need("states the outcome as a result", extra, 0.3, *(s.text for s in deeds)),
        need("adds no sentence that it is finished", ended, 0.5, *(s.text for s in closings)),
    )
    narrated = _full(turns, told)
    return Reading({"Silent": silent, "Bookend": bookend, "Full narration": narrated})


def _first_person(said: _Said) -> bool:
    return "i" in said.words[:3] or "we" in said.words[:2]


def _is_bare_closing(said: _Said) -> bool:
    return "closing" in said.acts and len(said.words) <= 6 and not any(word[0].isdigit() for word in said.words)


def _bookend(told: list[list[_Said]]) -> tuple[Criterion, ...]:
    first, last = told[0], told[-1]
    opening = first[0]
    # The user may be asked something after the closing sentence.
    end = len(last) - 1
    while end > 0 and (not last[end].acts or last[end].acts <= {"other"}) and _puts_question(last[end]):
        end -= 1
    closing = last[end]
    opens = _frames(opening) and not (len(first) == 1 and len(told) == 1)
    closes = "closing" in closing.acts and not (closing is opening)
    inside = [s for said in told for s in said if s is not opening and s is not closing]
    between = [s for s in inside if _is_process(s)]
    result = [s for s in inside if not _is_process(s)] or (
        any(ch.isdigit() for ch in closing.text) and len(closing.words) > 6
    )
    narrated = 0.0 if not between else 0.2 if len(between) == 1 else 0.5 if len(between) == 2 else 0.7
    return (
        need("opens with one sentence that frames the task", 0.0 if opens else 0.5, 0.5, opening.text if opens else ""),
        need("closes with one sentence saying it is done", 0.0 if closes else 0.5, 0.5, closing.text if closes else ""),
        need("gives the result in between", 0.0 if result else 0.25, 0.25),
        need("reports no single steps", narrated, 0.5, *(s.text for s in between)),
    )


def _puts_question(said: _Said) -> bool:
    return said.text.rstrip().endswith("?") or "other" in said.acts


def _frames(said: _Said) -> bool:
    acts = said.acts
    if "plan" in acts or "progress" in acts:
        return True
    return "frame" in acts and "closing" not in acts and "done" not in acts and "deed" not in acts


def _full(turns: list[Turn], told: list[list[_Said]]) -> tuple[Criterion, ...]:
    stories = [_narration(said, _calls(turn)) for turn, said in zip(turns, told, strict=True)]
    calls = sum(story.calls for story in stories)
    matched = sum(story.matched for story in stories)
    spans = tuple(span for story in stories for span in story.spans)
    if not calls:
        return (need("gives one sentence per executed call", 0.85 if spans else 1.0, 1.0, *spans),)
    share = matched / calls
    missed = (
        0.0
        if share >= 1
        else 0.25
        if share >= 0.75
        else 0.5
        if share >= 0.5
        else 0.7
        if share > 0.25 or matched > 1
        else 1.0
    )
    ordered = all(story.ordered for story in stories)
    last = told[-1]
    closes = any("closing" in s.acts for s in last[-2:])
    teller = set(spans)
    result = any(s.text not in teller for s in last) or any(any(ch.isdigit() for ch in s.text) for s in last)
    return (
        need(f"gives one sentence per executed call ({matched} of {calls})", missed, 1.0, *spans),
        need("keeps the order of the calls", 0.0 if ordered else 0.3, 0.3),
        need("gives the result", 0.0 if result else 0.2, 0.2),
        need("ends with one closing sentence", 0.0 if closes else 0.2, 0.2),
    )
