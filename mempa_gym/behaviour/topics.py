"""Topic Management (paper 000, Table 4): all topics in one labelled reply, or one now and the others named as deferred?

Labels are recognised by layout: a line that begins with a short name and a colon, a heading, a bold lead, a numbered
item. Where the task lists its topics, their words and tools tell which were handled; otherwise they are read off the
request.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from mempa_gym.behaviour.exchange import Exchange, Topic, Turn
from mempa_gym.behaviour.lexicon import load, words
from mempa_gym.behaviour.model import Criterion, Reading, need
from mempa_gym.behaviour.text import Doc, Line, has_key, joined, words_of
from mempa_gym.behaviour.toolwords import telling_words

__all__ = ["read"]

_LABEL = re.compile(r"^([^\s:.!?][^:.!?\n]{0,48}?)\s*(?::|\s[–—-]\s)\s*(\S.*)?$")
_LED = re.compile(
    r"^(?:on|about|as for|regarding|for|re|with|concerning|then|next|first|second|third|finally|and|(?:topic|item) \w+)"
    r"\b",
    re.I,
)
_PIECE = re.compile(r"[,;:.?!\n]|\band\b|\balso\b|\bplus\b|\bthen\b")
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "couple": 2, "both": 2, "2": 2, "3": 3, "4": 4}
_LABEL_WORDS = 6
_TITLE_WORDS = 4
_STEM = 5


@dataclass(frozen=True, slots=True)
class _Layout:
    """Labelled groups, lines led in by "on ..." or "next ...", sentences that defer, and those that ask to go on."""

    groups: tuple[str, ...]
    led: int
    deferred: tuple[str, ...]
    onward: tuple[str, ...]

    @property
    def defers(self) -> bool:
        return bool(self.deferred) or (bool(self.onward) and len(self.groups) < 2)


@dataclass(frozen=True, slots=True)
class _Handled:
    """How many topics were raised and treated, and whether several were treated or several topics' calls were run."""

    raised: int
    covered: int
    several: bool
    calls_missing: bool
    calls_of_several: bool


def read(exchange: Exchange) -> Reading:
    """Reads the decision turn's layout and calls; topics taken up in later turns are what One-at-a-time promises."""
    doc = exchange.first.doc
    layout = _layout(doc)
    listed = len(exchange.task.topics) >= 2
    handled = _by_task(exchange, layout) if listed else _by_layout(exchange, layout)
    return Reading(
        {"Organize": _organize(layout, handled), "One-at-a-time": _one(layout, handled)},
        shows=bool(doc),
        why_not="the reply is empty",
    )


def _organize(layout: _Layout, h: _Handled) -> tuple[Criterion, ...]:
    groups = len(layout.groups)
    if h.covered < max(2, h.raised):
        missing = 0.6 if h.covered <= 1 else 0.45
    else:
        missing = 0.0
    if groups >= 2:
        unlabelled = 0.0 if groups >= min(h.raised, max(h.covered, 2)) else 0.2
    else:
        unlabelled = 0.3 if layout.led >= 2 else 0.4
    put_off = (0.4 if groups >= 2 else 0.6) if layout.defers else 0.0
    return (
        need("handles all raised topics in one reply", missing, 0.6, *layout.groups),
        need("groups and labels them", unlabelled, 0.4, *layout.groups),
        need("defers no topic", put_off, 0.6, *layout.deferred),
        need("runs the task calls of every topic", 0.3 * (h.calls_missing and not missing), 0.3),
    )


def _one(layout: _Layout, h: _Handled) -> tuple[Criterion, ...]:
    more = (0.75 if layout.defers else 1.0) if h.several else 0.0
    unnamed = 0.0 if layout.deferred else 0.12 if layout.onward else 0.5
    return (
        need("handles one topic only", more, 1.0, *layout.groups),
        need("runs only that topic's task calls", 0.4 * (h.calls_of_several and more < 1), 0.4),
        need("names the others as deferred", unnamed, 0.5, *layout.deferred),
        need("asks before moving on", 0.3 * (not layout.onward), 0.3, *layout.onward),
    )


def _by_task(exchange: Exchange, layout: _Layout) -> _Handled:
    turn, topics = exchange.first, exchange.task.topics
    covered = _treated(turn.doc, topics, layout)
    done = {call.tool for call in turn.executed if call.ok and call.writes}
    with_calls = [topic for topic in topics if topic.tools]
    ran = sum([not done.isdisjoint(topic.tools) for topic in with_calls])
    return _Handled(
        raised=len(topics),
        covered=covered,
        several=covered >= 2 and not (layout.defers and len(layout.groups) < 2 and ran < 2),
        calls_missing=bool(turn.executed) and ran < len(with_calls),
        calls_of_several=ran >= 2,
    )


