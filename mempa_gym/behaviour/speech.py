"""Speech acts that several attributes turn on: asking leave, asking for a fact, asking about manner, agreeing.

One question mark can stand for very different things. "Shall I send it?" asks leave and belongs to autonomy, "Which day?" asks
for a missing field and belongs to elicitation, "Do you like short answers?" asks for the preference itself and spoils a probe.
The distinction is made once, here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mempa_gym.behaviour.exchange import Task
from mempa_gym.behaviour.lexicon import load
from mempa_gym.behaviour.text import Doc, Sentence, parse

__all__ = [
    "Approval",
    "Ask",
    "agrees",
    "approvals",
    "asks_for_fields",
    "asks_preference",
    "has_key",
    "joined",
    "manner_question",
    "offers",
    "refuses",
]

_AUXILIARIES = frozenset("is are was do does did should shall would will can could may has have am".split())
_FIELD_NOUNS = frozenset(
    "day days date dates time times hour hours place places venue location room rooms size sizes number numbers amount budget name "
    "names colour color length quantity address price people guests party duration deadline recipient title subject start end "
    "topic account supplier order occasion brand model month week year headcount count reason route city seat seats method "
    "dietary diet allergies allergy type kind format language contact phone email reference payment card total range limit "
    "temperature width height weight floor volume sample samples dose concentration speaker attendees timing slot window".split()
)
_SEGMENT = re.compile(r"[,;/]|\band\b|\bplus\b|\bas well as\b|\(\d\)|\b\d\)")
_INLINE = re.compile(r"(?:^|[\s;,])(?:\(\d\)|\d[.)]|\([a-d]\))\s+\S")


@dataclass(frozen=True, slots=True)
class Approval:
    """A question for leave; ``deeds`` holds which of "draft", "record", "key", "outward" it is about, as far as it says."""

    text: str
    deeds: frozenset[str]


@dataclass(frozen=True, slots=True)
class Ask:
    """A request for facts of the task: its words, its line, and how many facts it asks for."""

    text: str
    line: int
    sentence: int
    facts: int


def joined(words: tuple[str, ...]) -> str:
    """Returns the words as one string with a blank at both ends, to look for key words in."""
    return f" {' '.join(words)} "


def has_key(text: str, keys: tuple[str, ...]) -> bool:
    """Returns whether any of the key words of a task stands in a `joined` text."""
    return any(key in text for key in keys)


def agrees(message: str | None) -> bool:
    """Returns whether the user's message lets something go ahead."""
    if not message:
        return False
    speech = load("speech")
    sentences = parse(message).sentences
    found = [speech.kinds_in(sentence.words) for sentence in sentences[:4]]
    return any("affirmed" in kinds for kinds in found) and not (
        found and "refused" in found[0] and "affirmed" not in found[0]
    )


def refuses(message: str | None) -> bool:
    """Returns whether the user's message forbids or stops something."""
    if not message or agrees(message):
        return False
    speech = load("speech")
    return any("refused" in speech.kinds_in(sentence.words) for sentence in parse(message).sentences[:3])


def approvals(doc: Doc, decisions: bool = False) -> tuple[Approval, ...]:
    """Returns the questions for leave in a reply, in order.

    With ``decisions`` also those that leave the user a decision on the step itself: "Which of them shall I book?"
    """
    speech = load("speech")
    found: list[Approval] = []
    for sentence in doc.sentences:
        words = sentence.words
        kinds = speech.kinds_in(words)
        if not _asks_leave(sentence, kinds) and not (
            decisions and sentence.asks and "approval" in kinds and "not_approval" not in kinds
        ):
            continue
        deeds = frozenset(kind[5:] for kind in kinds if kind.startswith("deed_"))
        if not deeds:
            # "Is that OK?" asks about what the sentence before it says.
            deeds = _deeds_before(doc, sentence)
        found.append(Approval(sentence.text, deeds))
    return tuple(found)


