"""A persona timeline, or one session of it, as a Gymnasium environment for a single PA."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from mempa_gym.engine import EndReason, Phase
from mempa_gym.envs import actions, observations
from mempa_gym.envs.core import TimelineCore
from mempa_gym.envs.options import read_options
from mempa_gym.envs.render import RENDER_MODES, check_render_mode, render
from mempa_gym.errors import PolicyError
from mempa_gym.interaction.views import PAView
from mempa_gym.personas import Persona

__all__ = ["TimelineEnv"]


class TimelineEnv(gymnasium.Env[dict[str, Any], dict[str, Any]]):
    """The PA's seat of a timeline; user and memory are played inside.

    One step is one model call: a tool call, or the reply that ends the user turn. ``mempa/Timeline-v0`` plays a
    persona's whole timeline in an episode, ``mempa/Session-v0`` one live session of it, drawn anew at each reset.

    Arguments of ``gymnasium.make``: ``factories.timeline.TimelineArguments``.

    ## Action space

    Dict ``tool`` (Discrete, ``envs.actions.tool_names``), ``arguments`` (JSON text), ``reply`` (text). Tool 0
    delivers the reply. Any sample is legal; at worst a call is answered with an error result. ``envs.actions.encode``
    builds actions from names and arguments, ``interaction.actions`` from OpenAI messages.

    ## Observation space

    | key | content |
    | --- | --- |
    | observation | float32, named in ``envs.observations.feature_names`` |
    | tool_mask | int8, which tools make sense now; also ``action_masks()`` as bool |
    | now | story time YYYY-MM-DDTHH:MM |
    | user, event | what opened the turn |
    | evidence | what the memory returned |
    | result | result of the last call |
    | transcript | finished turns of this session |
    | held, reminder | items waiting for consent; the harness's reminder |

    ## Rewards

    See ``RewardSpec``. ``reward_mode="eval"`` (default) pays 0.0 until the timeline's last step; Session-v0 in eval
    pays 0.0. ``"train"`` pays when caused.

    ## Episode end

    Terminated when the timeline (or session) has ended; truncated only after ``max_cycles`` steps, with the observation
    that the next call would have been made on.

    ## Info keys

    persona, persona_variant, played_by, reward_terms, reward_mode, privileged, end_reason, attempt, judge,
    told_context, invalid_action, scores (None until the timeline has ended).

    ## Reset options

    persona (a name, a Persona, "random", "train", "eval"), start_session, end_session; as keyword arguments of
    ``reset`` or inside ``options``. A value holds for that episode.

    ## Version history

    - v0: first version.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 - Gymnasium's own declaration

    def __init__(self, core: TimelineCore, *, render_mode: str | None = None, max_steps: int | None = None) -> None:
        self.core = core
        self.render_mode = check_render_mode(render_mode)
        self.max_steps = max_steps
        self.observation_space = observations.pa_space()
        self.action_space = actions.action_space()
        self._steps = 0
        self._ended = True

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,
        persona: str | Persona | None = None,
        start_session: int | None = None,
        end_session: int | None = None,
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Starts an episode and returns its first observation and info.

        Raises:
            InvalidOptionError: an option's value cannot be used.
            UnknownNameError: an unknown persona; the message lists the valid ones.
        """
        super().reset(seed=seed)
        given = {"persona": persona, "start_session": start_session, "end_session": end_session}
        self.core.reset(read_options(options, given), self.np_random)
        self._steps = 0
        self._ended = self.core.waiting is None
        return self._observe(), self._info(self.core.collect())

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Takes one model call.

        Raises:
            InvalidActionError: the action is not of the action space.
            PolicyError: the episode has ended or not begun.
        """
        if self._ended:
            raise PolicyError(
                "the episode has ended or was never started", where="step", remedy="Call reset() before the next step"
            )
        self.core.act_pa(actions.decode(action))
        self._steps += 1
        observation = self._observe()
        if self.max_steps is not None and self._steps >= self.max_steps and self.core.waiting is not None:
            self.core.truncate(EndReason.STEP_LIMIT)
        self._ended = self.core.game.phase is Phase.DONE
        truncated = self._ended and self.core.game.end_reason is not EndReason.TIMELINE_ENDED
        terms = self.core.collect()
        reward = sum(terms.values()) - terms["write_cost"]
        return observation, reward, self._ended and not truncated, truncated, self._info(terms)

    def pa_view(self, *, with_plan: bool = False) -> PAView:
        """Returns the PA's view of the current call, for policies that read views instead of observations.

        Args:
            with_plan: add the script's plan, a privileged channel for planned PAs (``agents.PlannedPA``).

        Raises:
            PolicyError: the episode has ended or not begun.
        """
        if self._ended:
            raise PolicyError("there is nothing to act on", where="pa_view", remedy="Call reset() first")
        return self.core.game.pa_view(with_plan=with_plan)

    def checkpoint(self) -> Any:
        """Returns a frozen copy of the episode; ``restore`` takes it back at any later time, in this environment.

        Raises:
            PolicyError: no episode has begun.
        """
        return self.core.checkpoint(), self._steps, self._ended, self.np_random.bit_generator.state

    def restore(self, saved: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Puts the episode back to a checkpoint and returns its observation and info."""
        core, self._steps, self._ended, generator = saved
        self.core.restore(core)
        self.np_random.bit_generator.state = generator
        return self._observe(), self._info(self.core.reward.terms(()))

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Returns the tool mask as bool, shape (number of tools,)."""
        return np.asarray(observations.pa_mask(None if self._ended else self.core.game.pa_view()), dtype=np.bool_)

    def render(self) -> Any:
        """Returns (ansi) or prints (human) the session in play."""
        return render(self.core.engine, self.render_mode)

    def _observe(self) -> dict[str, Any]:
        return self.core.observe_pa()

    def _info(self, terms: dict[str, float]) -> dict[str, Any]:
        return {**self.core.info({**terms, "write_cost": 0.0}), "invalid_action": self.core.invalid}
