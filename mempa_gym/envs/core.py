"""What the PettingZoo and the Gymnasium timeline environments share: one game, its rewards and its infos.

The environments differ in how they are called, not in what happens, so everything that could drift apart stands here. A
core is given a builder and built-in policies as objects; it knows neither names nor files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from mempa_gym.engine import Checkpoint, EndReason, Occurrence, Phase, Term, TimelineEngine, play
from mempa_gym.envs.observations import pa_observation, transcript
from mempa_gym.envs.options import EpisodeOptions
from mempa_gym.envs.rewards import RewardMode, RewardSpec
from mempa_gym.errors import InvalidOptionError, PolicyError, unknown
from mempa_gym.interaction.policies import PAAction, PAPolicy
from mempa_gym.interaction.views import PublicTurn
from mempa_gym.personas import Persona, load_persona, persona_ids
from mempa_gym.scoring.scores import score_results

__all__ = ["ROLES", "CoreCheckpoint", "TimelineBuilder", "TimelineCore", "resolve_roles"]

# Role to agent name (architecture: agents).
ROLES: Mapping[str, str] = {"user": "user_0", "memory": "memory_0", "pa": "pa_0"}
_PHASES_OF_ROLE: Mapping[str, tuple[Phase, ...]] = {
    "user": (Phase.SPEAK,),
    "memory": (Phase.RECALL, Phase.WRITE),
    "pa": (Phase.ACT,),
}


def persona_variant(persona: Persona) -> str:
    """Returns "written" for a user as packaged, else a name of the preferences; equal ones have equal names."""
    packaged = load_persona(persona.id) if persona.id in persona_ids() else None
    if packaged is not None and (persona.initial, persona.changes) == (packaged.initial, packaged.changes):
        return "written"
    text = repr((sorted(persona.initial.items()), persona.changes))
    return f"variant-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


class TimelineBuilder(Protocol):
    """Makes the game of one episode."""

    def build(self, options: EpisodeOptions, rng: np.random.Generator) -> TimelineEngine:
        """Returns a fresh game; all its randomness comes from ``rng``."""
        ...


def resolve_roles(roles: Any) -> tuple[str, ...]:
    """Returns the roles played from outside, in acting order.

    Raises:
        InvalidOptionError: no role, or a role twice.
        UnknownNameError: a role that does not exist.
    """
    if isinstance(roles, str):
        roles = (roles,)
    if not isinstance(roles, Iterable):
        raise InvalidOptionError(f"roles must be a list of names, got {roles!r}", where="roles")
    names = tuple(roles)
    for name in names:
        if not isinstance(name, str) or name not in ROLES:
            raise unknown("role", name, ROLES)
    if not names or len(set(names)) != len(names):
        raise InvalidOptionError(
            f"roles must name each role at most once and at least one, got {names!r}", where="roles"
        )
    return tuple(name for name in ROLES if name in names)


@dataclass(frozen=True, slots=True)
class CoreCheckpoint:
    """A frozen copy of an episode: the game it belongs to and where that stood."""

    engine: TimelineEngine
    game: Checkpoint
    persona: str
    variant: str
    policy: Any
    told: tuple[int, int, int] | None
    owed: tuple[Occurrence, ...]
    invalid: bool


class TimelineCore:
    """One episode after another of a timeline, waiting only for the roles played from outside."""

    def __init__(
        self,
        builder: TimelineBuilder,
        *,
        roles: tuple[str, ...],
        policy: PAPolicy | None,
        memory_name: str,
        reward: RewardSpec,
        mode: RewardMode,
        judge_name: str,
        one_session: bool = False,
    ) -> None:
        self.builder = builder
        self.roles = roles
        self._outside = tuple(phase for role in roles for phase in _PHASES_OF_ROLE[role])
        self.reward = reward
        self.mode = mode
        self.policy = policy
        self.played_by = {
            "user": "agent" if "user" in roles else "scripted",
            "memory": "agent" if "memory" in roles else memory_name,
            "pa": "agent" if "pa" in roles else (policy.name if policy is not None else "none"),
        }
        self.judge_name = judge_name
        self.one_session = one_session
        self.engine: TimelineEngine | None = None
        self.persona = ""
        self.variant = ""
        self._told: tuple[int, int, int] | None = None
        self._owed: list[Occurrence] = []
        self.invalid = False
        # The transcript grows once a turn and is shown at every call.
        self._spoken: tuple[tuple[PublicTurn, ...], str] = ((), "")

    def observe_pa(self) -> dict[str, Any]:
        """Returns what the PA sees now; the empty observation while it is not its turn."""
        if self.game.phase is not Phase.ACT:
            return pa_observation(None)
        view = self.game.pa_view()
        if self._spoken[0] is not view.turns:
            self._spoken = (view.turns, transcript(view.turns))
        return pa_observation(view, self._spoken[1])

    def reset(self, options: EpisodeOptions, rng: np.random.Generator) -> None:
        """Starts the next episode and plays on to the first outside action."""
        self.engine = self.builder.build(options, rng)
        self.persona = self.engine.timeline.persona.id
        self.variant = persona_variant(self.engine.timeline.persona)
        self._told = None
        self._owed = []
        self.invalid = False
        self._play_inside()

    @property
    def game(self) -> TimelineEngine:
        """The game in play. Raises PolicyError before the first reset."""
        if self.engine is None:
            raise PolicyError("no episode has begun", where="environment", remedy="Call reset() first")
        return self.engine

    @property
    def waiting(self) -> str | None:
        """The role that is to act, or None when the timeline has ended."""
        phase = self.game.phase
        # Compared one by one: an enum's hash is computed anew at every look-up.
        if phase is Phase.ACT:
            return "pa"
        if phase is Phase.SPEAK:
            return "user"
        return None if phase is Phase.DONE else "memory"

    def act_pa(self, action: PAAction) -> None:
        """Takes the PA's action and plays on."""
        self.game.do_pa(action)
        self._play_inside()

    def act_memory(self, text: str) -> None:
        """Takes the memory's action: the evidence it returns, or what it keeps."""
        if self.game.phase is Phase.RECALL:
            self.game.do_recall(text)
        else:
            self.game.do_write(text)
        self._play_inside()

    def act_user(self, message: str) -> list[str]:
        """Takes the user's message; returns what is wrong with it when it was not delivered."""
        problems = self.game.do_user(message)
        self._play_inside()
        return problems

    def _play_inside(self) -> None:
        self._told = play(self.game, self.policy, stop=self._is_outside, started=self._told)

    def _is_outside(self, game: TimelineEngine) -> bool:
        return game.phase in self._outside

    def collect(self) -> dict[str, float]:
        """Returns the reward terms due now and forgets them.

        In ``train`` mode what was caused since the last call; in ``eval`` mode nothing until the timeline has ended,
        then everything. A timeline that is cut short and an episode of one session pay nothing in ``eval``: their end
        would tell whether the last choice was right.
        """
        game = self.game
        found = game.drain()
        self.invalid = bool(found) and any(item.term is Term.INVALID for item in found)
        if self.mode == "train":
            return self.reward.terms(found)
        if found:
            self._owed.extend(found)
        if game.end_reason is EndReason.TIMELINE_ENDED and not self.one_session:
            owed, self._owed = self._owed, []
            return self.reward.terms(owed)
        return self.reward.terms(())

    def info(self, terms: dict[str, float]) -> dict[str, Any]:
        """Returns the info dict around ``terms``; its keys are the same at every step and its values JSON-able."""
        game = self.game
        reason = game.end_reason
        if reason is EndReason.TIMELINE_ENDED and self.one_session:
            failed = any(result.invalid is not None for result in game.results)
            reason = EndReason.SESSION_FAILED if failed else EndReason.SESSION_ENDED
        done = game.done
        return {
            "persona": self.persona,
            "persona_variant": self.variant,
            "played_by": self.played_by.copy(),
            "reward_terms": terms,
            "reward_mode": self.mode,
            "privileged": self.mode == "train",
            "end_reason": str(reason),
            "attempt": 0 if done else game.session_key[2],
            "judge": self.judge_name,
            "told_context": game.config.told_context,
            "scores": self._scores() if done else None,
        }

    def _scores(self) -> dict[str, Any] | None:
        """Returns the scores once a timeline has ended; before that they would tell what was right."""
        if self.game.end_reason is not EndReason.TIMELINE_ENDED or self.one_session:
            return None
        return score_results(self.persona, self.game.results).to_json()

    def checkpoint(self) -> CoreCheckpoint:
        """Returns a frozen copy of the episode, built-in policy included."""
        policy = self.policy.get_state() if self.policy is not None else None
        return CoreCheckpoint(
            engine=self.game,
            game=self.game.checkpoint(),
            persona=self.persona,
            variant=self.variant,
            policy=policy,
            told=self._told,
            owed=tuple(self._owed),
            invalid=self.invalid,
        )

    def restore(self, saved: CoreCheckpoint) -> None:
        """Puts the episode back; one that has been left by a reset is taken up again."""
        saved.engine.restore(saved.game)
        self.engine = saved.engine
        if self.policy is not None:
            self.policy.set_state(saved.policy)
        self.persona, self.variant = saved.persona, saved.variant
        self._told, self.invalid = saved.told, saved.invalid
        self._owed = list(saved.owed)

    def truncate(self, reason: EndReason) -> None:
        """Stops the game before its end."""
        self.game.stop(reason)