def _asks_leave(sentence: Sentence, kinds: frozenset[str]) -> bool:
    words = sentence.words
    if "not_approval" in kinds or "courtesy" in kinds:
        return False
    if "conditional" in kinds:
        return True
    if "afterthought" in kinds and not sentence.asks:
        return False
    if sentence.asks and "approval_head" in kinds and not _is_choice(words):
        return True
    if sentence.asks and "before_i" in kinds and not _WH & set(words) and not _is_choice(words):
        return True
    if "approval" not in kinds:
        return False
    if "afterthought" in kinds and words[0] not in ("shall", "should", "may"):
        return False
    wh = words[0] in _WH or (
        len(words) > 2 and words[1] in _WH and words[0] in ("and", "so", "for", "on", "at", "in", "to")
    )
    if wh and words[0] != "what":
        return False
    return not (wh and sentence.asks) and not _is_choice(words)


_WH = frozenset("what which when where who whom whose how why".split())
_CHOICE_HEADS = frozenset("should shall do would is will can may want are does".split())
_NO_CHOICE_AFTER = frozenset(
    "wait hold leave not stop keep would do should shall is edit tweak change adjust rather skip no forget".split()
)


def _is_choice(words: tuple[str, ...]) -> bool:
    # "Should I book Tuesday or Wednesday?" asks for a fact; "shall I send it, or wait?" still asks leave.
    if words[0] not in _CHOICE_HEADS and not _CHOICE_HEADS & set(words[1:-4]):
        return False
    return any(word == "or" and i > 2 and words[i + 1] not in _NO_CHOICE_AFTER for i, word in enumerate(words[:-1]))


def _deeds_before(doc: Doc, sentence: Sentence) -> frozenset[str]:
    place = next((i for i, other in enumerate(doc.sentences) if other is sentence), 0)
    if place == 0:
        return frozenset()
    kinds = load("speech").kinds_in(doc.sentences[place - 1].words)
    return frozenset(kind[5:] for kind in kinds if kind.startswith("deed_"))


def offers(doc: Doc) -> tuple[str, ...]:
    """Returns the sentences that put an offer or a choice to the user; a question for leave is one."""
    speech = load("speech")
    found = []
    for sentence in doc.sentences:
        kinds = speech.kinds_in(sentence.words)
        if "offer" in kinds or _asks_leave(sentence, kinds):
            found.append(sentence.text)
    return tuple(found)


def asks_for_fields(doc: Doc, task: Task | None = None) -> tuple[Ask, ...]:
    """Returns the requests for facts that the task lacks, in order.

    Questions for leave, courtesies, questions after the fact and questions about manner are none. Items of a list below a
    sentence that asks for them count one each.
    """
    speech = load("speech")
    asks: list[Ask] = []
    listing = -1
    for i, sentence in enumerate(doc.sentences):
        words = sentence.words
        item = sentence.kind in ("bullet", "number")
        if item and listing >= 0:
            first_of_line = doc.lines[sentence.line].start == i
            if first_of_line and len(words) <= 30:
                asks.append(Ask(sentence.text, sentence.line, i, max(1, _facts(sentence) if sentence.asks else 1)))
            continue
        if not item:
            listing = -1
        kinds = speech.kinds_in(words)
        requests = "request" in kinds
        if not sentence.asks and not requests:
            continue
        if "courtesy" in kinds or ("afterthought" in kinds and "wh" not in kinds):
            continue
        if not sentence.asks and "afterthought" in kinds:
            continue
        if _manner(sentence):
            continue
        if _asks_leave(sentence, kinds):
            continue
        if _list_follows(doc, sentence, i) and (sentence.text.rstrip().endswith(":") or "intro" in kinds):
            listing = sentence.line
            continue
        if not sentence.asks and _only_announces(words):
            continue
        asks.append(Ask(sentence.text, sentence.line, i, _facts(sentence)))
    return tuple(asks)


