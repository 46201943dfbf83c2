"""A persona timeline as a PettingZoo AEC environment."""

from __future__ import annotations

import copy
import json
from typing import Any

import numpy as np
from gymnasium.spaces import Dict, Space
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from mempa_gym.engine import EndReason, Phase
from mempa_gym.envs import actions, observations
from mempa_gym.envs.core import ROLES, TimelineCore
from mempa_gym.envs.options import read_options
from mempa_gym.envs.render import RENDER_MODES, check_render_mode, render
from mempa_gym.envs.spaces import AnyText
from mempa_gym.errors import InvalidActionError

__all__ = ["TimelineAEC"]

# What PettingZoo keeps of an episode beside the game; all of it plain values.
_EPISODE = (
    "agents",
    "rewards",
    "_cumulative_rewards",
    "terminations",
    "truncations",
    "infos",
    "agent_selection",
    "_skip_agent_selection",
    "_steps",
    "_invalid",
    "_last",
)
_ROLE_OF_AGENT = {agent: role for role, agent in ROLES.items()}


class TimelineAEC(AECEnv[str, Any, Any]):  # type: ignore[misc]  # PettingZoo ships no types
    """One persona's timeline: sessions, change events and probes, played turn by turn.

    A user turn is: ``user_0`` speaks, ``memory_0`` recalls evidence, ``pa_0`` acts one model call at a time until it
    delivers a reply, ``memory_0`` writes. Roles that are not played from outside are played by built-in policies,
    named in ``info["played_by"]``. Change events are replayed; only a memory acts in them.

    Arguments of ``timeline_v0.env``: ``factories.timeline.TimelineArguments``.

    ## Agents and actions

    | agent | acts | action |
    | --- | --- | --- |
    | user_0 | once a user turn | Dict ``message`` (text; empty takes the script's message) |
    | memory_0 | twice a user turn | Dict ``text`` (recall: the evidence; write: what to keep, empty for nothing) |
    | pa_0 | up to 40 times a user turn | Dict ``tool`` (Discrete), ``arguments`` (JSON text), ``reply`` (text) |

    Tools are numbered as in ``envs.actions.tool_names``; tool 0 delivers ``reply`` and ends the turn. Any sample is
    legal; at worst the call is answered with an error result.

    ## Observations

    Each a Dict with numbers under ``observation`` (float32) and words beside it.

    | agent | keys |
    | --- | --- |
    | pa_0 | observation, tool_mask (int8), now, user, event, evidence, result, transcript, held, reminder |
    | memory_0 | observation (recalling, writing), now, query, record, notebook |
    | user_0 | observation (probe, event turn), brief, suggestion, heard |

    ``envs.observations.feature_names`` names the PA's numbers. What an agent must not know (target, cell, context,
    session number, whether it is a probe) is in no observation of ``pa_0`` or ``memory_0``. ``user_0`` plays a person
    who knows what she wants: its brief holds her life, the beat's goal and, on the decision and reaction beats, the
    tested attribute with her setting.

    ## Rewards

    ``RewardSpec`` weighs selections (PSA), realization (BRS), asks and costs. Rewards go to pa_0 and memory_0 alike,
    except write_cost to memory_0 alone and nothing to user_0. ``reward_mode="eval"`` (default) pays the total on the
    last step; ``"train"`` pays at once and marks the run privileged.

    ## Episode end

    Terminated when the timeline has ended. Truncated at ``max_cycles`` steps, with the observations of that moment.

    ## Info keys

    persona, persona_variant, played_by, reward_terms, reward_mode, privileged, end_reason, attempt, judge,
    told_context, invalid_action, scores (None until the timeline has ended).

    ## Version history

    - v0: first version.
    """

    metadata = {  # noqa: RUF012 - PettingZoo's own declaration
        "name": "timeline_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(self, core: TimelineCore, *, render_mode: str | None = None, max_cycles: int | None = None) -> None:
        super().__init__()
        self.core = core
        self.render_mode = check_render_mode(render_mode)
        self.max_cycles = max_cycles
        self.possible_agents = [ROLES[role] for role in core.roles]
        self.agents: list[str] = []
        action_spaces: dict[str, Space[Any]] = {
            "pa_0": actions.action_space(),
            "memory_0": Dict({"text": AnyText()}),
            "user_0": Dict({"message": AnyText()}),
        }
        observation_spaces: dict[str, Space[Any]] = {
            "pa_0": observations.pa_space(),
            "memory_0": observations.memory_space(),
            "user_0": observations.user_space(),
        }
        self.action_spaces = {agent: action_spaces[agent] for agent in self.possible_agents}
        self.observation_spaces = {agent: observation_spaces[agent] for agent in self.possible_agents}
        self.np_random: np.random.Generator | None = None
        self._steps = 0
        self._invalid = False
        # What each agent saw when the episode was cut short, for a learner that values the state it was cut in.
        self._last: dict[str, dict[str, Any]] = {}

    def observation_space(self, agent: str) -> Space[Any]:
        """Returns the same space object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Returns the same space object at every call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts an episode.

        Args:
            seed: seeds the generator; None goes on with the one there is.
            options: persona, start_session, end_session; see ``envs.options``.
        """
        chosen = read_options(options, {})
        if seed is not None or self.np_random is None:
            self.np_random, _ = seeding.np_random(seed)
        self.core.reset(chosen, self.np_random)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._steps = 0
        self._invalid = False
        self._last = {}
        self._close_step()

    def step(self, action: Any) -> None:
        """Takes the action of ``agent_selection``.

        Raises:
            InvalidActionError: the action is not of the agent's space.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._invalid = False
        role = _ROLE_OF_AGENT[agent]
        if role == "pa":
            self.core.act_pa(actions.decode(action))
        elif role == "memory":
            self.core.act_memory(_text(action, "text"))
        else:
            self._invalid = bool(self.core.act_user(_text(action, "message")))
        self._steps += 1
        if self.max_cycles is not None and self._steps >= self.max_cycles and self.core.waiting is not None:
            self._last = {agent: self.observe(agent) for agent in self.agents}
            self.core.truncate(EndReason.STEP_LIMIT)
        self._close_step()
        for agent, reward in self.rewards.items():
            self._cumulative_rewards[agent] += reward

    def _close_step(self) -> None:
        core = self.core
        terms = core.collect()
        waiting = core.waiting
        if waiting is None:
            stopped = core.game.end_reason is not EndReason.TIMELINE_ENDED
            self.terminations = dict.fromkeys(self.agents, not stopped)
            self.truncations = dict.fromkeys(self.agents, stopped)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = ROLES[waiting]
        self.rewards = {}
        self.infos = {}
        for agent in self.agents:
            paid = self._paid(agent, terms)
            self.rewards[agent] = sum(paid.values())
            self.infos[agent] = info = core.info(paid)
            info["invalid_action"] = self._invalid or core.invalid

    @staticmethod
    def _paid(agent: str, terms: dict[str, float]) -> dict[str, float]:
        """Returns an agent's share of the terms, as a dict of its own."""
        if agent == "user_0":
            return dict.fromkeys(terms, 0.0)
        return {**terms, "write_cost": 0.0} if agent == "pa_0" else terms.copy()

    def observe(self, agent: str) -> dict[str, Any]:
        """Returns what an agent may see; empty fields while it is not its turn."""
        if self._last:
            return self._last[agent]
        role = _ROLE_OF_AGENT[agent]
        if role == "pa":
            return self.core.observe_pa()
        game = self.core.game
        acting = self.core.waiting == role
        if role == "memory":
            query = game.memory_query() if acting and game.phase is Phase.RECALL else None
            record = game.turn_record() if acting and game.phase is Phase.WRITE else None
            return observations.memory_observation(query, record, game.notebook_text() if acting else "")
        if not acting or game.session is None:
            return observations.user_observation("", "", "", probe=False, event=False)
        turn = game.user_proposal()
        session = game.session
        heard = session.turns[-1].reply if session.turns else ""
        return observations.user_observation(
            json.dumps(game.user_brief(), ensure_ascii=False),
            turn.message,
            heard,
            probe=session.session.is_probe,
            event=turn.event is not None,
        )

    def checkpoint(self) -> Any:
        """Returns a frozen copy of the episode; ``restore`` takes it back at any later time, in this environment.

        Raises:
            PolicyError: no episode has begun.
        """
        core = self.core.checkpoint()
        assert self.np_random is not None
        fields = {name: copy.deepcopy(getattr(self, name, None)) for name in _EPISODE}
        return core, fields, self.np_random.bit_generator.state

    def restore(self, saved: Any) -> None:
        """Puts the episode back to a checkpoint."""
        core, fields, generator = saved
        self.core.restore(core)
        assert self.np_random is not None
        self.np_random.bit_generator.state = generator
        for name, value in fields.items():
            setattr(self, name, copy.deepcopy(value))

    def render(self) -> str | None:
        """Returns (ansi) or prints (human) the session in play."""
        return render(self.core.engine, self.render_mode)

    def close(self) -> None:
        """Does nothing; there is nothing to release."""


def _text(action: Any, key: str) -> str:
    value = action.get(key) if isinstance(action, dict) else action
    if not isinstance(value, str):
        raise InvalidActionError(
            f"the action must be a dict with the text {key!r}, got {action!r}", where="step(action)"
        )
    return value
