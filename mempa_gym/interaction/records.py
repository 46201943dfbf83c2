"""What a memory may keep of an agent's calls (paper 000, E.4).

A memory gets the turn as the agent saw it, without held content, policy fields and withheld text. The rule, by kind of
call:

- a world call that ran: everything;
- a held or refused world call: the tool and what became of it, no arguments;
- a selection: everything;
- a payload: the part that was delivered; of a payload that was replaced by a later one in the same turn, nothing;
- a release that ran its item: the call that ran, since it is held no longer;
- any other interaction call, accepted or not: the tool and whether it was accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mempa_gym.interaction.held import HeldItem
from mempa_gym.interaction.tools import RELEASE, attribute_of, is_interaction_tool
from mempa_gym.interaction.views import Step

__all__ = ["record_steps"]

_HELD = '{"status": "held"}'
_NOT_ACCEPTED = "Error: the call was not accepted."


def record_steps(
    steps: Iterable[Step], delivered: Mapping[str, Mapping[str, Any]], releases: Sequence[HeldItem | None]
) -> tuple[Step, ...]:
    """Returns the calls of a turn as a memory may keep them.

    Args:
        steps: all calls of the turn, in order.
        delivered: attribute id to the delivered part of the payload that was rendered.
        releases: for each release call of the turn the item it let run, or None.
    """
    calls = list(steps)
    last = {step.tool: place for place, step in enumerate(calls) if step.ok and "payload" in step.arguments}
    ran = iter(releases)
    kept = []
    for place, step in enumerate(calls):
        if not is_interaction_tool(step.tool):
            kept.append(_world(step))
        elif step.tool == RELEASE:
            item = next(ran, None)
            kept.append(
                _refused(step) if item is None else replace(step, tool=item.tool, arguments=item.arguments, ran=True)
            )
        elif not step.ok:
            kept.append(_refused(step))
        elif "payload" in step.arguments:
            shown = delivered.get(attribute_of(step.tool), {}) if last[step.tool] == place else {}
            kept.append(replace(step, arguments={"payload": dict(shown)}))
        else:
            kept.append(step)
    return tuple(kept)


def _world(step: Step) -> Step:
    if step.ran:
        return step
    return replace(step, arguments={}, text=_HELD if step.ok else step.text)


def _refused(step: Step) -> Step:
    return replace(step, arguments={}, ok=False, text=_NOT_ACCEPTED)
