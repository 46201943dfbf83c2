"""Scores from hand-made outcomes, worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mempa_gym.scoring import metrics
from mempa_gym.scoring.metrics import Outcome
from mempa_gym.scoring.scores import score_outcomes
from mempa_gym.taxonomy import Cell, attribute, cells


def outcome(
    context: str, name: str, target: str, selection: str | None, *, repeat: int = 0, final: bool = True, **more: object
) -> Outcome:
    correct = more.pop("correct", selection == target)
    return Outcome("u", Cell(context, name), final, repeat, target, selection, bool(correct), **more)  # type: ignore[arg-type]


def test_psa_is_a_mean_over_repeats_with_the_sample_deviation() -> None:
    rows = [
        outcome("work", "verbosity", "Terse", "Terse", repeat=0),
        outcome("work", "task_expansion", "Low", "High", repeat=0),
        outcome("work", "verbosity", "Terse", "Terse", repeat=1),
        outcome("work", "task_expansion", "Low", "Low", repeat=1),
    ]
    figure = metrics.psa(rows)
    assert figure.per_repeat == (50.0, 100.0)
    assert figure.mean == 75.0
    assert figure.sd == pytest.approx(math.sqrt(2) * 25.0)
    assert figure.n == 4


def test_one_repeat_has_no_spread() -> None:
    assert metrics.psa([outcome("work", "verbosity", "Terse", "Terse")]).sd is None


def test_pre_event_probes_do_not_count_for_psa() -> None:
    rows = [
        outcome("work", "verbosity", "Terse", "Terse"),
        outcome("work", "verbosity", "Detailed", "Terse", final=False),
    ]
    assert metrics.psa(rows).mean == 100.0


def test_a_floored_probe_stays_in_the_denominator_even_with_a_right_selection() -> None:
    rows = [
        outcome("work", "verbosity", "Terse", "Terse", correct=False, floor="payload_missing", realization=1.0),
        outcome("work", "task_expansion", "Low", "Low", realization=5.0),
    ]
    scores = score_outcomes(rows)
    assert scores.psa.mean == 50.0
    assert scores.brs.mean == 3.0
    assert scores.floors == {"payload_missing": 1}


def test_an_incomplete_probe_is_no_zero() -> None:
    rows = [
        outcome("work", "verbosity", "Terse", None, correct=False, invalid="simulator failed"),
        outcome("work", "task_expansion", "Low", "Low"),
    ]
    scores = score_outcomes(rows)
    assert scores.psa.mean == 100.0
    assert scores.psa.n == 1
    assert len(scores.incomplete) == 1
    assert "simulator failed" in scores.incomplete[0]


def test_cs_needs_both_contexts_and_only_differing_targets() -> None:
    rows = [
        outcome("work", "verbosity", "Terse", "Terse"),
        outcome("personal", "verbosity", "Detailed", "Detailed"),
        outcome("work", "reasoning_visibility", "Hide", "Show"),
        outcome("personal", "reasoning_visibility", "Show", "Show"),
        outcome("work", "task_expansion", "Low", "Low"),
        outcome("personal", "task_expansion", "Low", "Low"),
    ]
    figure = metrics.context_sensitivity(rows)
    assert figure.mean == 50.0
    assert figure.n == 2


def test_pet_pairs_a_cell_within_one_repeat() -> None:
    rows = [
        outcome("work", "autonomy_level", "Autonomous", "Autonomous", final=False, repeat=0),
        outcome("work", "autonomy_level", "Self-directed", "Autonomous", repeat=0),
        outcome("work", "autonomy_level", "Autonomous", "Reactive", final=False, repeat=1),
        outcome("work", "autonomy_level", "Self-directed", "Self-directed", repeat=1),
        outcome("work", "autonomy_level", "Autonomous", "Autonomous", final=False, repeat=2),
        outcome("work", "autonomy_level", "Self-directed", "Self-directed", repeat=2),
    ]
    assert metrics.evolution_tracking(rows).per_repeat == (0.0, 0.0, 100.0)


def test_nothing_eligible_is_a_reason_and_not_a_number() -> None:
    figure = metrics.context_sensitivity([outcome("work", "verbosity", "Terse", "Terse")])
    assert figure.mean is None
    assert "differing" in figure.to_json()["reason"]


def test_carry_over_is_a_target_of_one_context_used_in_both_and_not_the_habit() -> None:
    none = [outcome("work", "verbosity", "Terse", "Detailed")] * 3
    carried = [
        outcome("work", "verbosity", "Terse", "Terse"),
        outcome("personal", "verbosity", "Detailed", "Terse"),
    ]
    habit = [
        outcome("work", "verbosity", "Terse", "Detailed"),
        outcome("personal", "verbosity", "Detailed", "Detailed"),
    ]
    assert metrics.carry_over(carried, none).mean == 100.0
    assert metrics.carry_over(habit, none).mean == 0.0


def test_carry_over_and_normalised_need_references() -> None:
    scores = score_outcomes([outcome("work", "verbosity", "Terse", "Terse")])
    assert scores.carry_over.mean is None
    assert "reference" in scores.normalised.reason


def test_the_normalised_score_is_zero_at_none_and_one_at_oracle() -> None:
    none = [outcome("work", "verbosity", "Terse", "Detailed"), outcome("work", "task_expansion", "Low", "Low")]
    oracle = [outcome("work", "verbosity", "Terse", "Terse"), outcome("work", "task_expansion", "Low", "Low")]
    assert score_outcomes(none, none=none, oracle=oracle).normalised.mean == 0.0
    assert score_outcomes(oracle, none=none, oracle=oracle).normalised.mean == 1.0


def test_dimensions_and_groups_split_all_probes() -> None:
    rows = [outcome(c.context, c.attribute, attribute(c.attribute).labels[0], None, correct=False) for c in cells()]
    scores = score_outcomes(rows)
    assert sum(figure.n for figure in scores.psa_by_dimension.values()) == 28
    assert {name: figure.n for name, figure in scores.psa_by_group.items()} == {"action": 12, "reply": 16}


@given(st.lists(st.tuples(st.sampled_from(cells()), st.integers(0, 2), st.booleans()), max_size=60))
def test_psa_lies_between_0_and_100_and_ignores_order(drawn: list[tuple[Cell, int, bool]]) -> None:
    rows = []
    for cell, repeat, right in drawn:
        labels = attribute(cell.attribute).labels
        rows.append(Outcome("u", cell, True, repeat, labels[0], labels[0] if right else labels[1], right))
    forward, backward = metrics.psa(rows), metrics.psa(rows[::-1])
    assert forward == backward
    if rows:
        assert forward.mean is not None
        assert 0.0 <= forward.mean <= 100.0
