"""Solution Breadth (paper 000, Table 4): one recommendation, or the options with what separates them?

Naming an alternative only to turn it down is a list of two (paper 000, G.4). Reasons for one option may stand in a
list without being options, so items are looked at, not counted blindly. Where the task names its options, those names
decide.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mempa_gym.behaviour.exchange import Exchange, Task
from mempa_gym.behaviour.lexicon import load, words
from mempa_gym.behaviour.model import Reading, graded, need
from mempa_gym.behaviour.text import Doc, Line, joined

__all__ = ["read"]

# "The Lark is quiet; Mill Hall costs less": names as subjects of what is said about them.
_SUBJECT = re.compile(
    r"(?:^|[;,]\s+(?:but\s+|while\s+|and\s+|whereas\s+)?)(?:The\s+|the\s+)?"
    r"((?:[A-Z][\w'&-]+)(?:\s+(?:[A-Z0-9][\w'&-]*|of|on|at|and|de|the)){0,4})\s+"
    r"(?:is|are|has|have|costs?|seats|offers?|takes?|runs|opens|gives?|comes|would|sits|holds|does|leaves|arrives|needs?|saves?"
    r"|serves?|lets|wins|gets|keeps|covers|lasts|starts|allows|works|charges|lacks|closes|beats|stays|includes|fits|can)\b"
)  # fmt: skip
_ITEM_NAME = re.compile(
    r"^((?:[A-Z0-9£$€][\w'&./:-]*)(?:\s+(?:[A-Z0-9£$€(][\w'&./:)-]*|of|on|at|and|de|the|in|to|by))*)"
    r"\s*(?:[:;,(–—-]|$|is\b|has\b|at\b)"
)
_INLINE_LABEL = re.compile(r"(?:^|[.;!]\s+|\n\s*)((?:The )?[A-Z][\w'&-]+(?: [\w'&-]+){0,2}):\s")
_OPTION_LINE = re.compile(r"(?:option|choice|plan)\s+(?:[a-d]|\d|one|two|three)\b", re.I)
_AGAINST = re.compile(
    r"\b(?:than|beats?|unlike|vs\.?|versus|outperforms?|compared (?:to|with)|rather than|instead of|whereas|over) "
    r"(?:the |a )?([A-Z][\w'-]+)"
)
_EITHER = re.compile(
    r"\beither\b[^.?!]{4,}\bor\b|\byou (?:could|can|might|may)\b[^.?!]{6,}\bor\b(?! so\b| less\b| more\b)", re.I
)
_REASONED = 9


@dataclass(frozen=True, slots=True)
class _Offer:
    names: tuple[str, ...]
    alternatives: tuple[str, ...]
    hints: tuple[str, ...]
    listed: int
    tradeoffs: int
    announced: bool
    recommends: bool
    reasons: bool

    def options(self, by_name: bool) -> int:
        """How many options are presented; ``by_name`` when the task names them."""
        known = len(self.names)
        count = known if by_name else max(known, self.listed)
        if count < 2 and self.alternatives and not (by_name and known == 1 and not self.announced):
            return 2
        return 2 if count < 2 and self.announced and (self.tradeoffs >= 2 or self.recommends) else count


def read(exchange: Exchange) -> Reading:
    """Reads how many options the decision turn's reply presents and what it says of each."""
    doc = exchange.first.doc
    o = _offer(doc, exchange.task)
    several = o.options(by_name=bool(exchange.task.options)) >= 2
    spans = (*o.names, *o.alternatives)
    separates = graded(o.tradeoffs, ((0, 0.35), (1, 0.15)), 0.0) if several else 0.0
    high = (
        need("presents two or more viable options", 0.95 * (not several), 0.95, *spans),
        need("gives the tradeoffs that separate them", separates, 0.35),
    )
    if several:
        full = o.listed >= 2 or len(o.names) >= 2 or len(o.alternatives) >= 2 or o.announced
        named = 1.0 if full else 0.75
    else:
        named = 0.12 * bool(o.hints)
    low = (
        need("presents exactly one option as its recommendation", 0.6 * (not several and not o.recommends), 0.6),
        need("gives reasons for it", 0.25 * (not several and not o.reasons), 0.25),
        need("names no alternative", named, 1.0, *spans, *o.hints),
    )
    return Reading(
        {"Low": low, "High": high},
        shows=several or o.recommends,
        why_not="no option is presented" if doc else "the reply is empty",
    )


