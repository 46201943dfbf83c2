"""What is paid, when, and to whom."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

import mempa_gym  # noqa: F401 - registers the ids
from mempa_gym.agents import FixedSelector, PlannedPA, ReaderSelector
from mempa_gym.engine import Occurrence, Term
from mempa_gym.envs import timeline_v0
from mempa_gym.envs.actions import encode
from mempa_gym.envs.rewards import RewardSpec
from mempa_gym.interaction.policies import Reply, ToolUse
from mempa_gym.taxonomy import attributes


def play(env: gymnasium.Env[Any, Any], policy: PlannedPA, seed: int = 0) -> list[tuple[float, dict[str, Any]]]:
    """Returns (reward, info) of every step of an episode played by a planned PA."""
    env.reset(seed=seed)
    inner: Any = env.unwrapped
    told = None
    found = []
    while True:
        if inner.core.game.session_key != told:
            told = inner.core.game.session_key
            policy.begin_session(np.random.default_rng(0))
        _, reward, terminated, truncated, info = env.step(encode(policy.act(inner.pa_view(with_plan=True))))
        found.append((float(reward), info))
        if terminated or truncated:
            return found


def test_eval_pays_nothing_before_the_last_step_and_then_everything() -> None:
    """A strategy that reads rewards sees zeros and no more: nothing depends on a target before the timeline ends."""
    env = gymnasium.make("mempa/Timeline-v0", persona="user_b", memory="full", repeats=1)
    steps = play(env, PlannedPA(ReaderSelector()))
    for reward, info in steps[:-1]:
        assert reward == 0.0
        assert set(info["reward_terms"].values()) == {0.0}
        assert not info["privileged"]
    reward, info = steps[-1]
    assert reward > 0.0
    results = env.unwrapped.core.game.results
    spec = RewardSpec()
    probes = [r for r in results if r.kind == "probe"]
    live = [r for r in results if r.kind == "accumulation"]
    expected = sum(r.correct for r in probes) * spec.selection + sum(r.correct for r in live) * spec.selection_live
    assert info["reward_terms"]["selection"] == pytest.approx(expected)
    assert sum(info["reward_terms"].values()) == pytest.approx(reward)


def test_train_pays_at_once_and_the_same_in_all() -> None:
    late = play(
        gymnasium.make("mempa/Timeline-v0", persona="user_b", memory="full", repeats=1), PlannedPA(ReaderSelector())
    )
    early = play(
        gymnasium.make("mempa/Timeline-v0", persona="user_b", memory="full", repeats=1, reward_mode="train"),
        PlannedPA(ReaderSelector()),
    )
    assert sum(r for r, _ in early) == pytest.approx(sum(r for r, _ in late))
    assert all(info["privileged"] for _, info in early)
    assert sum(r != 0 for r, _ in early) > 20
    for reward, info in early:
        assert sum(info["reward_terms"].values()) == pytest.approx(reward)


def test_a_selection_is_paid_on_the_step_that_made_it() -> None:
    env = gymnasium.make("mempa/Session-v0", persona="user_b", reward_mode="train", reward={"selection_live": 1.0})
    policy = PlannedPA(FixedSelector({item.id: item.labels[0] for item in attributes()}))
    for seed in range(12):
        env.reset(seed=seed)
        inner: Any = env.unwrapped
        policy.begin_session(np.random.default_rng(0))
        target = inner.core.game.slot.target
        done = False
        while not done:
            action = policy.act(inner.pa_view(with_plan=True))
            selects = isinstance(action, ToolUse) and "setting" in action.arguments
            _, reward, terminated, truncated, info = env.step(encode(action))
            if selects:
                right = action.arguments["setting"] == target
                assert info["reward_terms"]["selection"] == (1.0 if right else 0.0)
                assert reward == (1.0 if right else 0.0)
            else:
                assert info["reward_terms"]["selection"] == 0.0
            done = terminated or truncated


def test_one_session_pays_nothing_in_eval() -> None:
    env = gymnasium.make("mempa/Session-v0", persona="user_b")
    for seed in range(4):
        steps = play(env, PlannedPA(ReaderSelector()), seed)
        assert {reward for reward, _ in steps} == {0.0}
        assert all(set(info["reward_terms"].values()) == {0.0} for _, info in steps)


def test_an_ask_costs_and_is_answered_once() -> None:
    env = gymnasium.make("mempa/Session-v0", persona="user_b", reward_mode="train")
    env.reset(seed=1)
    inner: Any = env.unwrapped
    policy = PlannedPA(FixedSelector({item.id: item.labels[0] for item in attributes()}))
    policy.begin_session(np.random.default_rng(0))
    asked = 0.0
    done = False
    while not done:
        view = inner.pa_view(with_plan=True)
        action = policy.act(view)
        if view.offered and asked == 0.0:
            action = Reply("How would you like me to handle this kind of thing?")
            policy.begin_session(np.random.default_rng(0))
        _, _, terminated, truncated, info = env.step(encode(action))
        asked += info["reward_terms"]["ask_cost"]
        done = terminated or truncated
    assert asked == pytest.approx(-RewardSpec().ask_cost)
    (result,) = inner.core.game.results
    assert result.asked == 1
    assert result.invalid is None
    assert result.realization == 1.0


def test_write_cost_goes_to_the_memory_alone_and_nothing_to_the_user() -> None:
    env = timeline_v0.env(
        persona="user_b", roles=("user", "memory", "pa"), reward_mode="train", reward={"write_cost": 0.5}, repeats=1
    )
    env.reset(seed=0, end_session=2)
    paid: dict[str, float] = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(max_iter=600):
        observation, reward, terminated, truncated, _ = env.last()
        paid[agent] += reward
        if terminated or truncated:
            env.step(None)
        elif agent == "user_0":
            env.step({"message": ""})
        elif agent == "memory_0":
            env.step({"text": "kept" if observation["record"] else observation["notebook"]})
        else:
            env.step({"tool": 0, "arguments": "{}", "reply": "Noted."})
    assert paid["user_0"] == 0.0
    assert paid["memory_0"] < 0.0 <= paid["pa_0"]


def test_what_a_memory_keeps_comes_back_and_what_a_probe_keeps_does_not() -> None:
    env = timeline_v0.env(persona="user_b", roles=("memory",), repeats=1)
    env.reset(seed=0)
    game = env.unwrapped.core.game
    kept: list[str] = []
    in_probe: list[str] = []
    place = -1
    probes = 0
    for number, _ in enumerate(env.agent_iter(max_iter=5000)):
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        if game.position != place:
            place, in_probe = game.position, []
        probe = game.session is not None and game.session.session.is_probe
        probes += probe
        assert observation["notebook"] == "\n".join([*kept, *in_probe])
        if observation["record"]:
            (in_probe if probe else kept).append(f"note {number}")
            env.step({"text": f"note {number}"})
        else:
            env.step({"text": observation["notebook"]})
    assert len(kept) > 150
    assert probes > 50


@pytest.mark.parametrize(
    ("term", "amount", "probe", "paid"),
    [
        (Term.SELECTION, 1.0, True, 1.0),
        (Term.SELECTION, -1.0, True, -1.0),
        (Term.SELECTION, 1.0, False, 0.1),
        (Term.REALIZATION, 5.0, True, 0.25),
        (Term.REALIZATION, 1.0, True, 0.0),
        (Term.REALIZATION, 5.0, False, 0.0),
        (Term.ASK, 1.0, False, -0.2),
        (Term.WRITE, 1.0, False, 0.0),
    ],
)
def test_the_default_prices(term: Term, amount: float, probe: bool, paid: float) -> None:
    assert RewardSpec().price(Occurrence(term, amount, probe)) == pytest.approx(paid)


def test_the_terms_of_each_agent_sum_to_its_own_reward() -> None:
    costs = {"write_cost": 0.5, "token_cost": 1.0}
    env = timeline_v0.env(persona="user_b", roles=("user", "memory", "pa"), reward_mode="train", reward=costs)
    env.reset(seed=0)
    paid: set[str] = set()
    policy = {
        "user_0": {"message": ""},
        "memory_0": {"text": "kept"},
        "pa_0": {"tool": 0, "arguments": "{}", "reply": "Noted."},
    }
    for _ in range(200):
        env.step(policy[env.agent_selection])
        for name in env.agents:
            assert sum(env.infos[name]["reward_terms"].values()) == pytest.approx(env.rewards[name])
            if env.rewards[name] != 0.0:
                paid.add(name)
    assert paid == {"memory_0", "pa_0"}


@pytest.mark.parametrize("mode", ["eval", "train"])
def test_a_refused_call_is_reported_in_both_modes(mode: str) -> None:
    env = gymnasium.make("mempa/Timeline-v0", persona="user_b", reward_mode=mode)
    env.reset(seed=0)
    assert env.step({"tool": 5, "arguments": "{broken", "reply": ""})[4]["invalid_action"]
    assert not env.step({"tool": 0, "arguments": "{}", "reply": "Noted."})[4]["invalid_action"]


def test_a_question_before_the_decision_point_costs_the_realization_too() -> None:
    env = gymnasium.make("mempa/Session-v0", persona="user_b", reward_mode="train")
    env.reset(seed=1)
    inner: Any = env.unwrapped
    slot = inner.core.game.slot
    policy = PlannedPA(FixedSelector({slot.cell.attribute: slot.target}))
    policy.begin_session(np.random.default_rng(0))
    assert not inner.pa_view().offered
    env.step(encode(Reply("How would you like me to handle this kind of thing?")))
    done = False
    while not done:
        _, _, terminated, truncated, _ = env.step(encode(policy.act(inner.pa_view(with_plan=True))))
        done = terminated or truncated
    (result,) = inner.core.game.results
    assert (result.correct, result.asked, result.realization) == (True, 1, 1.0)