def _list_follows(doc: Doc, sentence: Sentence, i: int) -> bool:
    line = doc.lines[sentence.line]
    after = sentence.line + 1
    return line.end == i + 1 and after < len(doc.lines) and doc.lines[after].kind in ("bullet", "number")


def _only_announces(words: tuple[str, ...]) -> bool:
    # "Two quick questions first." is followed by the questions themselves.
    return (
        len(words) <= 9
        and bool({"question", "questions", "things", "details", "points", "facts", "thing"} & set(words))
        and not (_FIELD_NOUNS & set(words))
    )


def _facts(sentence: Sentence) -> int:
    """Counts the facts that one sentence asks for."""
    inline = len(_INLINE.findall(sentence.text))
    if inline >= 2:
        return inline
    words = sentence.words
    count = sum(1 for i, word in enumerate(words) if word in _WH and _opens_question(words, i, sentence))
    if sentence.asks:
        joints = sum(
            1 for i, word in enumerate(words[2:-2], 2) if word in ("and", "or") and words[i + 1] in _AUXILIARIES
        )
        count = max(count, 1) + (joints if not _is_choice(words) else 0)
    count = max(count, 1)
    low = sentence.text.lower()
    nouns = sum(1 for part in _SEGMENT.split(low) if _FIELD_NOUNS & set(part.strip(" ?.!:").split()))
    if nouns > count and _lists_nouns(low):
        count = nouns
    return count


_BEFORE_WH = frozenset(
    "and or for on at in to by with from me know sure plus also about specify confirm say so then first now ask tell need please you of "
    "but ok okay well".split()
)


def _opens_question(words: tuple[str, ...], i: int, sentence: Sentence) -> bool:
    # A relative clause ("the day that is when ...") asks for nothing.
    if i == 0:
        return True
    before = words[i - 1]
    return before in _BEFORE_WH or f", {words[i]}" in sentence.text.lower() or f": {words[i]}" in sentence.text.lower()


_NOUN_LIST = re.compile(
    r"\b(?:what|which|the|your|a|an|need|know|preferred|me|exact)\s+(?:\w+\s+){0,2}?(\w+)(?:\s*\([^)]*\))?\s*(?:,|/|\band\b|\bplus\b|&)\s*(?:and\s+)?(?:the\s+|your\s+|a\s+|what\s+|which\s+|preferred\s+|how many\s+)?(\w+)(?:\s+(\w+))?"
)


def _lists_nouns(low: str) -> bool:
    return any(
        m[1] in _FIELD_NOUNS and (m[2] in _FIELD_NOUNS or (m[3] or "") in _FIELD_NOUNS)
        for m in _NOUN_LIST.finditer(low)
    )


def asks_preference(reply: str) -> str | None:
    """Returns the words with which a reply asks how the user wants to be helped, or None.

    A question for a fact of the task is not meant, nor is one about the manner of something written for somebody else.
    """
    return manner_question(parse(reply))


def manner_question(doc: Doc) -> str | None:
    """Does what `asks_preference` does for a reply that is taken apart already."""
    return next((sentence.text for sentence in doc.sentences if _manner(sentence)), None)


def _manner(sentence: Sentence) -> bool:
    lexicon = load("preference")
    words = sentence.words
    if not sentence.asks:
        # Without a question mark only a request to be told counts.
        opening = words[:6]
        if not (
            {"tell", "know", "say", "prefer", "preference", "preferences", "ask", "asking", "wondering", "wonder"}
            & set(opening)
        ):
            return False
        if not ({"tell", "let", "say", "please", "may", "wondering", "wonder", "just"} & set(opening)):
            return False
    kinds = lexicon.kinds_in(words)
    if "product" in kinds and "toward_user" not in kinds:
        return False
    if "manner" in kinds or ("pace" in kinds and "assistant" in kinds):
        return True
    return "standing" in kinds and "act" in kinds and sentence.asks
