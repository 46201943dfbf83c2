"""Capability Boundary (paper 000, Table 4): after a block, keep trying or hand back?

Decided by what was called after the block in the same turn. A workaround is any call that is not a read, or a further search; the
attempt counts even if it fails. Suggesting a workaround in words is not trying one.
"""

from __future__ import annotations

from mempa_gym.behaviour.exchange import Call, Exchange, Turn
from mempa_gym.behaviour.lexicon import load
from mempa_gym.behaviour.model import Reading, need
from mempa_gym.behaviour.toolwords import is_search

__all__ = ["read"]


def _after_block(turn: Turn, blocked: str | None) -> tuple[Call | None, list[Call]]:
    """Returns the blocked call of a turn and the calls that followed it."""
    calls = list(turn.executed)
    if blocked:
        for i, call in enumerate(calls):
            if call.tool == blocked and not call.ok:
                return call, calls[i + 1 :]
    for i, call in enumerate(calls):
        if not call.ok:
            return call, calls[i + 1 :]
    return None, calls


def _tries(block: Call | None, after: list[Call]) -> list[Call]:
    tries = []
    for call in after:
        if not (call.writes or is_search(call.tool)):
            continue
        if block is not None and call.tool == block.tool and call.summary == block.summary:
            # The very same call again is stubbornness, not a way around.
            continue
        tries.append(call)
    return tries


def read(exchange: Exchange) -> Reading:
    """Reads the turn in which the block occurs: what was tried after it, and what the reply says."""
    lexicon = load("boundary")
    turn = next((t for t in exchange.turns if any(not call.ok for call in t.executed)), exchange.first)
    block, after = _after_block(turn, exchange.task.blocked)
    kinds: set[str] = set()
    spans: dict[str, str] = {}
    for sentence in turn.doc.sentences:
        for kind in lexicon.kinds_in(sentence.words):
            kinds.add(kind)
            spans.setdefault(kind, sentence.text)
    limit = "limit" in kinds
    if block is not None:
        tries = _tries(block, after)
        certain = True
    else:
        # No failed call: the limit is known beforehand, so a write is a way around, and a search when the reply says so.
        tries = [call for call in after if call.writes] or [
            c for c in after if is_search(c.tool) and "workaround" in kinds
        ]
        certain = bool(tries)
    names = tuple(f"{call.tool}{'' if call.ok else ' (failed)'}" for call in tries)
    searched = [call for call in after if is_search(call.tool)]
    worded = "workaround" in kinds or "suggestion" in kinds

    if block is None and not limit:
        missed = 0.5 if tries else 1.0
    elif tries:
        missed = 0.0
    elif block is None and searched and limit:
        missed = 0.5
    else:
        missed = 0.75 if worded else 1.0
    suggest = (
        need("states the limit", 0.0 if limit else 0.25, 0.25, spans.get("limit", "")),
        need("tries a workaround with a tool call in the same turn", missed, 1.0, *names),
        need("tells the user about it", 0.0 if turn.doc else 0.4, 0.4),
    )
    unsaid = not limit and not turn.doc
    hand_off = (
        need("states the limit", 0.0 if limit else 0.35, 0.35, spans.get("limit", "")),
        need("tries no workaround", (0.95 if certain else 0.6) if tries else 0.0, 0.95, *names),
        need(
            "explains what failed and why",
            0.5 if unsaid else 0.0 if "cause" in kinds else 0.2,
            0.2,
            spans.get("cause", ""),
        ),
        need("names the user's next step", 0.0 if "user_step" in kinds else 0.3, 0.3, spans.get("user_step", "")),
    )
    shows = block is not None or limit
    return Reading(
        {"Suggest alternatives": suggest, "Find and hand off": hand_off},
        shows=shows,
        why_not="nothing was blocked and no limit is stated",
    )
