"""Solution Breadth (paper 000, Table 4): one recommendation, or the options with what separates them?

Naming an alternative only to turn it down is a list of two (paper 000, G.4). Reasons for one option may stand in a list without
being options, so items are looked at, not counted blindly. Where the task names its options, those names decide.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mempa_gym.behaviour.exchange import Exchange, Task
from mempa_gym.behaviour.lexicon import load
from mempa_gym.behaviour.model import Reading, need
from mempa_gym.behaviour.speech import joined
from mempa_gym.behaviour.text import Doc, Line

__all__ = ["read"]

_NAME_SUBJECT = re.compile(
    r"(?:^|[;,]\s+(?:but\s+|while\s+|and\s+|whereas\s+)?)(?:The\s+|the\s+)?((?:[A-Z][\w'’&-]+)(?:\s+(?:[A-Z0-9][\w'’&-]*|of|on|at|and|de|the)){0,4})\s+"
    r"(?:is|are|has|have|costs?|seats|offers?|takes?|runs|opens|gives?|comes|would|sits|holds|does|leaves|arrives|needs?|saves?|serves?|lets|wins|gets|keeps|covers|lasts|starts|allows|works|charges|lacks|closes|beats|stays|includes|fits|can)\b"
)
_NOT_NAMES = frozenset(
    "it that this there these those they he she we you i my your our here what which all both one everything nothing someone only each so "
    "for the a an option best reason price cost delivery parking dinner lunch breakfast check-in staff service monday tuesday wednesday "
    "thursday friday saturday sunday january february march april may june july august september october november december if when "
    "while since because as but and or also then".split()
)
_ITEM_NAME = re.compile(
    r"^((?:[A-Z0-9£$€][\w'’&./:-]*)(?:\s+(?:[A-Z0-9£$€(][\w'’&./:)-]*|of|on|at|and|de|the|in|to|by))*)\s*(?:[:;,(–—-]|$|is\b|has\b|at\b)"
)
_QUALITY = frozenset(
    "it it's its good great close quiet cheap free fast easy easily only no near within has have is open opens seats fits you your they works "
    "under because since price location cost space why reason reasons ease speed comfort size distance quality support value warranty "
    "availability convenience safety noise light battery weight timing check-in parking menu reviews rating capacity budget access".split()
)


_AGAINST = re.compile(
    r"\b(?:than|beats?|unlike|vs\.?|versus|outperforms?|compared (?:to|with)|rather than|instead of|whereas|over) (?:the |a )?([A-Z][\w'’-]+)"
)
_EITHER = re.compile(
    r"\beither\b[^.?!]{4,}\bor\b|\byou (?:could|can|might|may)\b[^.?!]{6,}\bor\b(?! so\b| less\b| more\b)", re.I
)


def _names_another(text: str) -> bool:
    against = _AGAINST.search(text)
    return (against is not None and against[1].lower() not in _NOT_NAMES) or _EITHER.search(text) is not None


@dataclass(frozen=True, slots=True)
class _Offer:
    names: tuple[str, ...]
    alternatives: tuple[str, ...]
    tradeoffs: int
    recommends: bool
    reasons: bool
    listed: int
    hints: tuple[str, ...]
    announced: bool


def _offer(doc: Doc, task: Task) -> _Offer:
    lexicon = load("breadth")
    alternatives: list[str] = []
    hints: list[str] = []
    tradeoffs = 0
    recommends = reasons = announced = False
    subjects: dict[str, None] = {}
    for sentence in doc.sentences:
        kinds = lexicon.kinds_in(sentence.words)
        if "unnamed" in kinds and "several" not in kinds:
            hints.append(sentence.text)
        elif "none" not in kinds and ("alternative" in kinds or _names_another(sentence.text)):
            alternatives.append(sentence.text)
        announced = announced or ("several" in kinds and "none" not in kinds)
        tradeoffs += sum(1 for hit in lexicon.find(sentence.words) if hit.kind == "tradeoff")
        recommends = recommends or "recommend" in kinds
        reasons = reasons or "reason" in kinds
        for match in _NAME_SUBJECT.finditer(sentence.text):
            name = match[1].lower()
            if name.split()[0] not in _NOT_NAMES:
                subjects[name] = None
    listed = max(_option_items(doc), _labelled(doc), len(_weighed(doc)))
    declared = [sentence for sentence in doc.sentences if not sentence.asks]
    recommends = recommends or any(len(sentence.words) >= 2 for sentence in declared)
    reasons = reasons or len(declared) >= 2 or sum(len(sentence.words) for sentence in declared) >= 9
    names: tuple[str, ...]
    if task.options:
        text = [joined(sentence.words) for sentence in doc.sentences]
        names = tuple(key.strip() for key in task.options if any(key in line for line in text))
    else:
        names = tuple(subjects) if len(subjects) >= 2 and tradeoffs >= 2 else ()
    return _Offer(names, tuple(alternatives), tradeoffs, recommends, reasons, listed, tuple(hints), announced)


_INLINE_LABEL = re.compile(r"(?:^|[.;!]\s+|\n\s*)((?:The )?[A-Z][\w'’&-]+(?: [\w'’&-]+){0,2}):\s")


def _labelled(doc: Doc) -> int:
    # "Ferry: 18, two hours. Car: 55, one hour." lists options without a list.
    names = {
        name
        for name in _INLINE_LABEL.findall(doc.text)
        if name.split()[0].lower() not in _QUALITY | _NOT_NAMES | _NO_OPTION
    }
    return len(names) if len(names) >= 2 else 0


_NO_OPTION = frozenset(
    "note reasons reason recommendation pick choice answer verdict tip update my your result pros cons summary address phone hours".split()
)


def _weighed(doc: Doc) -> set[str]:
    # "Taking the ferry costs less. Driving is quicker." sets two ways against each other.
    comparing = [
        s
        for s in doc.sentences
        if _COMPARATIVES & set(s.words) and s.words[0].endswith("ing") and s.words[0] not in _NOT_GERUNDS
    ]
    subjects = {sentence.words[0] for sentence in comparing}
    return subjects if len(subjects) >= 2 else set()


_COMPARATIVES = frozenset(
    "cheaper pricier closer nearer farther further faster slower quicker quieter louder noisier bigger smaller larger longer shorter earlier "
    "later more less safer riskier easier harder better worse heavier lighter costs simpler".split()
)
_NOT_GERUNDS = frozenset(
    "nothing something everything anything parking pricing seating morning evening boarding".split()
)


def _option_items(doc: Doc) -> int:
    """Counts the items of a list that present options rather than reasons."""
    count = 0
    reasons = False
    for line in doc.lines:
        if line.kind not in ("bullet", "number", "heading"):
            words = doc.sentences[line.start].words
            reasons = line.text.rstrip().endswith(":") and bool(
                {"why", "reason", "reasons", "because", "advantages", "fits", "suits", "it"} & set(words)
            )
            continue
        if not reasons and _is_option(line):
            count += 1
    labelled = sum(
        1 for line in doc.lines if re.match(r"(?:option|choice|plan)\s+(?:[a-d]|\d|one|two|three)\b", line.text, re.I)
    )
    return max(count, labelled)


def _is_option(line: Line) -> bool:
    match = _ITEM_NAME.match(line.text)
    head = line.text.split()[0].strip(":,").lower()
    if match is None:
        return line.bold and head not in _QUALITY
    return head not in _QUALITY or line.bold and head not in ("price", "location", "cost", "why")


def read(exchange: Exchange) -> Reading:
    """Reads how many options the decision turn's reply presents and what it says of each."""
    doc = exchange.first.doc
    task = exchange.task
    o = _offer(doc, task)
    known = len(o.names)
    options = known if task.options else max(known, o.listed if o.listed >= 2 else 0)
    if options < 2 and o.alternatives and not (task.options and known == 1 and not o.announced):
        options = 2
    if options < 2 and o.announced and (o.tradeoffs >= 2 or len(doc.sentences) >= 3):
        options = 2
    several = options >= 2
    spans = (*o.names, *o.alternatives)
    high = (
        need("presents two or more viable options", 0.0 if several else 0.95, 0.95, *spans),
        need(
            "gives the tradeoffs that separate them",
            0.35 if several and not o.tradeoffs else 0.15 if several and o.tradeoffs < 2 else 0.0,
            0.35,
        ),
    )
    named = 0.0
    if several:
        full = o.listed >= 2 or known >= 2 or len(o.alternatives) >= 2 or o.announced
        named = 1.0 if full else 0.75
    elif o.hints:
        named = 0.12
    single = bool(doc) and (o.recommends or o.reasons or known == 1)
    low = (
        need("presents exactly one option as its recommendation", 0.0 if single or several else 0.6, 0.6),
        need("gives reasons for it", 0.0 if o.reasons or several or o.tradeoffs >= 2 else 0.25, 0.25),
        need("names no alternative", named, 1.0, *spans, *o.hints),
    )
    shows = bool(doc) and (several or single)
    return Reading(
        {"Low": low, "High": high}, shows=shows, why_not="no option is presented" if doc else "the reply is empty"
    )
