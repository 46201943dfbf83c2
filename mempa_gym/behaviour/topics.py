"""Topic Management (paper 000, Table 4): all topics in one labelled reply, or one now and the others named as deferred?

Labels are recognised by layout: a line that begins with a short name and a colon, a heading, a bold lead, a numbered item. Where
the task lists its topics, their words and tools tell which were handled.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mempa_gym.behaviour.exchange import Exchange, Task, Topic, Turn
from mempa_gym.behaviour.lexicon import load
from mempa_gym.behaviour.model import Reading, need
from mempa_gym.behaviour.speech import has_key, joined
from mempa_gym.behaviour.text import Doc, Line, Sentence, words_of
from mempa_gym.behaviour.toolwords import telling_words

__all__ = ["read"]

_LABEL = re.compile(r"^([^\s:.!?][^:.!?\n]{0,48}?)\s*(?::|\s[–—-]\s)\s*(\S.*)?$")
_ORDINAL = re.compile(
    r"^(?:on|about|as for|regarding|for|re|with|concerning|then|next|first|second|third|finally|and|topic \w+|item \w+)\b",
    re.I,
)
_NO_LABEL = frozenset(
    "still next waiting later remaining parked deferred pending note ps result answer draft subject to then also summary total when where who date time tip update reason please".split()
)
_COUNT = {"two": 2, "three": 3, "four": 4, "five": 5, "couple": 2, "both": 2, "2": 2, "3": 3, "4": 4}


@dataclass(frozen=True, slots=True)
class _Layout:
    groups: tuple[str, ...]
    led: tuple[str, ...]
    deferred: tuple[str, ...]
    onward: tuple[str, ...]


def _layout(doc: Doc) -> _Layout:
    lexicon = load("topics")
    groups: list[str] = []
    led: list[str] = []
    deferred: list[str] = []
    onward: list[str] = []
    for sentence in doc.sentences:
        kinds = lexicon.kinds_in(sentence.words)
        if "none" in kinds:
            continue
        if sentence.asks:
            if "go_on" in kinds or "deferred" in kinds:
                onward.append(sentence.text)
        elif "deferred" in kinds:
            deferred.append(sentence.text)
        elif "go_on" in kinds and sentence.words[0] in ("say", "tell", "let", "just"):
            onward.append(sentence.text)
    for i, line in enumerate(doc.lines):
        label = _label(doc, i, line)
        if label and not _speaks_of_waiting(doc, line, deferred):
            groups.append(label)
        elif _ORDINAL.match(line.text) and not _speaks_of_waiting(doc, line, deferred):
            led.append(line.text[:40])
    return _Layout(tuple(dict.fromkeys(groups)), tuple(led), tuple(deferred), tuple(onward))


def _label(doc: Doc, i: int, line: Line) -> str:
    if line.kind == "heading":
        follows = i + 1 < len(doc.lines)
        return line.text.rstrip(": ") if follows and line.text.split()[0].lower().strip(":") not in _NO_LABEL else ""
    match = _LABEL.match(line.text)
    if match is None:
        return line.text if _is_title(doc, i, line) else ""
    name = match[1]
    words = name.split()
    if len(words) > 6 or words[0].lower() in _NO_LABEL or doc.sentences[line.start].asks and len(words) > 4:
        return ""
    if match[2] is None:
        # A lead-in with its list below is a label only when it is a name and not a clause.
        return name if len(words) <= 4 and i + 1 < len(doc.lines) else ""
    return name


def _is_title(doc: Doc, i: int, line: Line) -> bool:
    # A short line without a full stop above the text it names.
    words = line.text.split()
    if line.kind != "prose" or len(words) > 4 or line.text[-1] in ".!?,;" or i + 1 >= len(doc.lines):
        return False
    below = doc.lines[i + 1]
    return (
        below.paragraph == line.paragraph and len(below.text.split()) > len(words) and words[0].lower() not in _NO_LABEL
    )


def _speaks_of_waiting(doc: Doc, line: Line, deferred: list[str]) -> bool:
    return any(doc.sentences[j].text in deferred for j in range(line.start, min(line.end, line.start + 1)))


def _raised(exchange: Exchange) -> int:
    """How many topics the user says there are; 0 when the message does not say."""
    words = exchange.user_words.split()
    for word, after in zip(words, words[1:], strict=False):
        if word in _COUNT and after in (
            "things",
            "topics",
            "items",
            "questions",
            "points",
            "matters",
            "errands",
            "jobs",
            "issues",
            "tasks",
            "of",
        ):
            return _COUNT[word]
    return 0


_PIECE = re.compile(r"[,;:.?!\n]|\band\b|\balso\b|\bplus\b|\bthen\b")
_SMALL = frozenset(
    "please could would with from that this them they what when where which have need want things three four check make sure find look also "
    "your mine thanks hello quick some about into tell know take still does been will should shall just like over back before after today "
    "tomorrow week there here get got put see can you the for and our out off now two one has let how too may via its was are".split()
)


def _guessed(exchange: Exchange) -> tuple[Topic, ...]:
    """Returns the topics that the user's message seems to raise, when the task does not list them."""
    topics = []
    for piece in _PIECE.split(exchange.user_message.lower()):
        stems = tuple(
            f" {word[:5]}" for word in words_of(piece) if len(word) > 2 and word not in _SMALL and not word[0].isdigit()
        )
        if stems:
            topics.append(Topic(piece.strip(), stems, ()))
    return tuple(topics) if len(topics) >= 2 else ()


