"""Is a preference announced out of nowhere?

"I prefer short answers" as an opening is a leak; "next time three lines will do", after a reply of three paragraphs,
is feedback (paper 000, D.4, Criteria). So a sentence counts only when it is put as something that holds in general or
as a liking, when it is about the assistant's manner and not about the task, and when nothing in the last reply gave
rise to it.
"""

from __future__ import annotations

import re

from mempa_gym.users.rules import Aspect, rules

__all__ = ["announced"]

_SENTENCES = re.compile(r"[^.!?\n]+[.!?]*")


def announced(text: str, pa_last: str) -> list[str]:
    """Returns the sentences of a message that announce a preference on manner without a trigger.

    Args:
        text: the user's message.
        pa_last: the assistant's last reply; empty before the first.
    """
    known = rules()
    heard = bool(pa_last.strip())
    found: list[str] = []
    remarked = heard and known.patterns["remark"].search(text) is not None
    for match in _SENTENCES.finditer(text):
        sentence = match[0].strip()
        aspects = [aspect for aspect in known.aspects if aspect.spoken.search(sentence)]
        if not aspects or not _announces(sentence):
            continue
        if remarked or (heard and any(_triggered(aspect, sentence, pa_last) for aspect in aspects)):
            continue
        found.append(sentence)
    return found


def _announces(sentence: str) -> bool:
    patterns = rules().patterns
    if patterns["standing"].search(sentence):
        body = patterns["standing"].sub(" ", sentence).strip(" ,;:-")
        if patterns["order_to_assistant"].search(body) or patterns["assistant"].search(sentence):
            return True
    if not patterns["liking"].search(sentence):
        return False
    return bool(patterns["liked_manner"].search(sentence) or patterns["liked_reply"].search(sentence))


def _triggered(aspect: Aspect, sentence: str, pa_last: str) -> bool:
    if aspect.less is not None and aspect.less.search(sentence):
        return aspect.has(pa_last)
    return aspect.lacks(pa_last)
