"""Clear realisations in many voices: recognised as their setting, and never taken for another."""

from __future__ import annotations

from typing import Any

import pytest

from mempa_gym import taxonomy
from mempa_gym.behaviour import observe
from mempa_gym.scoring.judge import rule_judge
from tests.behaviour.cases import exchange_of, load_cases

# Asking leave for an outward action is what both of these do; only a draft or a note tells them apart.
NEAR = {("Reactive", "Self-directed")}


def spread(entry: dict[str, Any]) -> list[dict[str, Any]]:
    shared = {key: entry[key] for key in ("user", "event", "calls") if key in entry}
    rows = [{"reply": reply} if isinstance(reply, str) else reply for reply in entry["replies"]]
    return [{"user": "Can you help with this?", **shared, **row} for row in rows]


CASES = [
    pytest.param(entry["attribute"], entry["setting"], exchange_of(case), id=f"{entry['attribute']}-{i}-{j}")
    for i, entry in enumerate(load_cases("phrasings.yaml"))
    for j, case in enumerate(spread(entry))
]


@pytest.mark.parametrize(("attribute", "setting", "exchange"), CASES)
def test_a_clear_realisation_is_recognised(attribute: str, setting: str, exchange: dict[str, Any]) -> None:
    assert observe(attribute, exchange).setting == setting
    for label in taxonomy.attribute(attribute).labels:
        judgement = rule_judge(attribute, label, exchange)
        assert judgement.score is not None
        if label == setting:
            assert judgement.score >= 4, judgement
        elif (setting, label) not in NEAR:
            assert judgement.score <= 3, judgement


def test_every_setting_is_phrased_in_many_ways() -> None:
    counts: dict[tuple[str, str], int] = {}
    for entry in load_cases("phrasings.yaml"):
        key = (entry["attribute"], entry["setting"])
        counts[key] = counts.get(key, 0) + len(entry["replies"])
    for attribute in taxonomy.attributes():
        for label in attribute.labels:
            assert counts[attribute.id, label] >= (3 if attribute.id == "proactive_outreach" else 9), (
                attribute.id,
                label,
            )
