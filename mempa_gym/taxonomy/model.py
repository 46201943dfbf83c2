"""The values of the taxonomy: plain, frozen, compared and hashed by content."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from mempa_gym.errors import unknown

__all__ = ["CONTEXTS", "MECHANISMS", "Attribute", "Cell", "Group", "Setting"]

Group = Literal["action", "reply"]

CONTEXTS: tuple[str, ...] = ("work", "personal")

# How the interaction wrapper enforces a setting (paper 000, E.3).
MECHANISMS: tuple[str, ...] = ("pass-through", "selective rendering", "delivery control", "execution control")


class Cell(NamedTuple):
    """One place of a preference matrix.

    Attributes:
        context: "work" or "personal".
        attribute: An attribute id.
    """

    context: str
    attribute: str


@dataclass(frozen=True, slots=True)
class Setting:
    """One way of interacting on an attribute.

    Attributes:
        label: The published label, unique within its attribute only ("Hide", "Low" and "High" occur in several).
        behaviour: What can be seen in an exchange that follows the setting (paper 000, Table 4, worded anew).
    """

    label: str
    behaviour: str


@dataclass(frozen=True, slots=True)
class Attribute:
    """One aspect of how an assistant interacts with its user.

    Attributes:
        id: Identifier used in data, tools and results.
        name: Published name.
        dimension: Published dimension the attribute belongs to.
        question: What a preference on this attribute decides.
        settings: The two or three settings, in published order.
        mechanisms: How the interaction wrapper enforces a selection, a subset of `MECHANISMS`.
        write_lock: Whether a session's last write stays locked until the user has dictated what goes into it
            (paper 000, C.3).
        group: Whether the attribute constrains the agent's actions or its reply.
        labels: The settings' labels, in published order.
    """

    id: str
    name: str
    dimension: str
    question: str
    settings: tuple[Setting, ...]
    mechanisms: tuple[str, ...]
    write_lock: bool
    group: Group
    labels: tuple[str, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", tuple(setting.label for setting in self.settings))

    def setting(self, label: str) -> Setting:
        """Returns the setting with exactly this label.

        Raises:
            UnknownNameError: The attribute has no such setting.
        """
        return self.settings[self.index(label)]

    def index(self, label: str) -> int:
        """Returns the place of a label among the settings, counted from 0.

        Raises:
            UnknownNameError: The attribute has no such setting.
        """
        try:
            return self.labels.index(label)
        except ValueError:
            raise unknown(f"setting of {self.id}", label, self.labels) from None
