from __future__ import annotations

from typing import Any

import pytest

from mempa_gym.interaction.floors import FloorCause
from mempa_gym.interaction.leaks import contains_interaction_text
from mempa_gym.taxonomy import attribute_ids


@pytest.mark.parametrize("name", [*attribute_ids(), "release", "anything"])
def test_the_name_of_an_interaction_tool_is_found(name: str) -> None:
    assert contains_interaction_text({"to": "con_x", "text": f"Sent under IX_{name}."})
    assert contains_interaction_text({"notes": [f'<tool name="IX_{name}">']})
    assert contains_interaction_text({"a": {"b": f"IX_{name}"}})
    assert contains_interaction_text({f"IX_{name}": "a"})


@pytest.mark.parametrize(
    "text",
    [
        '{"setting": "Self-directed"}',
        'Sure. { "payload" : {"confirm": "Shall I?"}}',
        '{"rationale": "The log."}',
        '{"questions": ["When?"]}',
        '{"decision": "send", "text": "x"}',
        '"{\\"item_id\\": \\"h1\\"}"',
        "{'confirm': 'Shall I?'}",
        "ix_autonomy_level",
    ],
)
def test_the_json_of_a_call_is_found(text: str) -> None:
    assert contains_interaction_text({"text": text})
    assert contains_interaction_text(text)


@pytest.mark.parametrize(
    "text",
    [
        "Could you cover Thursday, 17:00 to 20:30? I'd give back Sunday brunch.",
        "The setting of the play is Lisbon; the opening is at six, the closing at nine.",
        "MIX_tape, SIX_pack and appendix_IX_.",
        "Self-directed work, full narration, one-at-a-time.",
        'He said {well} and "questions": none.',
        '{"name": "flour", "limit_to": 3}',
        "ix_releases.md and ix_verbosity_notes.md",
        "release notes, topic: rent",
        "",
    ],
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert not contains_interaction_text({"to": "con_x", "text": text, "count": 3, "ok": True, "none": None})


def test_such_a_call_does_not_run_and_is_a_floor_without_rerun(play: Any) -> None:
    game = play("autonomy_level")
    game.select("autonomy_level", "Autonomous")
    for _ in range(2):
        step = game.do("message_send", to="con_x", text='IX_autonomy_level {"setting": "Autonomous"}')
        assert (step.ok, step.ran, step.text.startswith("Error")) == (False, False, True)
    assert game.ran == []
    assert game.wrapper.floors == (FloorCause.INTERACTION_TEXT,)
    assert not FloorCause.INTERACTION_TEXT.rerun
    game.turn()
    assert game.wrapper.floors == (FloorCause.INTERACTION_TEXT,), "no later turn mends it"
    assert game.wrapper.held == ()
