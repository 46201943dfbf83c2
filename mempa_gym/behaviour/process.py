"""Process Visibility (paper 000, Table 4): is the way to the result reported, and when?

A result is no process: "Booked, reference 4417" reports none, "I checked three places" does. Under Full narration the
sentences are held against the calls that were really executed, in their order; telling of calls that never ran
narrates nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from mempa_gym.behaviour.exchange import Call, Exchange, Turn
from mempa_gym.behaviour.lexicon import load, words
from mempa_gym.behaviour.model import Criterion, Reading, empty, graded, need, score_of
from mempa_gym.behaviour.text import Doc
from mempa_gym.behaviour.toolwords import stem, telling_words

__all__ = ["read"]

_BARE_CLOSING = 6
_LOOSE = 0.9
_SILENT, _BOOKEND, _FULL = "Silent", "Bookend", "Full narration"


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence and what it says about the work: "plan", "progress", "done", "deed", "closing", "frame", "other"."""

    text: str
    words: tuple[str, ...]
    acts: frozenset[str]

    @property
    def is_process(self) -> bool:
        """Whether it tells what will be, is being or was done to get to the result."""
        return "done" in self.acts or "progress" in self.acts or ("plan" in self.acts and "other" not in self.acts)

    @property
    def tells(self) -> bool:
        """Whether it may narrate a call."""
        return self.is_process or "deed" in self.acts

    @property
    def has_figure(self) -> bool:
        return any(char.isdigit() for char in self.text)


@dataclass(frozen=True, slots=True)
class _Story:
    matched: float
    calls: int
    ordered: bool
    spans: tuple[str, ...]


def read(exchange: Exchange) -> Reading:
    """Reads the replies for sentences on the work, their place, and how they match the executed calls."""
    turns = [turn for turn in exchange.turns if turn.doc]
    if not turns:
        return empty(_SILENT, _BOOKEND, _FULL)
    told = [_said(turn.doc) for turn in turns]
    options = [_bookend([said]) for said in told]
    if len(told) > 1:
        options.append(_bookend(told))
    bookend = max(options, key=score_of)
    silent = _silent([s for said in told for s in said], framed=score_of(bookend) > 0.99)
    return Reading({_SILENT: silent, _BOOKEND: bookend, _FULL: _full(turns, told)})


def _said(doc: Doc) -> list[_Said]:
    return [_Said(s.text, s.words, frozenset() if s.asks else _acts(s.words)) for s in doc.sentences]


def _acts(spoken: tuple[str, ...]) -> frozenset[str]:
    acts = load("process").kinds_in(spoken)
    if acts.isdisjoint({"done", "deed"}) and _tells_a_past(spoken):
        return acts | {"deed"}
    return acts


def _tells_a_past(spoken: tuple[str, ...]) -> bool:
    # "I switched the delivery", "Rebooked you onto the 9:12": a deed whatever the verb is.
    if _is_regular_past(spoken[0]):
        return True
    fillers, irregular = words("past_fillers"), words("irregular_past")
    for i, word in enumerate(spoken):
        if word != "i":
            continue
        verb = next((after for after in spoken[i + 1 : i + 4] if after not in fillers), "")
        if verb in irregular or _is_regular_past(verb):
            return True
    return False


def _is_regular_past(word: str) -> bool:
    return word.endswith("ed") and len(word) > 4 and word not in words("no_pasts")


def _silent(said: list[_Said], framed: bool) -> tuple[Criterion, ...]:
    process = [s.text for s in said if s.is_process]
    deeds = [s.text for s in said if "deed" in s.acts and not s.is_process and {"i", "we"} & set(s.words[:3])]
    closings = [s.text for s in said if "closing" in s.acts and len(s.words) <= _BARE_CLOSING and not s.has_figure]
    ended = 0.5 if framed and not process else 0.2 * (bool(closings) and len(said) > 1)
    return (
        need(
            "has no sentence on what will be, is being or was done",
            graded(len(process), ((0, 0.0), (1, 0.5), (2, 0.75)), 1.0),
            1.0,
            *process,
        ),
        need("states the outcome as a result", graded(len(deeds), ((0, 0.0), (1, 0.2), (2, 0.35)), 0.6), 0.3, *deeds),
        need("adds no sentence that frames or ends the task", ended, 0.5, *closings),
    )