def _about(sentence: Sentence, topic: Topic) -> bool:
    return has_key(joined(sentence.words), topic.words)


def _handled(turn: Turn, topics: tuple[Topic, ...], layout: _Layout) -> tuple[list[Topic], list[Topic], list[Topic]]:
    """Returns the topics treated, those only named as waiting, and those whose task calls ran."""
    treated, waiting, ran = [], [], []
    idle = set(layout.deferred) | set(layout.onward)
    tools = [call.tool for call in turn.executed if call.ok and call.writes]
    for topic in topics:
        said = [s for s in turn.doc.sentences if _about(s, topic)]
        if any(s.text not in idle for s in said):
            treated.append(topic)
        elif said:
            waiting.append(topic)
        if any(tool in tools for tool in topic.tools):
            ran.append(topic)
    return treated, waiting, ran


def _spread(turn: Turn) -> int:
    # How many different subjects the executed writes of a turn touch.
    subjects = {telling_words(call.tool)[0] for call in turn.executed if call.writes and call.ok}
    return len(subjects)


def read(exchange: Exchange) -> Reading:
    """Reads the decision turn's layout and calls; topics taken up in later turns are what One-at-a-time promises."""
    turn = exchange.first
    doc = turn.doc
    task: Task = exchange.task
    layout = _layout(doc)
    groups = len(layout.groups)
    raised = len(task.topics) or _raised(exchange)
    defers = bool(layout.deferred) or (bool(layout.onward) and groups <= 1)
    if len(task.topics) >= 2:
        treated, waiting, ran = _handled(turn, task.topics, layout)
        covered = len(treated)
        named = len(waiting)
        many = covered >= 2 and not (defers and groups <= 1 and len(ran) <= 1)
        callable_topics = [topic for topic in task.topics if topic.tools]
        calls_missing = max(0, len(callable_topics) - len(ran)) if callable_topics else 0
        calls_many = len(ran) >= 2
    else:
        guessed = _guessed(exchange)
        treated, waiting, _ = _handled(turn, guessed, layout)
        seen = len(treated) if guessed else 0
        covered = max(groups if groups >= 2 else 0, len(layout.led), seen if not layout.deferred else min(seen, 1))
        named = 1 if layout.deferred or layout.onward else 0
        many = groups >= 2 or (not defers and len(layout.led) >= 2)
        if guessed and not raised and groups < 2 and not defers:
            raised = len(guessed)
            many = many or seen >= 2
        calls_missing = 0
        calls_many = _spread(turn) >= 2 and groups >= 2

    labelled = (
        0.0
        if groups >= 2 and (not raised or groups >= min(raised, max(covered, 2)))
        else 0.2
        if groups >= 2
        else 0.3
        if len(layout.led) >= 2
        else 0.4
    )
    if raised and covered < raised:
        missing = 0.6 if covered <= 1 else 0.45
    else:
        missing = 0.0 if covered >= 2 else 0.6
    put_off = (0.4 if groups >= 2 else 0.6) if layout.deferred or (layout.onward and groups < 2) else 0.0
    organize = (
        need("handles all raised topics in one reply", missing, 0.6, *layout.groups),
        need("groups and labels them", labelled, 0.4, *layout.groups),
        need("defers no topic", put_off, 0.6, *layout.deferred),
        need(
            "runs the task calls of every topic", 0.3 if calls_missing and turn.executed and not missing else 0.0, 0.3
        ),
    )
    handled = 1.0 if many and not defers else 0.75 if many else 0.0
    one = (
        need("handles one topic only", handled, 1.0, *layout.groups),
        need("runs only that topic's task calls", 0.4 if calls_many and not (many and not defers) else 0.0, 0.4),
        need(
            "names the others as deferred",
            0.0 if named and layout.deferred else 0.12 if named else 0.5,
            0.5,
            *layout.deferred,
        ),
        need("asks before moving on", 0.0 if layout.onward else 0.3, 0.3, *layout.onward),
    )
    return Reading({"Organize": organize, "One-at-a-time": one}, shows=bool(doc), why_not="the reply is empty")
