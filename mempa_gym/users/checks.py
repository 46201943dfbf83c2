"""Does a user's message give away what it must not?

Paper 000, D.4: before a message reaches the assistant, rules look for text that comes from the simulator's
instructions or private notes, for a preference that is announced without a trigger in the assistant's behaviour,
and, in probes, for a reference to an earlier conversation. Feedback on what the assistant has just done is how a
preference is meant to show, so it passes, also when it is put as a general request. The rules are calibrated to
that line: they must be quiet on ordinary English and on everything the packaged users say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from mempa_gym.errors import require_text, unknown
from mempa_gym.taxonomy import attributes
from mempa_gym.users.announcements import announced
from mempa_gym.users.rules import rules

__all__ = ["KINDS", "Phase", "Violation", "check_message"]

Phase = Literal["accumulation", "probe"]

KINDS: tuple[str, ...] = (
    "private_block",
    "vocabulary",
    "interaction_tool",
    "beat_id",
    "attribute_name",
    "setting_label",
    "announced_preference",
    "earlier_session",
)

_WHY = {
    "private_block": "a private block or its tag stands in the visible message",
    "vocabulary": "the benchmark's own vocabulary stands in the message",
    "beat_id": "an identifier from the session script stands in the message",
    "interaction_tool": "the name of an interaction tool stands in the message",
    "attribute_name": "the preference is called by the name of its attribute",
    "setting_label": "the preference is called by the label of a setting",
    "announced_preference": "a preference is announced that nothing in the assistant's last reply gave rise to",
    "earlier_session": "a probe refers to an earlier conversation with the assistant",
}


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that is wrong with a message.

    Attributes:
        kind: one of `KINDS`.
        span: the words it rests on.
        why: what is wrong, in words that help to write the message anew.
    """

    kind: str
    span: str
    why: str


def check_message(message: str, phase: Phase, pa_last: str) -> list[Violation]:
    """Returns what a user's message gives away; an empty list is fine.

    Args:
        message: the visible message.
        phase: ``accumulation`` or ``probe``.
        pa_last: the assistant's last delivered reply; empty before the first.

    Raises:
        UnknownNameError: There is no such phase.
        ArgumentError: A message is no text.
    """
    if phase not in ("accumulation", "probe"):
        raise unknown("phase", phase, ("accumulation", "probe"))
    require_text("message", message)
    require_text("pa_last", pa_last)
    return list(_checked(message, phase, pa_last))


# A script's messages come again in every repeat and every timeline; what is wrong with them does not change.
@lru_cache(maxsize=4096)
def _checked(message: str, phase: Phase, pa_last: str) -> tuple[Violation, ...]:
    text = message.replace("’", "'").replace("“", '"').replace("”", '"')
    patterns = rules().patterns
    found: list[Violation] = []
    for kind in ("private_block", "vocabulary", "interaction_tool"):
        found.extend(_violation(kind, match[0]) for match in patterns[kind].finditer(text))
    found.extend(_violation("beat_id", span) for span in _beat_ids(text))
    found.extend(_violation("attribute_name", match[0]) for match in _attribute_name().finditer(text))
    found.extend(_violation("setting_label", span) for span in _labels_as_preference(text))
    found.extend(_violation("announced_preference", span) for span in announced(text, pa_last.replace("’", "'")))
    if phase == "probe":
        found.extend(_violation("earlier_session", span) for span in _earlier(text))
    return tuple(found)


def _violation(kind: str, span: str) -> Violation:
    return Violation(kind, span.strip(), _WHY[kind])


# -- attributes and labels ---------------------------------------------------------------------------------------------

