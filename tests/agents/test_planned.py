"""The planned PA: every setting carried out, every slip seen, state kept."""

from __future__ import annotations

import numpy as np
import pytest

from mempa_gym.agents import BackboneSelector, FixedSelector, PlannedPA, backbone_shares, backbones
from mempa_gym.engine import SlotResult, play_out
from mempa_gym.errors import InvalidOptionError, PolicyError, UnknownNameError
from mempa_gym.interaction.views import PAView
from mempa_gym.taxonomy import attribute, attribute_ids, attributes
from mempa_gym.timeline import Session
from tests.engine.games import alone, script_of


class Slipping(PlannedPA):
    """Chooses one setting and always shows another."""

    def __init__(self, name: str, chosen: str, shown: str) -> None:
        table = {item.id: item.labels[0] for item in attributes()}
        super().__init__(FixedSelector({**table, name: chosen}))
        self.shown = shown

    def _slip(self, attribute: str, chosen: str) -> str:
        return self.shown


def played(session: Session, chosen: str, shown: str) -> SlotResult:
    game = play_out(alone(session, chosen), Slipping(session.attribute, chosen, shown))
    return game.results[0]


@pytest.mark.parametrize("kind", ["accumulation", "probe"])
@pytest.mark.parametrize("name", attribute_ids())
def test_a_slip_shows_the_other_setting_and_breaks_no_contract(name: str, kind: str) -> None:
    session = script_of(name, kind)
    for chosen in attribute(name).labels:
        for shown in attribute(name).labels:
            result = played(session, chosen, shown)
            assert (result.selection, result.shown, result.floor, result.invalid) == (chosen, shown, None, None)


def test_slip_rates_are_rates() -> None:
    picker = FixedSelector({item.id: item.labels[0] for item in attributes()})
    session = script_of("verbosity", "probe")
    label = attribute("verbosity").labels[0]
    shown = []
    for seed in range(60):
        policy = PlannedPA(picker, slips={f"verbosity/{label}": 0.4})
        shown.append(play_out(alone(session, label, seed=seed), policy).results[0].shown)
    share = np.mean([item != label for item in shown])
    assert 0.2 < share < 0.6


@pytest.mark.parametrize(
    ("slips", "error"),
    [
        ({"verbosity/Ters": 0.1}, UnknownNameError),
        ({"verbose/Terse": 0.1}, UnknownNameError),
        ({"verbosity/Terse": 1.5}, InvalidOptionError),
        ({"verbosity/Terse": float("nan")}, InvalidOptionError),
    ],
)
def test_bad_slip_rates_are_refused(slips: dict[str, float], error: type[Exception]) -> None:
    with pytest.raises(error):
        PlannedPA(FixedSelector({}), slips=slips)


def test_without_a_plan_it_says_so() -> None:
    view = PAView("2026-02-04T15:20", (), "hello", None, "", (), {}, (), (), None)
    with pytest.raises(PolicyError, match="plan"):
        PlannedPA(FixedSelector({})).act(view)


@pytest.mark.parametrize("name", backbones())
def test_shares_are_distributions_with_the_published_default_on_top(name: str) -> None:
    for item in attributes():
        row = backbone_shares(name)[item.id]
        assert tuple(row) == item.labels
        assert sum(row.values()) == pytest.approx(1.0)


def test_a_backbone_selector_draws_its_shares() -> None:
    rng = np.random.default_rng(0)
    view = PAView("2026-02-04T15:20", (), "", None, "", (), {}, (), (), None)
    selector = BackboneSelector("gpt-5.6-sol")
    picks = [selector.choose(view, "autonomy_level", rng) for _ in range(4000)]
    for label, share in backbone_shares("gpt-5.6-sol")["autonomy_level"].items():
        assert picks.count(label) / 4000 == pytest.approx(share, abs=0.03)


def test_an_unknown_backbone_lists_the_known() -> None:
    with pytest.raises(UnknownNameError, match="gpt-5.6-sol"):
        BackboneSelector("gpt-5")
