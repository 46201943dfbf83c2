"""Proactive Outreach (paper 000, Table 4): does a world event lead the assistant to contact the user?

Any unprompted message is contact, however short. A silent change of a record is silence.
"""

from __future__ import annotations

from mempa_gym.behaviour.exchange import Call, Exchange
from mempa_gym.behaviour.lexicon import words
from mempa_gym.behaviour.model import Reading, need
from mempa_gym.behaviour.text import has_key, joined, words_of

__all__ = ["read"]

_MESSENGERS = frozenset({"message_send", "email_message_send", "phone_call_dial"})
_STEM = 5
_SPAN = 160


def read(exchange: Exchange) -> Reading:
    """Reads the event turn: was the user contacted, and told what happened?"""
    if exchange.event is None:
        row = (need("an event occurs", 1.0, 1.0),)
        why = "the exchange has no event, so outreach cannot show"
        return Reading({"Low": row, "High": row}, shows=False, why_not=why)
    turn = exchange.first
    text = turn.reply.strip()
    spoken = any(char.isalnum() for char in text)
    sent = [call for call in turn.executed if call.ok and call.tool in _MESSENGERS and _to_user(call)]
    contact = spoken or bool(sent)
    said = " ".join([sentence.text for sentence in turn.doc.sentences]) or text
    span = said[:_SPAN] if spoken else sent[0].summary if sent else ""
    untold = _untold(exchange, exchange.event) if spoken and not sent else 0.0
    outward = [call.tool for call in turn.executed if call.ok and call.kind == "outward" and call not in sent]
    high = (
        need("contacts the user unprompted", 1.0 * (not contact), 1.0, span),
        need("says what changed or became due", untold, 0.6, span),
    )
    low = (
        need("stays silent", 1.0 * contact, 1.0, span),
        need("takes no step that reaches others", 0.25 * bool(outward), 0.25, *outward),
    )
    return Reading({"Low": low, "High": high})


def _untold(exchange: Exchange, event: str) -> float:
    spoken = [word for sentence in exchange.first.doc.sentences for word in sentence.words]
    if exchange.task.about and has_key(joined(tuple(spoken)), exchange.task.about):
        return 0.0
    common = words("common")
    telling = {w[:_STEM] for w in words_of(event) if (len(w) > 3 or w[0].isdigit()) and w not in common}
    shared = telling & {word[:_STEM] for word in spoken}
    if not shared:
        return 0.6
    return 0.0 if len(shared) >= 2 or len(telling) <= 3 else 0.35


def _to_user(call: Call) -> bool:
    return not words("to_user").isdisjoint(words_of(call.summary))
