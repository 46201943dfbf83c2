"""Which words of a message tell what it was about, and which are names: a lexicon-free reading for the offline notes.

Kept apart from the consolidator because it is a matter of language, and crude on purpose: it knows function words and
what people say to any assistant, and nothing about attributes, contexts or a script.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

__all__ = ["names", "telling_words"]

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
# A capitalised word that does not begin a sentence: something other than a sentence's end stands before it.
_NAME = re.compile(r"(?<=[\w,;:)'’] )[A-Z][^\W\d_A-Z]{2,}\b")
_POSSESSIVE = re.compile(r"['’](?:s|t|d|m|ll|re|ve)\b", re.IGNORECASE)
_SHORTEST = 3

_TIME_WORDS = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july "
    "august september october november december mon tue tues wed thu thur thurs fri sat sun today tomorrow "
    "tonight yesterday morning afternoon evening night noon midnight week weeks weekend month months year "
    "years day days hour hours minute minutes later soon earlier early late".split()
)

_COMMON_WORDS = _TIME_WORDS | frozenset(
    "able about above across actually after again ago ain all almost along already also although always and "
    "another any anybody anyone anything anyway are aren around ask asked asking asks away back bad because "
    "been before being below best better between bit both bring brings but bye call called calling calls came "
    "can cannot care case check cheers clock come comes coming could couldn damn dear did didn does doesn "
    "doing don done down each eight eighteen eighth eleven else end enough even ever every everyone "
    "everything exactly far feel few fifteen fifth fifty finds fine first five for forty found four fourteen "
    "fourth from full gave get gets getting give given gives giving god goes going gone gonna good gosh got "
    "gotta great guess had haha half happen happy hard has hasn have haven having hear heard hears hell hello "
    "help her here hers hey him his hiya hmm hold hope how hundred idea into isn its itself just keep kept "
    "kind knew know knows last least leave leaves left less let lets like liked likes little live long look "
    "looked looking looks lot lots lovely made make makes making many matter maybe mean means might mind mine "
    "more most much must myself near need needed needs never new next nice nine nineteen ninth nobody none "
    "nope nor not nothing now off okay old once one ones only onto open other others ought our ours out over "
    "own part past people perfect perhaps place please point pretty probably psst put quarter quick quickly "
    "quite rather read reads ready really right said same saw say saying says second see seem seems seen send "
    "sent set seven seventeen seventh several shall she should shouldn show showed shows side since six "
    "sixteen sixth sixty some somebody someone something sometimes somewhere sorry sort sound sounds start "
    "started starts still stop stopped stuff such sure take taken takes taking talk tell tells ten tenth than "
    "thank thanks that the their theirs them themselves then there these they thing things think third "
    "thirteen thirty this those though thought three through till time times told too took toward tried true "
    "try trying turn turned twelve twenty two ugh under until upon use used using usual very via wait wanna "
    "want wanted wants was wasn way ways well went were weren what whatever when where whether which while "
    "who whole whom whose why will wish with without won word words work worked works worry would wouldn wow "
    "write writes written wrong wrote yeah yep yes yet you your yours yourself".split()
)


def telling_words(messages: Iterable[str], most: int) -> tuple[str, ...]:
    """Returns the content words of some messages in lower case: the most frequent first, then as they first appear."""
    counts: dict[str, int] = {}
    for message in messages:
        for word in _telling(message):
            counts[word] = counts.get(word, 0) + 1
    # The sort is stable, and the dictionary keeps the order of first appearance.
    return tuple(sorted(counts, key=lambda word: -counts[word])[:most])


@lru_cache(maxsize=1024)
def _telling(message: str) -> tuple[str, ...]:
    folded = (word.lower() for word in _WORD.findall(_POSSESSIVE.sub("", message)))
    return tuple([word for word in folded if len(word) >= _SHORTEST and word not in _COMMON_WORDS])


@lru_cache(maxsize=1024)
def names(message: str) -> tuple[str, ...]:
    """Returns the names in a message, each once: capitalised words inside a sentence, days and months apart."""
    found = _NAME.findall(_POSSESSIVE.sub("", message))
    return tuple(dict.fromkeys(name for name in found if name.lower() not in _COMMON_WORDS))
