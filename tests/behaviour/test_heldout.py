"""Exchanges that were written and scored before the rules were tuned on examples, and that no rule was fitted to.

The bounds lie below what was measured once at the end (see the figures in the assertions' comments), so that the test
fails when a change costs real agreement and not when one sentence is read differently.
"""

from __future__ import annotations

from mempa_gym.behaviour import observe
from mempa_gym.scoring.judge import rule_judge
from tests.behaviour.cases import band, exchange_of, load_cases, shown_of

CASES = load_cases("heldout_cases.yaml")
