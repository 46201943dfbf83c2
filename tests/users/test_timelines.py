"""What the scripted user says in two hundred whole timelines names no setting, attribute or word of the benchmark."""

from __future__ import annotations

import re

import numpy as np
import pytest

from mempa_gym.agents import PlannedPA, RandomSelector
from mempa_gym.engine import SlotResult, play_out
from mempa_gym.personas import load_persona
from mempa_gym.users import check_message
from tests.engine.games import whole

# Written apart from users.checks: labels and names without everyday use, and words of the benchmark. An actress may
# well say "script" and "scene".
NAMES = re.compile(
    r"\b(?:consultative|relationship-focused|task-focused|full narration|bookend|self-directed|autonomous(?:ly)?"
    r"|reactive|suggest alternatives|find and hand off|iterative(?:ly)?|one-at-a-time|terse(?:ly)?|verbosity|formality"
    r"|emotional engagement|guidance level|reasoning visibility|uncertainty expression|process visibility|autonomy"
    r"|proactive|outreach|task expansion|solution breadth|capability boundary|elicitation|topic management"
    r"|benchmark|probes?|simulator|taxonomy|decision point|preferences?|attributes?|interaction|IX_\w+|mempa\w*"
    r"|(?:work|personal) context|beat_?\d|acc_\d+|event_\d+|persona)\b",
    re.IGNORECASE,
)
EARLIER = re.compile(
    r"\b(?:last time|the other day you|as usual|like (?:before|always)|as (?:before|always)"
    r"|you remember(?:ed)?|same as (?:before|last)|we (?:talked|spoke) about|you did (?:it )?(?:before|last)"
    r"|our last|previous(?:ly)?)\b",
    re.IGNORECASE,
)


def timeline(seed: int) -> list[SlotResult]:
    rng = np.random.default_rng(seed)
    persona = load_persona("user_b")
    game = whole("none", seed=seed, persona=persona.permuted(rng) if seed % 2 else persona)
    return play_out(game, PlannedPA(RandomSelector())).results


@pytest.mark.parametrize("block", range(8))
def test_no_message_names_anything_and_no_probe_looks_back(block: int) -> None:
    messages = 0
    for seed in range(block * 25, block * 25 + 25):
        for result in timeline(seed):
            assert result.invalid is None
            last = ""
            for turn in result.turns:
                messages += bool(turn.user)
                for text in (turn.user, turn.event or ""):
                    hit = NAMES.search(text)
                    assert hit is None, (result.slot, hit.group(0), text)
                if result.kind == "probe":
                    assert EARLIER.search(turn.user) is None, (result.slot, turn.user)
                if result.kind != "event":
                    found = check_message(turn.user, "probe" if result.kind == "probe" else "accumulation", last)
                    assert not found, (result.slot, turn.user, found)
                last = turn.reply
    assert messages > 25 * 200


def test_her_wording_varies_with_the_seed_and_repeats_with_it() -> None:
    once, twice, other = ([turn.user for r in timeline(seed) for turn in r.turns] for seed in (0, 0, 2))
    assert once == twice
    assert once != other


def test_insistence_grows_with_repeated_corrections() -> None:
    """Corrected for the same thing again, she does not say the same again."""
    wrong = {"autonomy_level": "Reactive"}
    from tests.engine.games import fixed

    game = play_out(whole("none"), fixed(wrong))
    said = [
        result.turns[4].user
        for result in game.results
        if result.kind == "accumulation" and result.cell == ("work", "autonomy_level")
    ]
    assert len(said) == 5
    assert len(set(said)) == 5
