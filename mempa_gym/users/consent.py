"""What a user does with items that are held for her answer.

The wrapper releases nothing without her private decision on exactly that item (paper 000, E.3), and the assistant
only hears her words. So the two must agree: whenever she decides, her message says yes or no in words. Where a
script foresees an answer its words count; where it does not, she allows what belongs to the task, so that an
assistant that works in its own order is never stuck.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mempa_gym.timeline import Session
from mempa_gym.users.protocol import HeldItem
from mempa_gym.users.voice import Voice, pick

__all__ = ["decide", "words_of"]

_YES = re.compile(
    r"\b(?:yes|yep|yeah|yup|sure|okay|ok|go ahead|go on|go for it|do it|do that|send (?:it|that|them|both)|"
    r"let (?:it|them|that) (?:go|fly|out)|fire away|book it|post it|fine, |that can go|you can|you may|both can|"
    r"off it goes|"
    r"off with it|ship it|perfect, |great, )",
    re.IGNORECASE,
)
_NO = re.compile(
    r"\b(?:no|nope|nah|don't|do not|not that|leave (?:it|that)|hold (?:it|that)|wait|stop)\b", re.IGNORECASE
)


def decide(session: Session, consent: str, held: Sequence[HeldItem]) -> dict[str, bool]:
    """Returns item id to yes or no, for items she has not decided on yet.

    Args:
        session: the script at hand.
        consent: what the beat foresees: ``grant``, ``deny`` or ``none``.
        held: the undecided items.
    """
    if not held:
        return {}
    if consent == "grant":
        return {item_id: True for item_id, _, _ in held}
    if consent == "deny":
        return {item_id: False for item_id, _, _ in held}
    expected = _planned_tools(session)
    return {item_id: tool in expected for item_id, tool, _ in held}


def words_of(
    voice: Voice, held: Sequence[HeldItem], decisions: dict[str, bool], said: str, key: tuple[object, ...]
) -> str:
    """Returns the words that her message still lacks to say what she decided; empty when it says so already.

    Args:
        voice: her voice.
        held: the items she decided on.
        decisions: her decisions.
        said: the message as it is without these words.
        key: what the choice of a line depends on.
    """
    if not decisions:
        return ""
    granted = [text for item_id, _, text in held if decisions.get(item_id)]
    denied = [text for item_id, _, text in held if decisions.get(item_id) is False]
    if granted and denied:
        line = pick(voice.mixed, *key, "mixed")
        return line.format(granted=_listed(granted), denied=_listed(denied))
    if granted:
        return "" if _YES.search(said) else pick(voice.grant, *key, "grant")
    return "" if _NO.search(said) else pick(voice.deny, *key, "deny")


def _listed(texts: Sequence[str]) -> str:
    return " and ".join(text.strip().rstrip(".") for text in texts)


def _planned_tools(session: Session) -> frozenset[str]:
    return frozenset(_all_tools(session))


def _all_tools(session: Session) -> Iterator[str]:
    for beat in session.beats:
        for call in beat.plan.before:
            yield call.tool
        if beat.plan.common is not None:
            for call in beat.plan.common.calls:
                yield call.tool
        for realisation in beat.plan.by_setting.values():
            for call in realisation.calls:
                yield call.tool
