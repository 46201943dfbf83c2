"""Every setting's clear, partial and adversarial exchanges, scored by hand: what is shown, and what the judge says."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from mempa_gym import taxonomy
from mempa_gym.behaviour import observe
from mempa_gym.scoring.judge import rule_judge
from tests.behaviour.cases import band, exchange_of, load_cases, shown_of

FILES = ("cases_expression.yaml", "cases_disclosure.yaml", "cases_initiative.yaml", "cases_flow.yaml")
CASES = [case for name in FILES for case in load_cases(name)]


def named(case: dict[str, Any]) -> str:
    return str(case["id"])


@pytest.mark.parametrize("case", CASES, ids=named)
def test_the_setting_that_shows_is_found(case: dict[str, Any]) -> None:
    assert observe(case["attribute"], exchange_of(case)).setting in shown_of(case)


@pytest.mark.parametrize("case", CASES, ids=named)
def test_the_judge_agrees_with_the_hand_given_scores(case: dict[str, Any]) -> None:
    exchange = exchange_of(case)
    for setting, score in case["score"].items():
        judgement = rule_judge(case["attribute"], setting, exchange)
        assert judgement.score in band(score), (setting, score, judgement)


def test_every_setting_has_six_exchanges_of_its_attribute_that_score_it() -> None:
    scored = Counter((case["attribute"], setting) for case in CASES for setting in case["score"])
    for attribute in taxonomy.attributes():
        for label in attribute.labels:
            assert scored[attribute.id, label] >= 6, (attribute.id, label)
            clear = [c for c in CASES if c["attribute"] == attribute.id and c["score"].get(label) == 5]
            assert len(clear) >= 4, (attribute.id, label)


def test_most_hand_given_scores_are_met_exactly() -> None:
    pairs = [
        (score, rule_judge(case["attribute"], setting, exchange_of(case)).score)
        for case in CASES
        for setting, score in case["score"].items()
    ]
    assert sum(hand == judged for hand, judged in pairs) >= 0.8 * len(pairs)


def test_ids_are_unique() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES)
