"""The packaged worlds open and are sound, and a world is the same in every process."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import mempa_gym.world
from mempa_gym.world import world_personas
from mempa_gym.world.check import check_fixtures

_SCRIPT = """
from mempa_gym.world import World
world = World.from_records(
    {
        "contacts": [{"id": f"con_{n}", "name": f"Name {n}", "phone": "1"} for n in range(40)],
        "messages": [{"id": "m", "with": "con_1", "sender": "me", "text": "x", "at": "2026-03-01T09:00"}],
    },
    "2026-03-04T09:00",
)
for n in range(40):
    world.call("message_send", {"to": f"con_{n}", "text": "hello"})
print(world.state_hash(), world.call("message_search", {"query": "name"}).text())
print(world.call("message_serch", {}).text(), world.call("contact_read", {"contact_id": "x", "a": 1}).text())
"""


@pytest.mark.parametrize("persona", world_personas())
def test_packaged_worlds_are_sound(persona: str) -> None:
    assert check_fixtures(persona) == []


@pytest.mark.parametrize("persona", world_personas())
def test_worlds_of_a_persona_share_their_start(persona: str) -> None:
    first = mempa_gym.world.open(persona, "2026-03-04T09:00")
    second = mempa_gym.world.open(persona, "2026-05-04T09:00")
    assert first.persona == persona
    assert first.state_hash() == second.state_hash()
    assert first.call("contact_create", {"name": "Somebody New"}).ok
    assert first.state_hash() != second.state_hash()


def test_a_world_is_the_same_in_every_process() -> None:
    outputs = set()
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", _SCRIPT], env=environment, capture_output=True, text=True, check=True
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1
    assert "message_new_0040" in outputs.pop()
