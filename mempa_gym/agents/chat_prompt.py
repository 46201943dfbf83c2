"""The standing instructions of a chat model that acts as the PA.

They are packaged as data, the same for live sessions and probes (paper 000, I.3), and known by a hash, so that a stored
run says by which words it was played. The wording is this project's own: the published prompt is not available.
"""

from __future__ import annotations

import hashlib
from functools import cache
from string import Formatter
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator
from pydantic_core import PydanticCustomError
from pydantic_core.core_schema import ValidationInfo

from mempa_gym.interaction.views import PAView
from mempa_gym.resources import read_text, read_yaml, validated

__all__ = ["Prompt", "pa_prompt", "prompt_hash", "system_message"]

_FILE = "prompts/pa.yaml"
_FIELDS = {
    "system": set[str](),
    "now": {"now"},
    "memory": {"evidence"},
    "held": {"items"},
    "held_item": {"item_id", "tool", "description"},
}

_Text = Annotated[str, StringConstraints(min_length=1), Field(strict=True)]


class Prompt(BaseModel):
    """The parts of the system message; each but the first is a template with the fields named in braces.

    Attributes:
        system: the instructions, always the same.
        now: story time.
        memory: what the memory returned for this turn; left out when it returned nothing.
        held: the held items; left out when there are none.
        held_item: one line of those.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    system: _Text
    now: _Text
    memory: _Text
    held: _Text
    held_item: _Text

    @field_validator("*")
    @classmethod
    def _holds_its_fields(cls, text: str, info: ValidationInfo) -> str:
        assert info.field_name is not None
        wanted = _FIELDS[info.field_name]
        if {name for _, name, _, _ in Formatter().parse(text) if name is not None} != wanted:
            raise PydanticCustomError("fields", "holds other fields than {wanted}", {"wanted": sorted(wanted)})
        return text


@cache
def pa_prompt() -> Prompt:
    """Returns the packaged prompt.

    Raises:
        DataError: the file is missing or damaged.
    """
    return validated(Prompt, read_yaml(_FILE), f"data/{_FILE}")


@cache
def prompt_hash() -> str:
    """Returns the hash of the packaged prompt, 16 hexadecimal digits."""
    return hashlib.sha256(read_text(_FILE).encode()).hexdigest()[:16]


def system_message(view: PAView, system: str | None = None) -> str:
    """Returns the system message of one call: instructions, story time, the memory's evidence, held items.

    Evidence stands in the system message, as in paper 000, section 4. Held items are listed although the call that was
    held says its id: that call may lie many messages back.

    Args:
        view: what the PA sees.
        system: other instructions in place of the packaged ones.
    """
    prompt = pa_prompt()
    parts = [prompt.system if system is None else system, prompt.now.format(now=view.now.replace("T", " "))]
    if view.evidence:
        parts.append(prompt.memory.format(evidence=view.evidence))
    if view.held:
        lines = [
            prompt.held_item.format(item_id=item.item_id, tool=item.tool, description=item.description)
            for item in view.held
        ]
        parts.append(prompt.held.format(items="\n".join(lines)))
    return "\n\n".join(parts)
