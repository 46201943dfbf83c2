"""Environments can be put back to any step: the same episode goes on, whatever was played in between."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mempa_gym  # noqa: F401 - registers the ids
from mempa_gym.envs import timeline_v0
from mempa_gym.errors import InvalidOptionError, PolicyError


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value.tolist() if isinstance(value, np.ndarray) else value


def walk(env: Any, actions: list[Any]) -> list[Any]:
    found = []
    for action in actions:
        observation, reward, terminated, truncated, info = env.step(action)
        found.append((plain(observation), reward, terminated, truncated, info))
        if terminated or truncated:
            break
    return found


@settings(max_examples=15)
@given(before=st.integers(0, 150), between=st.integers(0, 80), seed=st.integers(0, 5), reset=st.booleans())
def test_a_gymnasium_episode_goes_on_from_its_checkpoint(before: int, between: int, seed: int, reset: bool) -> None:
    env: Any = gymnasium.make("mempa/Timeline-v0", persona="user_b", memory="full", reward_mode="train", repeats=1)
    env.reset(seed=seed)
    env.action_space.seed(seed)
    walk(env, [env.action_space.sample() for _ in range(before)])
    saved = env.checkpoint()
    later = [env.action_space.sample() for _ in range(40)]
    expected = walk(env, later)
    if reset:
        env.reset(seed=seed + 1)
    walk(env, [env.action_space.sample() for _ in range(between)])
    observation, info = env.restore(saved)
    assert observation in env.observation_space
    assert info["reward_terms"]["selection"] == 0.0
    assert walk(env, later) == expected
    env.restore(saved)
    assert walk(env, later) == expected


@pytest.mark.parametrize("roles", [("pa",), ("memory",), ("user", "memory", "pa")], ids="+".join)
def test_a_pettingzoo_episode_goes_on_from_its_checkpoint(roles: tuple[str, ...]) -> None:
    env: Any = timeline_v0.env(persona="user_b", roles=roles, reward_mode="train", repeats=1)
    env.reset(seed=3)
    for agent in env.possible_agents:
        env.action_space(agent).seed(3)

    def go(count: int, actions: list[Any] | None = None) -> list[Any]:
        found = []
        for number in range(count):
            observation, reward, terminated, truncated, info = env.last()
            found.append((env.agent_selection, plain(observation), reward, terminated, truncated, dict(info)))
            if terminated or truncated:
                break
            action = env.action_space(env.agent_selection).sample() if actions is None else actions[number]
            if actions is None:
                taken.append(action)
            env.step({"message": ""} if env.agent_selection == "user_0" else action)
        return found

    taken: list[Any] = []
    go(55)
    saved = env.checkpoint()
    taken = []
    expected = go(60)
    actions = list(taken)
    go(30)
    env.restore(saved)
    assert go(60, actions) == expected


def test_a_checkpoint_needs_an_episode() -> None:
    with pytest.raises(PolicyError, match="reset"):
        gymnasium.make("mempa/Session-v0").unwrapped.checkpoint()


def test_a_story_that_stops_early_probes_what_holds_then() -> None:
    """An event behind the last session has not happened: nobody could know of it."""
    env: Any = timeline_v0.env(persona="user_b", memory="full", repeats=1)
    env.reset(seed=0, end_session=5)
    game = env.unwrapped.core.game
    persona = game.timeline.persona
    finals = [slot for slot in game.timeline.slots if slot.final]
    assert len(finals) == 28
    assert all(slot.target == persona.initial[slot.cell] for slot in finals)
    assert not game.timeline.changed


def test_a_timeline_cut_short_pays_nothing_in_eval() -> None:
    env: Any = gymnasium.make("mempa/Timeline-v0", persona="user_b", memory="none", repeats=1, max_cycles=40)
    env.reset(seed=0)
    env.action_space.seed(0)
    rewards, cut = [], False
    while not cut:
        _, reward, terminated, cut, info = env.step(env.action_space.sample())
        assert not terminated
        rewards.append(reward)
    assert len(rewards) == 40
    assert set(rewards) == {0.0}
    assert info["end_reason"] == "step_limit"


def test_an_oracle_has_nothing_to_say_in_a_live_session() -> None:
    with pytest.raises(InvalidOptionError, match="probes"):
        gymnasium.make("mempa/Session-v0", memory="oracle")


def test_what_a_policy_is_handed_cannot_be_changed() -> None:
    env: Any = gymnasium.make("mempa/Timeline-v0", persona="user_b")
    env.reset(seed=0)
    env.step({"tool": 1, "arguments": '{"query": "wine"}', "reply": ""})
    view = env.unwrapped.pa_view(with_plan=True)
    with pytest.raises(TypeError):
        view.steps[0].arguments["query"] = "x"
    with pytest.raises(TypeError):
        view.selected["verbosity"] = "Terse"
    assert view.plan is not None
    calls = view.plan.common.calls if view.plan.common else ()
    for call in calls:
        with pytest.raises(TypeError):
            call.arguments["query"] = "x"