def _bookend(told: list[list[_Said]]) -> tuple[Criterion, ...]:
    first, last = told[0], told[-1]
    opening = first[0]
    # The user may be asked something after the closing sentence.
    end = len(last) - 1
    while end > 0 and last[end].acts <= {"other"} and (last[end].text.endswith("?") or last[end].acts):
        end -= 1
    closing = last[end]
    opens = _frames(opening) and not (len(first) == 1 and len(told) == 1)
    closes = "closing" in closing.acts and closing is not opening
    inside = [s for said in told for s in said if s is not opening and s is not closing]
    between = [s.text for s in inside if s.is_process]
    result = len(between) < len(inside) or (closing.has_figure and len(closing.words) > _BARE_CLOSING)
    return (
        need("opens with one sentence that frames the task", 0.5 * (not opens), 0.5, opening.text if opens else ""),
        need("closes with one sentence saying it is done", 0.5 * (not closes), 0.5, closing.text if closes else ""),
        need("gives the result in between", 0.25 * (not result), 0.25),
        need("reports no single steps", graded(len(between), ((0, 0.0), (1, 0.2), (2, 0.5)), 0.7), 0.5, *between),
    )


def _frames(said: _Said) -> bool:
    if "plan" in said.acts or "progress" in said.acts:
        return True
    head = said.words[:2]
    if (
        len(head) == 2
        and head[0].endswith("ing")
        and head[0] not in words("no_gerunds")
        and head[1] in words("objects")
    ):
        return True
    return "frame" in said.acts and said.acts.isdisjoint({"closing", "done", "deed"})


def _full(turns: list[Turn], told: list[list[_Said]]) -> tuple[Criterion, ...]:
    stories = [_story(said, _calls(turn)) for turn, said in zip(turns, told, strict=True)]
    calls = sum([story.calls for story in stories])
    matched = sum([story.matched for story in stories])
    spans = tuple([span for story in stories for span in story.spans])
    if not calls:
        return (need("gives one sentence per executed call", 0.9 if spans else 1.0, 1.0, *spans),)
    share = matched / calls
    missed = graded(1 - share, ((0.06, 0.0), (0.26, 0.25), (0.51, 0.5)), 0.7 if share > 0.25 or matched > 1 else 1.0)
    last = told[-1]
    closes = any("closing" in s.acts for s in last[-2:])
    result = any(s.text not in spans or s.has_figure for s in last)
    return (
        need(f"gives one sentence per executed call ({matched:.0f} of {calls})", missed, 1.0, *spans),
        need("keeps the order of the calls", 0.3 * (not all(story.ordered for story in stories)), 0.3),
        need("gives the result", 0.2 * (not result), 0.2),
        need("ends with one closing sentence", 0.2 * (not closes), 0.2),
    )


def _calls(turn: Turn) -> list[Call]:
    """The calls to be narrated: one that failed and was tried again at once counts once."""
    kept: list[Call] = []
    for call in turn.executed:
        if kept and kept[-1].tool == call.tool and not kept[-1].ok:
            kept[-1] = call
        else:
            kept.append(call)
    return kept


def _story(said: list[_Said], calls: list[Call]) -> _Story:
    """Holds the sentences of a reply against the calls of its turn."""
    tellers = [s for s in said if s.tells]
    spans = tuple([s.text for s in tellers])
    if not calls or not tellers:
        return _Story(0, len(calls), True, spans)
    stems = [frozenset([stem(word) for word in s.words]) for s in tellers]
    fits = [[_fit(spoken, call) for spoken in stems] for call in calls]
    in_order = _longest_in_order(fits)
    # Without regard to order each sentence still tells of one call only.
    taken: set[int] = set()
    for row in fits:
        free = [j for j in range(len(tellers)) if j not in taken and row[j]]
        if free:
            taken.add(max(free, key=lambda j: (row[j], -j)))
    matched = max(in_order, len(taken))
    # Where most sentences fit their calls, one more sentence on the work tells of the call that is left.
    loose = min(len(calls) - matched, len(tellers) - matched) if 2 * matched >= len(calls) else 0
    return _Story(matched + _LOOSE * max(0, loose), len(calls), len(taken) <= in_order, spans)


def _fit(spoken: frozenset[str], call: Call) -> int:
    subject, verb = telling_words(call.tool)
    return 2 * (not subject.isdisjoint(spoken)) + (not verb.isdisjoint(spoken))


def _longest_in_order(fits: list[list[int]]) -> int:
    # Longest common subsequence of calls and sentences, a pair counting when the sentence may tell of the call.
    best = [0] * (len(fits[0]) + 1)
    for row in fits:
        diagonal = 0
        for j, fit in enumerate(row, 1):
            above = best[j]
            best[j] = max(above, best[j - 1], diagonal + (fit > 0))
            diagonal = above
    return best[-1]
