"""Which stored runs may be pooled, and which may serve as reference."""

from __future__ import annotations

from pathlib import Path

import pytest

from mempa_gym.errors import RunError
from mempa_gym.runs import RunConfig, play_run, score_run

RUNS = {
    "full": {"memory": "full"},
    "full_1": {"memory": "full", "seed": 1},
    "full_random": {"memory": "full", "agent": "random", "seed": 2},
    "none": {"memory": "none"},
    "none_random": {"memory": "none", "agent": "random"},
    "oracle": {"memory": "oracle"},
    "permuted": {"memory": "full", "matrix": "permuted"},
    "none_permuted": {"memory": "none", "matrix": "permuted", "seed": 1},
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("scored")
    for name, config in RUNS.items():
        play_run(RunConfig(**{"persona": "user_b", "repeats": 1, "judge": "none", **config}), root / name)
    return root


def test_histories_of_one_user_are_pooled_whole(runs: Path) -> None:
    one, two = score_run(runs / "full"), score_run(runs / "full_1")
    both = score_run(runs / "full", runs / "full_1")
    for name in ("psa", "cs", "pet"):
        first, second, pooled = (getattr(scores, name) for scores in (one, two, both))
        assert pooled.n == first.n + second.n
        assert pooled.mean == pytest.approx((first.mean * first.n + second.mean * second.n) / pooled.n)


def test_what_is_not_one_condition_is_not_pooled(runs: Path) -> None:
    with pytest.raises(RunError, match="agent 'reader' and 'random'"):
        score_run(runs / "full", runs / "full_random")
    with pytest.raises(RunError, match="memory 'none' and 'oracle'"):
        score_run(runs / "none", runs / "oracle")
    with pytest.raises(RunError, match="matrix"):
        score_run(runs / "full_1", runs / "permuted")


def test_a_run_counts_once(runs: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="given twice"):
        score_run(runs / "full", runs / "full")
    again = tmp_path / "again"
    play_run(RunConfig(persona="user_b", repeats=1, judge="none", memory="full"), again)
    with pytest.raises(RunError, match="same user and seed"):
        score_run(runs / "full", again)


def test_none_and_oracle_beside_another_memory_are_its_references(runs: Path) -> None:
    named = score_run(runs / "full", reference=[runs / "none", runs / "oracle"])
    assert named == score_run(runs / "full", runs / "none", runs / "oracle")
    assert named.psa == score_run(runs / "full").psa
    low, high = score_run(runs / "none").psa.mean, score_run(runs / "oracle").psa.mean
    assert named.psa.mean is not None
    assert low is not None
    assert high is not None
    assert named.normalised.mean == pytest.approx((named.psa.mean - low) / (high - low))
    assert named.carry_over.mean is not None


def test_a_reference_belongs_to_the_runs(runs: Path) -> None:
    with pytest.raises(RunError, match="agent 'reader' and 'random'"):
        score_run(runs / "full", reference=[runs / "none_random"])
    with pytest.raises(RunError, match="of seed 1"):
        score_run(runs / "permuted", reference=[runs / "none_permuted"])