def _offer(doc: Doc, task: Task) -> _Offer:
    lexicon = load("breadth")
    alternatives: list[str] = []
    hints: list[str] = []
    tradeoffs = 0
    announced = False
    reasons = False
    for sentence in doc.sentences:
        hits = lexicon.find(sentence.words)
        kinds = {hit.kind for hit in hits}
        tradeoffs += sum([hit.kind == "tradeoff" for hit in hits])
        reasons = reasons or "reason" in kinds
        if "none" in kinds:
            continue
        announced = announced or "several" in kinds
        if "unnamed" in kinds and "several" not in kinds:
            hints.append(sentence.text)
        elif "alternative" in kinds or _names_another(sentence.text):
            alternatives.append(sentence.text)
    if task.options:
        text = [joined(sentence.words) for sentence in doc.sentences]
        names = tuple([key.strip() for key in task.options if any(key in line for line in text)])
        listed = 0
    else:
        subjects = _subjects(doc) if tradeoffs >= 2 else ()
        names = subjects if len(subjects) >= 2 else ()
        listed = max(_option_items(doc), _labelled(doc), _weighed(doc), _contrasted(doc))
    declared = [len(sentence.words) for sentence in doc.sentences if not sentence.asks]
    return _Offer(
        names,
        tuple(alternatives),
        tuple(hints),
        listed if listed >= 2 else 0,
        tradeoffs,
        announced,
        recommends=any(size >= 2 for size in declared),
        reasons=reasons or len(declared) >= 2 or sum(declared) >= _REASONED,
    )


def _names_another(text: str) -> bool:
    against = _AGAINST.search(text)
    return (against is not None and against[1].lower() not in words("no_names")) or _EITHER.search(text) is not None


def _subjects(doc: Doc) -> tuple[str, ...]:
    found = (match[1].lower() for sentence in doc.sentences for match in _SUBJECT.finditer(sentence.text))
    return tuple(dict.fromkeys(name for name in found if name.split()[0] not in words("no_names")))


def _option_items(doc: Doc) -> int:
    """Counts the items of a list that present options rather than reasons."""
    count = 0
    reasons = False
    for line in doc.lines:
        if line.kind == "prose":
            spoken = doc.sentences[line.start].words
            reasons = line.text.endswith(":") and not words("reason_intros").isdisjoint(spoken)
        elif not reasons and _is_option(line):
            count += 1
    return max(count, sum([_OPTION_LINE.match(line.text) is not None for line in doc.lines]))


def _is_option(line: Line) -> bool:
    head = line.text.split()[0].strip(":,").lower()
    if head in words("qualities"):
        return False
    return line.bold or _ITEM_NAME.match(line.text) is not None


def _labelled(doc: Doc) -> int:
    # "Ferry: 18, two hours. Car: 55, one hour." lists options without a list.
    if doc.text.count(":") < 2:
        return 0
    idle = words("qualities") | words("no_names") | words("no_options")
    return len({name for name in _INLINE_LABEL.findall(doc.text) if name.split()[0].lower() not in idle})


def _contrasted(doc: Doc) -> int:
    # "The inn has the view, though dinner is plain. The mill cooks better, but it is inland."
    lexicon = load("breadth")
    contrasts = words("contrasts") | words("comparatives")
    heads = set()
    for sentence in doc.sentences:
        spoken = sentence.words[1:] if sentence.words[0] in ("the", "a", "an") else sentence.words
        if len(spoken) < 3 or sentence.asks or contrasts.isdisjoint(spoken[1:]):
            continue
        if spoken[0] in words("qualities") or spoken[0] in words("no_names") or spoken[0] in words("no_subjects"):
            continue
        if "recommend" not in lexicon.kinds_in(sentence.words):
            heads.add(spoken[0])
    return len(heads)


def _weighed(doc: Doc) -> int:
    # "Taking the ferry costs less. Driving is quicker." sets two ways against each other.
    ways = {s.words[0] for s in doc.sentences if s.words[0].endswith("ing") and s.words[0] not in words("no_gerunds")}
    if len(ways) < 2:
        return 0
    compared = [s.words[0] for s in doc.sentences if not words("comparatives").isdisjoint(s.words)]
    return len(ways.intersection(compared))