# Labels that nobody uses by chance.
_RARE = (
    "full narration",
    "one-at-a-time",
    "task-focused",
    "relationship-focused",
    "consultative",
    "find and hand off",
    "suggest alternatives",
    "self-directed",
)
# Labels that are seldom said of anything but an answer.
_SELDOM = re.compile(r"(?<![\w-])(?:terse(?:ly)?|iterative(?:ly)?)(?![\w-])", re.IGNORECASE)
# Labels that are everyday words: they only count beside the word "setting" or "mode".
_COMMON = ("low", "high", "show", "hide", "express", "organize", "infer", "assumed")
_PHONE = re.compile(r"\bphone\b", re.IGNORECASE)
_BARE_BEAT = re.compile(r"(?<![\w'.-])[bB][1-9]\b(?![-.]?\w)")


@cache
def _attribute_name() -> re.Pattern[str]:
    names: list[str] = list(rules().pieces["attribute_name"])
    for item in attributes():
        names += [item.id, item.id.replace("_", "-")]
        # "Tone & Formality" and "tone and formality" alike.
        words = [re.escape(word) for word in re.split(r"\W+", item.name) if word]
        names.append(r"\s*(?:&|and|\s)\s*".join(words))
    return re.compile(rf"(?<!\w)(?:{'|'.join(names)})(?!\w)", re.IGNORECASE)


@cache
def _label_patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    pieces = rules().pieces
    wish, between, after, remark = (
        "|".join(pieces[name]) for name in ("label_wish", "label_between", "label_after", "label_remark")
    )
    labels = sorted({label for item in attributes() for label in item.labels}, key=lambda label: (-len(label), label))
    rare = "|".join(re.escape(label) for label in labels if label.lower() in _RARE)
    telling = "|".join(re.escape(label) for label in labels if label.lower() not in (*_RARE, *_COMMON))
    every = "|".join(re.escape(label) for label in labels if label.lower() not in _RARE)
    wanted = rf"\b(?:{wish}|{remark})(?:\s+(?:{between}))*\s+(?:{telling})(?:ly)?(?={after})"
    declared = rf"[\"'*]?\b(?:{every})\b[\"'*]?\s+(?:setting|mode)\b|[\"*](?:{telling})[\"*]"
    return (
        re.compile(rf"(?<![\w-])(?:{rare})(?![\w-])", re.IGNORECASE),
        re.compile(wanted, re.IGNORECASE),
        re.compile(declared, re.IGNORECASE),
    )


def _labels_as_preference(text: str) -> list[str]:
    rare, wanted, declared = _label_patterns()
    elsewhere = rules().patterns["label_elsewhere"]
    # By where a label ends, so that two rules for one word count once.
    found = {match.end(): match[0] for match in rare.finditer(text)}
    # A word on the register of a letter to somebody else is part of the task.
    for pattern in (wanted, _SELDOM):
        for match in pattern.finditer(text):
            if not elsewhere.search(_sentence_of(text, match)):
                found.setdefault(match.end(), match[0])
    for match in declared.finditer(text):
        if not _PHONE.search(_sentence_of(text, match)):
            found.setdefault(match.end(), match[0])
    return list(found.values())


def _beat_ids(text: str) -> list[str]:
    # "B4" is a seat or a bus; a bare "b4" is an identifier from a script.
    known = rules().patterns
    found = [match[0] for match in known["beat_id"].finditer(text)]
    for match in _BARE_BEAT.finditer(text):
        if match[0][0] == "b" and not known["place_before"].search(text[: match.start()]):
            found.append(match[0])
    return found


def _earlier(text: str) -> list[str]:
    known = rules().patterns
    found = [match[0] for match in known["earlier"].finditer(text)]
    for match in known["habit"].finditer(text):
        # "Marco is late as usual" is about Marco; "do it as usual" is about the assistant.
        if not known["other_subject"].search(_sentence_of(text, match).strip()):
            found.append(match[0])
    return found


def _sentence_of(text: str, match: re.Match[str]) -> str:
    start = max(text.rfind(mark, 0, match.start()) for mark in ".!?\n") + 1
    ends = [place for mark in ".!?\n" if (place := text.find(mark, match.end())) >= 0]
    return text[start : min(ends, default=len(text))]
