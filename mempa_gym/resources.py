"""Reading the packaged data files.

Data is read through importlib.resources, so that it works from a wheel. The loader is a safe one and stricter than YAML
asks for. A key given twice is refused: the last one would silently win, and a matrix with a doubled cell would be wrong
without anyone noticing. Plain words stay text: dates, clock times, `on` and `no` are not turned into other types, since
story times and opening hours are strings here.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeVar

import yaml

from mempa_gym.errors import DataError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from pydantic import BaseModel

    Model = TypeVar("Model", bound=BaseModel)

__all__ = ["data_path", "parse_yaml", "read_text", "read_yaml", "validated"]


def data_path(relative: str) -> Traversable:
    """Returns a file or folder under the packaged `data` folder, `relative` written with slashes."""
    return files("mempa_gym").joinpath("data", *relative.split("/"))


def read_text(relative: str) -> str:
    """Returns a packaged data file as text.

    Raises:
        DataError: The file is missing or is not UTF-8.
    """
    path = data_path(relative)
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise DataError(f"data/{relative}", "", "the file is missing", "Reinstall the package") from None
    except UnicodeDecodeError as error:
        raise DataError(f"data/{relative}", "", f"the file is not UTF-8: {error}") from None


def read_yaml(relative: str) -> Any:
    """Returns the content of a packaged YAML file.

    Raises:
        DataError: The file is missing, is not valid YAML, or gives a key twice.
    """
    return parse_yaml(read_text(relative), f"data/{relative}")


def parse_yaml(text: str, file: str) -> Any:
    """Returns the content of a YAML text; `file` is the name that errors show.

    Raises:
        DataError: The text is not valid YAML or gives a key twice.
    """
    try:
        return yaml.load(text, Loader=_StrictLoader)  # noqa: S506 - a subclass of the safe loader
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f"line {mark.line + 1}: " if mark is not None else ""
        raise DataError(file, "", f"{line}{getattr(error, 'problem', None) or error}") from None


def validated(model: type[Model], raw: Any, file: str) -> Model:
    """Checks plain data against a pydantic model and reports the first problem with its place in the file.

    Raises:
        DataError: The data does not fit the model.
    """
    from pydantic import ValidationError

    try:
        return model.model_validate(raw)
    except ValidationError as error:
        problems = error.errors(include_url=False)
        key = ".".join(str(part) for part in problems[0]["loc"])
        more = f" (and {len(problems) - 1} further problems)" if len(problems) > 1 else ""
        raise DataError(file, key, f"{problems[0]['msg']}{more}") from None


# The C loader reads a persona's world ten times faster and is just as safe.
_SafeLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _StrictLoader(_SafeLoader):  # type: ignore[misc]
    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 - filled below, once

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if isinstance(key, Hashable):
                if key in seen:
                    problem = f"key {key!r} is given twice"
                    raise yaml.constructor.ConstructorError(None, None, problem, key_node.start_mark)
                seen.add(key)
        result: dict[Hashable, Any] = super().construct_mapping(node, deep)
        return result


for _tag, _pattern, _first in (
    ("bool", r"true|false", "tf"),
    ("int", r"-?(0|[1-9][0-9]*)", "-0123456789"),
    ("float", r"-?(0|[1-9][0-9]*)\.[0-9]+([eE][-+]?[0-9]+)?", "-0123456789"),
    ("null", r"null|~|", ["n", "~", ""]),
):
    _StrictLoader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_pattern})$"), list(_first))
