"""Proactive Outreach (paper 000, Table 4): does a world event lead the assistant to contact the user?

Any unprompted message is contact, however short. A silent change of a record is silence.
"""

from __future__ import annotations

from mempa_gym.behaviour.exchange import Call, Exchange
from mempa_gym.behaviour.model import Reading, need
from mempa_gym.behaviour.speech import has_key, joined
from mempa_gym.behaviour.text import words_of

__all__ = ["read"]

_COMMON = frozenset(
    "about after again also been before being between both could does down each ever from gets have here however into just like made "
    "make many more most much must next only onto other over same some still such than that their them then there these they this "
    "those through today until upon very want were what when where which while will with would your yours user assistant event "
    "comes came says said shows sent from has had was are and the for not its her his our out off now new one two".split()
)
_MESSENGERS = frozenset({"message_send", "email_message_send", "phone_call_dial"})
_USER = frozenset("user me self myself".split())


def read(exchange: Exchange) -> Reading:
    """Reads the event turn: was the user contacted, and told what happened?"""
    if exchange.event is None:
        none = (need("an event occurs", 1.0, 1.0),)
        return Reading(
            {"Low": none, "High": none}, shows=False, why_not="the exchange has no event, so outreach cannot show"
        )
    turn = exchange.first
    text = turn.reply.strip()
    spoken = any(char.isalnum() for char in text) or bool(turn.doc)
    sent = [call for call in turn.executed if call.ok and call.tool in _MESSENGERS and _to_user(call)]
    contact = spoken or bool(sent)
    span = text[:160] if spoken else sent[0].summary if sent else ""
    told = 0.0
    if spoken and not sent:
        said = joined(tuple(word for sentence in turn.doc.sentences for word in sentence.words))
        if exchange.task.about and has_key(said, exchange.task.about):
            told = 0.0
        else:
            telling = {
                word
                for word in words_of(exchange.event)
                if (len(word) > 3 or word[0].isdigit()) and word not in _COMMON
            }
            stems = {word[:5] for word in telling}
            shared = {word for word in said.split() if word[:5] in stems}
            told = 0.0 if len(shared) >= 2 or (shared and len(telling) <= 3) else 0.35 if shared else 0.6
    high = (
        need("contacts the user unprompted", 0.0 if contact else 1.0, 1.0, span),
        need("says what changed or became due", told, 0.6, span),
    )
    outward = [call.tool for call in turn.executed if call.ok and call.kind == "outward" and call not in sent]
    low = (
        need("stays silent", 1.0 if contact else 0.0, 1.0, span),
        need("takes no step that reaches others", 0.25 if outward else 0.0, 0.25, *outward),
    )
    return Reading({"Low": low, "High": high})


def _to_user(call: Call) -> bool:
    return bool(_USER & set(words_of(call.summary)))
