"""What the conditions must score, worked out apart from the engine."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from mempa_gym.agents import PlannedPA, RandomSelector, ReaderSelector, backbone_shares, backbones
from mempa_gym.engine import SlotResult, play_out
from mempa_gym.personas import Persona, load_persona
from mempa_gym.runs import RunConfig, play_run
from mempa_gym.runs.codec import outcome_of
from mempa_gym.scoring.scores import Scores, score_outcomes
from mempa_gym.taxonomy import attribute, attributes, cells, dimensions, mean_random_accuracy
from tests.engine.games import whole


def scored(config: RunConfig) -> Scores:
    records = play_run(config)
    return score_outcomes([outcome_of(config.persona, r) for r in records if r["kind"] == "probe"])


@pytest.mark.parametrize("matrix", ["written", "permuted", "final"])
def test_the_oracle_is_the_ceiling(matrix: str) -> None:
    scores = scored(RunConfig(persona="user_b", memory="oracle", matrix=matrix, seed=3))
    assert scores.psa.mean == 100.0
    assert scores.cs.mean in (100.0, None)
    assert scores.pet.mean in (100.0, None)
    assert scores.brs.mean is not None
    assert scores.brs.mean >= 4.5
    assert not scores.floors
    assert not scores.incomplete


def test_random_selection_is_at_its_expectation() -> None:
    """200 seeds, 28 final probes, three repeats: one standard error is 0.4 points.

    Probes start from the world's start: a random pick does not look at the world, so no reference run is needed.
    """
    right = total = 0
    for seed in range(200):
        game = play_out(whole("none", seed=seed, repeats=3, accumulate=False), PlannedPA(RandomSelector()))
        final = [r for r in game.results if r.final]
        right += sum(r.correct for r in final)
        total += len(final)
    assert total == 200 * 28 * 3
    assert 100.0 * right / total == pytest.approx(100.0 * mean_random_accuracy(), abs=1.0)


# user_b's predicted No-Memory PSA on the final matrix, by dimension, in the order of `backbones()` (reconstruction
# notes).
PREDICTED = {
    "Expression Style": (46.7, 39.8, 41.7, 30.9),
    "Disclosure": (79.4, 82.4, 79.2, 74.6),
    "Initiative & Autonomy": (55.8, 56.4, 52.3, 67.0),
    "Information Flow": (28.0, 25.8, 25.6, 25.7),
}


@pytest.mark.parametrize("number", range(4), ids=list(backbones()))
def test_published_habits_give_the_predicted_accuracy_on_the_final_matrix(number: int) -> None:
    backbone = backbones()[number]
    shares = backbone_shares(backbone)
    final = load_persona("user_b").final
    for dimension in dimensions():
        rows = [
            shares[cell.attribute][final[cell]] for cell in cells() if attribute(cell.attribute).dimension == dimension
        ]
        assert 100.0 * sum(rows) / len(rows) == pytest.approx(PREDICTED[dimension][number], abs=2.0)


def test_published_habits_played_through_the_engine_give_the_same() -> None:
    """Every habit-driven pick goes through probes on the final matrix; 40 seeds bring the error below 1.5 points."""
    backbone = backbones()[0]
    found: dict[str, list[bool]] = {name: [] for name in dimensions()}
    for seed in range(40):
        config = RunConfig(persona="user_b", memory="none", agent=backbone, matrix="final", seed=seed, judge="none")
        for record in play_run(config):
            found[attribute(record["attribute"]).dimension].append(record["correct"])
    for dimension, rows in found.items():
        assert len(rows) == 40 * 3 * sum(2 for item in attributes() if item.dimension == dimension)
        assert 100.0 * np.mean(rows) == pytest.approx(PREDICTED[dimension][0], abs=2.0)


def default_accuracy(persona: Persona, results: list[SlotResult]) -> float:
    defaults = ReaderSelector().defaults
    final = [r for r in results if r.final]
    return float(np.mean([defaults[r.cell.attribute] == r.target for r in final]))


def test_a_reader_without_memory_scores_what_its_defaults_score() -> None:
    """Over counterfactual users nothing but the target changes, so anything above the defaults would be a leak."""
    for seed in range(12):
        persona = load_persona("user_b").permuted(np.random.default_rng(seed))
        game = play_out(whole("none", seed=seed, persona=persona, accumulate=False), PlannedPA(ReaderSelector()))
        final = [r for r in game.results if r.final]
        assert float(np.mean([r.correct for r in final])) == default_accuracy(persona, game.results)


def test_memory_helps_and_the_full_history_most() -> None:
    psa: Mapping[str, float | None] = {
        memory: scored(RunConfig(persona="user_b", memory=memory, seed=0, repeats=1)).psa.mean
        for memory in ("none", "file", "full", "oracle")
    }
    assert psa["none"] is not None
    assert psa["file"] is not None
    assert psa["full"] is not None
    assert psa["none"] < psa["file"] <= 100.0
    assert psa["none"] < psa["full"] <= 100.0


def test_a_slip_costs_realization_and_not_selection() -> None:
    slips = {f"{item.id}/{label}": 1.0 for item in attributes() for label in item.labels}
    scores = scored(RunConfig(persona="user_b", memory="oracle", slips=slips, seed=0, repeats=1))
    assert scores.psa.mean == 100.0
    assert scores.brs.mean is not None
    assert scores.brs.mean < 3.0
