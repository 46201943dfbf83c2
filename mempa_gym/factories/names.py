"""The names a user may give for a persona, a PA policy, a memory and a judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from mempa_gym.agents import BackboneSelector, PlannedPA, RandomSelector, ReaderSelector, backbones
from mempa_gym.engine import Judge
from mempa_gym.errors import InvalidOptionError, unknown
from mempa_gym.interaction.policies import PAPolicy
from mempa_gym.personas import Persona, load_persona, persona_ids
from mempa_gym.scoring import rule_judge
from mempa_gym.timeline import scripted_personas
from mempa_gym.users import ScriptedUser, load_voice

__all__ = [
    "MATRICES",
    "PERSONA_SETS",
    "agent_names",
    "judge_names",
    "make_agent",
    "make_judge",
    "make_user",
    "resolve_persona",
]

PERSONA_SETS = ("random", "train", "eval")
MATRICES = ("written", "permuted", "final")


def resolve_persona(value: str | Persona, rng: np.random.Generator, matrix: str = "written") -> Persona:
    """Returns the persona for a name, a set of personas, or a Persona.

    "eval" draws among the packaged users that have scripts; "train" and "random" draw a counterfactual of one of
    them, with its settings permuted. ``matrix`` changes a packaged user's: "permuted" draws a counterfactual, "final"
    freezes the preferences after all changes.

    Raises:
        UnknownNameError: no such persona, set or matrix.
    """
    if matrix not in MATRICES:
        raise unknown("matrix", matrix, MATRICES)
    if isinstance(value, Persona):
        persona = value
    elif value in PERSONA_SETS:
        ids = scripted_personas()
        persona = load_persona(ids[int(rng.integers(len(ids)))])
        if value != "eval":
            return persona.permuted(rng)
    else:
        known = [*persona_ids(), *PERSONA_SETS]
        if value not in known:
            raise unknown("persona", value, known)
        if value not in scripted_personas():
            raise unknown("persona with scripts", value, (*scripted_personas(), *PERSONA_SETS))
        persona = load_persona(value)
    if matrix == "permuted":
        return persona.permuted(rng)
    return persona.frozen(persona.final) if matrix == "final" else persona


def _agents() -> Mapping[str, Callable[[Mapping[str, float]], PAPolicy]]:
    table: dict[str, Callable[[Mapping[str, float]], PAPolicy]] = {
        "reader": lambda slips: PlannedPA(ReaderSelector(), slips=slips, name="reader"),
        "random": lambda slips: PlannedPA(RandomSelector(), slips=slips, name="random"),
    }
    for name in backbones():
        table[name] = lambda slips, name=name: PlannedPA(BackboneSelector(name), slips=slips, name=name)  # type: ignore[misc]
    return table


def agent_names() -> tuple[str, ...]:
    """Returns the names of the built-in PA policies."""
    return tuple(_agents())


def make_agent(value: str | PAPolicy, slips: Mapping[str, float] | None = None) -> PAPolicy:
    """Returns the PA policy for a name, or the policy itself.

    "reader" follows the memory's evidence, "random" picks uniformly, the other names pick as a published backbone does
    without memory. All play the scripts' plans; ``slips`` makes them show another setting than they chose.

    Raises:
        UnknownNameError: no such policy.
        InvalidOptionError: neither a name nor a policy, or a slip rate that is none.
    """
    if isinstance(value, PAPolicy) and not isinstance(value, type):
        return value
    if not isinstance(value, str):
        raise InvalidOptionError(
            f"agent must be a name or a PA policy (see interaction.policies.PAPolicy), got {type(value).__name__}",
            where="agent",
        )
    table = _agents()
    if value not in table:
        raise unknown("agent", value, table)
    return table[value](slips or {})


def make_user(persona: str, *, answer_asks: bool = True) -> ScriptedUser:
    """Returns the scripted user of a packaged persona, in that user's own voice.

    Raises:
        UnknownNameError: the persona has no voice.
    """
    return ScriptedUser(load_voice(persona), answer_asks=answer_asks)


def _rule(attribute: str, setting: str, exchange: Mapping[str, Any]) -> float | None:
    score = rule_judge(attribute, setting, exchange).score
    return None if score is None else float(score)


def judge_names() -> tuple[str, ...]:
    """Returns the names of the judges."""
    return ("rule", "none")


def make_judge(name: str) -> Judge | None:
    """Returns the judge for a name: "rule", or "none" where realization is not scored.

    Raises:
        UnknownNameError: no such judge.
    """
    if name not in judge_names():
        raise unknown("judge", name, judge_names())
    return _rule if name == "rule" else None
