"""The words with which people speak of a tool: for matching a narration, or a request, to a call."""

from __future__ import annotations

from functools import cache, lru_cache

from mempa_gym.errors import DataError
from mempa_gym.resources import read_yaml

__all__ = ["is_search", "stem", "telling_words"]

_FILE = "behaviour/tools.yaml"


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Returns a word without its ending, roughly, so that "messaging", "messages" and "message" meet."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls":
        word = word[:-1]
    return word.removesuffix("e")


@cache
def _table() -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    raw = read_yaml(_FILE)
    try:
        domains = {str(key): frozenset(stem(str(word)) for word in words) for key, words in raw["domains"].items()}
        verbs = {str(key): frozenset(stem(str(word)) for word in words) for key, words in raw["verbs"].items()}
    except (KeyError, TypeError, AttributeError):
        raise DataError(f"data/{_FILE}", "", "domains and verbs with lists of words are expected") from None
    return domains, verbs


@cache
def telling_words(tool: str) -> tuple[frozenset[str], frozenset[str]]:
    """Returns the stems of the words for a tool's subject and of those for what it does.

    A tool that the table does not know is spoken of by the parts of its own name.
    """
    domains, verbs = _table()
    parts = tool.lower().split("_")
    subject = frozenset().union(*(domains.get(part, frozenset((stem(part),))) for part in parts if part not in verbs))
    doing = frozenset().union(*(verbs[part] for part in parts if part in verbs))
    return subject, doing


def is_search(tool: str) -> bool:
    """Returns whether a tool looks for something rather than opening a known record."""
    return tool.endswith("_search")