def _by_layout(exchange: Exchange, layout: _Layout) -> _Handled:
    turn = exchange.first
    groups = len(layout.groups)
    guessed = _guessed(exchange)
    seen = _treated(turn.doc, guessed, layout)
    raised = _raised(exchange)
    loose = not layout.defers and groups < 2
    return _Handled(
        raised=raised or (len(guessed) if loose else 0),
        covered=max(groups if groups >= 2 else 0, layout.led, min(seen, 1) if layout.deferred else seen),
        several=groups >= 2 or (loose and (layout.led >= 2 or (seen >= 2 and not raised))),
        calls_missing=False,
        calls_of_several=groups >= 2 and _subjects(turn) >= 2,
    )


def _layout(doc: Doc) -> _Layout:
    lexicon = load("topics")
    deferred: list[str] = []
    onward: list[str] = []
    for sentence in doc.sentences:
        kinds = lexicon.kinds_in(sentence.words)
        if "none" in kinds:
            continue
        if sentence.asks:
            if kinds & {"go_on", "deferred"}:
                onward.append(sentence.text)
        elif "deferred" in kinds:
            deferred.append(sentence.text)
        elif "go_on" in kinds and sentence.words[0] in ("say", "tell", "let", "just"):
            onward.append(sentence.text)
    groups: dict[str, None] = {}
    led = 0
    for i, line in enumerate(doc.lines):
        if doc.sentences[line.start].text in deferred:
            continue
        label = _label(doc, i, line)
        if label:
            groups[label] = None
            groups.update(dict.fromkeys(_inline_labels(doc, line)))
        else:
            led += _LED.match(line.text) is not None
    return _Layout(tuple(groups), led, tuple(deferred), tuple(onward))


def _label(doc: Doc, i: int, line: Line) -> str:
    """Returns the name with which a line labels what follows it; empty when it labels nothing."""
    if line.text.split()[0].lower().strip(":") in words("no_labels"):
        return ""
    last = i + 1 == len(doc.lines)
    if line.kind == "heading":
        return "" if last else line.text.rstrip(": ")
    match = _LABEL.match(line.text)
    if match is None:
        return line.text if not last and _is_title(line, doc.lines[i + 1]) else ""
    size = len(match[1].split())
    if size > (_TITLE_WORDS if doc.sentences[line.start].asks or match[2] is None else _LABEL_WORDS):
        return ""
    # A lead-in with its list below is a label only when it is a name and not a clause.
    return "" if match[2] is None and last else match[1]


def _inline_labels(doc: Doc, line: Line) -> list[str]:
    # "Soil: four bags. Recital: Sunday at four." labels within one line.
    found = []
    for sentence in doc.sentences[line.start + 1 : line.end]:
        match = _LABEL.match(sentence.text)
        if match and match[2] and len(match[1].split()) <= _TITLE_WORDS and not sentence.asks:
            if match[1].split()[0].lower() not in words("no_labels"):
                found.append(match[1])
    return found


def _is_title(line: Line, below: Line) -> bool:
    # A short line without a full stop above the text it names.
    size = len(line.text.split())
    if line.kind != "prose" or size > _TITLE_WORDS or line.text[-1] in ".!?,;":
        return False
    return below.paragraph == line.paragraph and len(below.text.split()) > size


def _raised(exchange: Exchange) -> int:
    """How many topics the user says there are; 0 when the message does not say."""
    counted = words("topic_counts")
    spoken = words_of(exchange.user_message)
    return next((_COUNTS[word] for word, after in pairwise(spoken) if word in _COUNTS and after in counted), 0)


def _guessed(exchange: Exchange) -> tuple[Topic, ...]:
    """Returns the topics that the user's message seems to raise, when the task does not list them."""
    small = words("small")
    topics = []
    for piece in _PIECE.split(exchange.user_message.lower()):
        telling = [w for w in words_of(piece) if len(w) > 2 and w not in small and not w[0].isdigit()]
        if telling:
            topics.append(Topic(piece.strip(), tuple([f" {word[:_STEM]}" for word in telling]), ()))
    return tuple(topics) if len(topics) >= 2 else ()


def _treated(doc: Doc, topics: tuple[Topic, ...], layout: _Layout) -> int:
    # A sentence that only defers or asks to go on treats no topic.
    idle = {*layout.deferred, *layout.onward}
    spoken = [joined(sentence.words) for sentence in doc.sentences if sentence.text not in idle]
    return sum([any(has_key(text, topic.words) for text in spoken) for topic in topics])


def _subjects(turn: Turn) -> int:
    # How many different subjects the executed writes touch.
    return len({telling_words(call.tool)[0] for call in turn.executed if call.writes and call.ok})
