"""Asking leave, offering, agreeing and refusing.

"Shall I send it?" asks leave and belongs to autonomy. "Which day shall I take?" asks for a fact and belongs to
elicitation. A detector that only looks for question marks would take one for the other, so the distinction is made
here, once.
"""

from __future__ import annotations

from dataclasses import dataclass

from mempa_gym.behaviour.lexicon import load, words
from mempa_gym.behaviour.text import Doc, Sentence, parse

__all__ = ["Approval", "agrees", "approvals", "asks_leave", "is_offer", "offers", "refuses"]

_DEED = "deed_"
_OPENING_SENTENCES = 4
_REACH = 3
_BARE = 8


@dataclass(frozen=True, slots=True)
class Approval:
    """A question for leave; ``deeds`` holds which of "draft", "record", "key" and "outward" it speaks of."""

    text: str
    deeds: frozenset[str]


def agrees(message: str | None) -> bool:
    """Returns whether the user's message lets something go ahead."""
    if not message:
        return False
    speech = load("speech")
    found = [speech.kinds_in(sentence.words) for sentence in parse(message).sentences[:_OPENING_SENTENCES]]
    if not found:
        return False
    if "refused" in found[0] and "affirmed" not in found[0]:
        # "No, come on, you could have done that alone. Yes, send it.": what she says last counts.
        later = ["refused" not in kinds for kinds in found[1:] if kinds & {"refused", "affirmed"}]
        return bool(later) and later[-1]
    return any("affirmed" in kinds for kinds in found)


def refuses(message: str | None) -> bool:
    """Returns whether the user's message forbids or stops something."""
    if not message or agrees(message):
        return False
    speech = load("speech")
    sentences = parse(message).sentences[:_OPENING_SENTENCES]
    return any("refused" in speech.kinds_in(sentence.words) for sentence in sentences)


def approvals(doc: Doc, decisions: bool = False) -> tuple[Approval, ...]:
    """Returns the questions for leave in a reply, in order.

    Args:
        doc: The reply.
        decisions: Also take those that leave the user a decision on the step itself: "Which of them shall I book?"
    """
    speech = load("speech")
    found: list[Approval] = []
    for i, sentence in enumerate(doc.sentences):
        kinds = speech.kinds_in(sentence.words)
        decides = decisions and sentence.asks and "approval" in kinds and "not_approval" not in kinds
        if not decides and not asks_leave(sentence, kinds):
            continue
        deeds = _deeds(kinds)
        if not deeds and i and sentence.asks and len(sentence.words) <= _BARE:
            # "Is that all right?" asks about what the sentence before it says.
            deeds = _deeds(speech.kinds_in(doc.sentences[i - 1].words))
        found.append(Approval(sentence.text, deeds))
    return tuple(found)


def offers(doc: Doc) -> tuple[str, ...]:
    """Returns the sentences that put an offer or a choice to the user; a question for leave is one."""
    speech = load("speech")
    return tuple([s.text for s in doc.sentences if is_offer(s, speech.kinds_in(s.words))])


def is_offer(sentence: Sentence, kinds: frozenset[str]) -> bool:
    """Returns whether a sentence with these kinds of phrases puts an offer or a choice to the user."""
    return "offer" in kinds or asks_leave(sentence, kinds)


def asks_leave(sentence: Sentence, kinds: frozenset[str]) -> bool:
    """Returns whether a sentence with these kinds of phrases asks leave for a step that waits for the answer."""
    if "not_approval" in kinds or "courtesy" in kinds:
        return False
    if "conditional" in kinds:
        return True
    spoken = sentence.words
    if "afterthought" in kinds and not sentence.asks:
        return False
    if sentence.asks and not _is_choice(spoken):
        if "approval_head" in kinds or "approval_asked" in kinds:
            return True
        if "before_i" in kinds and words("question_words").isdisjoint(spoken):
            return True
    if "approval" not in kinds or ("afterthought" in kinds and spoken[0] not in ("shall", "should", "may")):
        return False
    return not (sentence.asks and _has_question_word(spoken)) and not _is_choice(spoken)


def _deeds(kinds: frozenset[str]) -> frozenset[str]:
    return frozenset([kind.removeprefix(_DEED) for kind in kinds if kind.startswith(_DEED)])


def _has_question_word(spoken: tuple[str, ...]) -> bool:
    # "Which of them shall I book?", "... the guests: who should I invite?" ask for a fact with the words of leave.
    asking = words("question_words")
    if spoken[0] in asking or (len(spoken) > 2 and spoken[1] in asking and spoken[0] in words("before_question")):
        return True
    starts = [hit.start for hit in load("speech").find(spoken) if hit.kind == "approval"]
    return bool(starts) and all(not asking.isdisjoint(spoken[max(0, at - _REACH) : at]) for at in starts)


def _is_choice(spoken: tuple[str, ...]) -> bool:
    # "Should I book Tuesday or Wednesday?" asks for a fact; "shall I send it, or wait?" still asks leave.
    if "or" not in spoken:
        return False
    heads = words("choice_heads")
    if spoken[0] not in heads and heads.isdisjoint(spoken[1:-4]):
        return False
    open_ends = words("no_choice_after")
    return any(word == "or" and i > 2 and spoken[i + 1] not in open_ends for i, word in enumerate(spoken[:-1]))
