"""Capability Boundary (paper 000, Table 4): after a block, keep trying or hand back?

Decided by what was called after the block in the same turn. A workaround is any call that is not a read, or a further
search; the attempt counts even if it fails. Suggesting a workaround in words is not trying one.
"""

from __future__ import annotations

from mempa_gym.behaviour.exchange import Call, Exchange, Turn
from mempa_gym.behaviour.lexicon import load
from mempa_gym.behaviour.model import Reading, need
from mempa_gym.behaviour.toolwords import is_search

__all__ = ["read"]


def read(exchange: Exchange) -> Reading:
    """Reads the turn in which the block occurs: what was tried after it, and what the reply says."""
    turn = next((t for t in exchange.turns if any(not call.ok for call in t.executed)), exchange.first)
    said = _said(turn)
    block, after = _after_block(turn, exchange.task.blocked)
    limit = said.get("limit", "")
    if block is not None:
        tries = [call for call in after if _is_attempt(call) and not _is_repeat(call, block)]
    else:
        # Without a failed call the limit was known beforehand: a write is a way around, and a search when so called.
        tries = [call for call in after if call.writes]
        tries = tries or [call for call in after if is_search(call.tool) and "workaround" in said]
    names = tuple([f"{call.tool}{'' if call.ok else ' (failed)'}" for call in tries])
    blocked = block is not None or bool(limit)
    if tries:
        untried = 0.0 if blocked else 0.5
    elif block is None and limit and any(is_search(call.tool) for call in after):
        untried = 0.5
    else:
        untried = 0.75 if "workaround" in said or "suggestion" in said else 1.0
    suggest = (
        need("states the limit", 0.25 * (not limit), 0.25, limit),
        need("tries a workaround with a tool call in the same turn", untried, 1.0, *names),
        need("tells the user about it", 0.4 * (not turn.doc), 0.4),
    )
    explained = said.get("cause", "")
    hand_off = (
        need("states the limit", 0.35 * (not limit), 0.35, limit),
        need("tries no workaround", 0.95 * bool(tries), 0.95, *names),
        need("explains what failed and why", 0.0 if explained else 0.2 if turn.doc else 0.5, 0.2, explained),
        need("names the user's next step", 0.3 * ("user_step" not in said), 0.3, said.get("user_step", "")),
    )
    return Reading(
        {"Suggest alternatives": suggest, "Find and hand off": hand_off},
        shows=blocked,
        why_not="nothing was blocked and no limit is stated",
    )


def _said(turn: Turn) -> dict[str, str]:
    # Kind of phrase to the first sentence that has one.
    lexicon = load("boundary")
    found: dict[str, str] = {}
    for sentence in turn.doc.sentences:
        for kind in sorted(lexicon.kinds_in(sentence.words)):
            found.setdefault(kind, sentence.text)
    return found


def _after_block(turn: Turn, blocked: str | None) -> tuple[Call | None, tuple[Call, ...]]:
    """Returns the blocked call of a turn and the calls that followed it; all calls when none was blocked."""
    failed = [i for i, call in enumerate(turn.executed) if not call.ok]
    if not failed:
        return None, turn.executed
    place = next((i for i in failed if turn.executed[i].tool == blocked), failed[0])
    return turn.executed[place], turn.executed[place + 1 :]


def _is_attempt(call: Call) -> bool:
    return call.writes or is_search(call.tool)


def _is_repeat(call: Call, block: Call) -> bool:
    # The very same call again is no way around.
    return call.tool == block.tool and call.summary == block.summary
