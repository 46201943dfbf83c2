"""What an episode tells at its end, and how one's own agent or memory is played and scored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import CustomSpaceError

import mempa_gym  # noqa: F401 - registers the ids
from mempa_gym.agents import PlannedPA, ReaderSelector
from mempa_gym.envs import timeline_v0
from mempa_gym.envs.actions import encode
from mempa_gym.errors import InvalidOptionError
from mempa_gym.interaction.policies import Reply
from mempa_gym.interaction.views import PAView
from mempa_gym.memory.full import FullMemory
from mempa_gym.runs import RunConfig, play_run, score_run


class Mine(PlannedPA):
    """An agent that is not built in."""

    def __init__(self) -> None:
        super().__init__(ReaderSelector(), name="mine")


class Mute(Mine):
    """Never calls an interaction tool."""

    def act(self, view: PAView) -> Reply:
        return Reply("Noted.")


def play(env: gymnasium.Env[Any, Any], policy: PlannedPA, **options: Any) -> list[dict[str, Any]]:
    env.reset(seed=0, options=options)
    inner: Any = env.unwrapped
    told, infos = None, []
    while True:
        if inner.core.game.session_key != told:
            told = inner.core.game.session_key
            policy.begin_session(np.random.default_rng(0))
        _, _, terminated, truncated, info = env.step(encode(policy.act(inner.pa_view(with_plan=True))))
        infos.append(info)
        if terminated or truncated:
            return infos


def test_the_last_info_holds_the_scores_and_no_earlier_one_does() -> None:
    env = gymnasium.make("mempa/Timeline-v0", persona="user_b", memory="full", repeats=2)
    infos = play(env, Mine())
    assert all(info["scores"] is None for info in infos[:-1])
    scores = infos[-1]["scores"]
    assert scores["psa"]["n"] == 56
    assert scores["psa"]["mean"] > 50.0
    assert scores["schema"] == "mempa_gym.scores/1"


def test_one_session_has_no_scores() -> None:
    infos = play(gymnasium.make("mempa/Session-v0", persona="user_b"), Mine())
    assert infos[-1]["scores"] is None
    assert infos[-1]["end_reason"] == "session_ended"


def test_a_session_without_a_choice_is_played_three_times_and_says_so() -> None:
    infos = play(gymnasium.make("mempa/Session-v0", persona="user_b"), Mute())
    attempts = [info["attempt"] for info in infos]
    assert sorted(set(attempts[:-1])) == [0, 1, 2]
    assert infos[-1]["end_reason"] == "session_failed"


def test_variants_of_a_user_can_be_told_apart() -> None:
    env = gymnasium.make("mempa/Session-v0", persona="user_b")
    _, written = env.reset(seed=1)
    names = {env.reset(seed=seed, options={"persona": "random"})[1]["persona_variant"] for seed in range(6)}
    assert written["persona_variant"] == "written"
    assert len(names) == 6
    assert env.reset(seed=3, options={"persona": "random"})[1]["persona_variant"] in names


def test_an_agent_of_ones_own_is_run_stored_and_scored(tmp_path: Path) -> None:
    out = tmp_path / "mine"
    config = RunConfig(persona="user_b", memory="full", repeats=1)
    records = play_run(config, str(out), policy=Mine())
    assert records == play_run(config, out, policy=Mine())
    assert score_run(out).psa.n == 28
    none = tmp_path / "none"
    play_run(RunConfig(persona="user_b", memory="none", repeats=1), none, policy=Mine())
    assert score_run(out, none).carry_over.mean is not None


def test_a_class_in_place_of_an_agent_is_refused() -> None:
    with pytest.raises(InvalidOptionError, match="policy"):
        timeline_v0.env(roles=("memory",), agent=Mine)


def test_a_memory_of_ones_own_is_played() -> None:
    class Last(FullMemory):
        name = "last"

    env = timeline_v0.env(persona="user_b", memory=Last, repeats=1)
    env.reset(seed=0)
    assert env.unwrapped.core.game.memory.name == "last"
    assert env.infos["pa_0"]["played_by"]["memory"] == "last"
    with pytest.raises(InvalidOptionError, match="no memory"):
        timeline_v0.env(memory=dict)


def test_flattening_endless_texts_is_refused_with_a_way_out() -> None:
    env = gymnasium.make("mempa/Session-v0", persona="user_b")
    with pytest.raises(CustomSpaceError, match="FilterObservation"):
        gymnasium.wrappers.FlattenObservation(env)
    numbers = gymnasium.wrappers.FilterObservation(env, ["observation", "tool_mask"])
    flat = gymnasium.wrappers.FlattenObservation(numbers)
    observation, _ = flat.reset(seed=0)
    assert observation.ndim == 1
