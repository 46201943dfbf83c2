"""Does a user's message give away what it must not?

Paper 000, D.4: before a message reaches the assistant, rules look for text that comes from the simulator's
instructions or private notes, for a preference that is announced without a trigger in the assistant's behaviour,
and, in probes, for a reference to an earlier conversation. Feedback on what the assistant has just done is how a
preference is meant to show, so it passes, also when it is put as a general request. The rules are calibrated to
that line: they must be quiet on ordinary English and on everything the packaged users say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from mempa_gym.errors import unknown
from mempa_gym.taxonomy import attributes
from mempa_gym.users.announcements import announced

__all__ = ["KINDS", "Phase", "Violation", "check_message"]

Phase = Literal["accumulation", "probe"]

KINDS: tuple[str, ...] = (
    "private_block",
    "vocabulary",
    "beat_id",
    "interaction_tool",
    "attribute_name",
    "setting_label",
    "announced_preference",
    "earlier_session",
)

_WHY = {
    "private_block": "a private block or its tag stands in the visible message",
    "vocabulary": "the benchmark's own vocabulary stands in the message",
    "beat_id": "an identifier from the session script stands in the message",
    "interaction_tool": "the name of an interaction tool stands in the message",
    "attribute_name": "the preference is called by the name of its attribute",
    "setting_label": "the preference is called by the label of a setting",
    "announced_preference": "a preference is announced that nothing in the assistant's last reply gave rise to",
    "earlier_session": "a probe refers to an earlier conversation with the assistant",
}


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that is wrong with a message.

    Attributes:
        kind: one of `KINDS`.
        span: the words it rests on.
        why: what is wrong, in words that help to write the message anew.
    """

    kind: str
    span: str
    why: str


def check_message(message: str, phase: Phase, pa_last: str) -> list[Violation]:
    """Returns what a user's message gives away; an empty list is fine.

    Args:
        message: the visible message.
        phase: ``accumulation`` or ``probe``.
        pa_last: the assistant's last delivered reply; empty before the first.

    Raises:
        UnknownNameError: There is no such phase.
    """
    if phase not in ("accumulation", "probe"):
        raise unknown("phase", phase, ("accumulation", "probe"))
    text = message.replace("’", "'").replace("“", '"').replace("”", '"')
    found: list[Violation] = []
    for kind, pattern in _patterns():
        for match in pattern.finditer(text):
            found.append(_violation(kind, match[0]))
    found.extend(_violation("beat_id", match[0]) for match in _BEAT.finditer(text) if not _is_place(text, match))
    found.extend(_violation("setting_label", span) for span in _labels_as_preference(text))
    found.extend(_violation("announced_preference", span) for span in announced(text, pa_last.replace("’", "'")))
    if phase == "probe":
        found.extend(_violation("earlier_session", span) for span in _earlier(text))
    return found


def _violation(kind: str, span: str) -> Violation:
    return Violation(kind, span.strip(), _WHY[kind])


# -- text from instructions and notes ----------------------------------------------------------------------------------

_BLOCK = re.compile(
    r"[<\[{(]\s*/?\s*(?:message|factual[\s_-]*check|turn[\s_-]*assessment|consent[\s_-]*decisions?|"
    r"think(?:ing)?|private|"
    r"scratchpad|notes?)\s*/?\s*[>\]})]"
    r"|</?\s*(?:message|factual_check|turn_assessment|consent_decisions)\b"
    r"|\b(?:factual|turn|consent)_(?:check|assessment|decisions?)\b"
    r"|^\s*(?:factual check|turn assessment|consent decisions?)\s*:",
    re.IGNORECASE | re.MULTILINE,
)
_VOCABULARY = re.compile(
    r"\b(?:target|tested|current|interaction|preference) settings?\b|\bprobe (?:polarity|session|phase|mode)s?\b"
    r"|\b(?:in|during|for) (?:this|the) probe\b|\bbenchmark(?:s|ing)?\b|\btaxonom(?:y|ies)\b|\bsimulat(?:or|"
    r"ed user|ion)s?\b"
    r"|\baccumulation (?:session|phase)s?\b|\bchange event\b|\bdecision[- ]points?\b|\bsession scripts?\b|"
    r"\buser script\b"
    r"|\b(?:my|your) script (?:says|tells|wants)\b|\bpreference (?:skill|matrix|cell|profile)s?\b|\bactive skills?\b"
    r"|\b(?:persona|acting) (?:card|sheet|profile)\b|\bscenario type\b|\bheld[- ]items?\b|\bitem[_ ]id\b|"
    r"\bix[- ]wrapper\b"
    r"|\bwrite[- ]lock\b|\bground truth\b|\blanguage model\b|\bas an ai\b|\bthe simulated\b|"
    r"\bmemory (?:evidence|condition)\b"
    r"|\b(?:next|this|current|the reaction|the decision) beat (?:is|says|wants|asks|needs|requires|goal)\b|"
    r"\bbeat goal\b"
    r"|\b(?:production|reception) side\b|\brole[- ]?play(?:ing)? (?:as|the user)\b",
    re.IGNORECASE,
)
_BEAT = re.compile(
    r"\bbeat[ _-]?\d+\b|\b(?:acc|probe|event|evolv)_\d+\b|(?<![\w'.-])b[1-9]\b(?![-.]?\w)", re.IGNORECASE
)
_PLACE = re.compile(
    r"(?:\b(?:vitamin|vitamins|flat|apartment|apt|room|gate|seat|seats|bus|row|block|bay|unit|platform|exit|"
    r"bed|stand|wing|"
    r"building|floor|paper|size|class|level|locker|shelf|spot|box|door|road|route|motorway|line|house|"
    r"terminal|number|no\.?)"
    r"\s*#?\s*)$",
    re.IGNORECASE,
)
_TOOL = re.compile(r"\bix_[a-z_]+\b|\bIX_\w*", re.IGNORECASE)


def _is_place(text: str, match: re.Match[str]) -> bool:
    # "B4" is a seat or a bus; "b4" alone is an identifier from a script.
    span = match[0]
    if not re.fullmatch(r"b[1-9]", span, re.IGNORECASE):
        return False
    return span[0] == "B" or _PLACE.search(text[: match.start()]) is not None


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    names: list[str] = []
    for item in attributes():
        names.append(item.id)
        names.append(item.id.replace("_", "-"))
        words = [re.escape(word) for word in re.split(r"\W+", item.name) if word]
        # "Tone & Formality" and "tone and formality" alike.
        names.append(r"\s*(?:&|and|\s)\s*".join(words) if len(words) > 1 else words[0])
    names += ["verbosity", r"(?:your|my|the assistant's|level of|degree of) autonomy", r"(?:information )?elicitation"]
    attribute = re.compile(rf"(?<!\w)(?:{'|'.join(names)})(?!\w)", re.IGNORECASE)
    return (
        ("private_block", _BLOCK),
        ("vocabulary", _VOCABULARY),
        ("interaction_tool", _TOOL),
        ("attribute_name", attribute),
    )


# -- labels ------------------------------------------------------------------------------------------------------------

# Labels that nobody uses by chance.
_RARE = ("full narration", "one-at-a-time", "task-focused", "relationship-focused", "consultative", "find and hand off")
_WISH = (
    r"(?:i'd (?:rather|prefer|like)|i (?:prefer|want|like|need|love|would (?:rather|prefer|like))|next time|"
    r"from now on|"
    r"going forward|in future|always|please|keep (?:it|things|your \w+)|stay|be|make (?:it|your \w+)|go|use|"
    r"switch to|"
    r"set (?:it|this|that|yourself) to|answer|reply|respond|talk|write to me|speak)"
)
_FILLER = (
    r"(?:\s+(?:you|to|be|being|stay|keep|it|more|less|a|an|bit|little|much|very|nice|and|with|your|replies|"
    r"answers|rather|"
    r"things|me|in|the|as|strictly|completely|fully))*"
)
_END = (
    r"(?=\s*(?:[.,;:!?\"')]|$|please\b|with me\b|to me\b|for me\b|here\b|now\b|from\b|next time\b|replies\b|"
    r"answers?\b|"
    r"messages\b|responses\b|mode\b|setting\b|style\b|tone\b))"
)
_ELSEWHERE = re.compile(
    r"\b(?:e-?mail|letter|note|text|card|invite|invitation|speech|caption|ad|advert|form|dress|outfit|clothes|"
    r"shoes|jacket|"
    r"suit|wear|party|dinner|phone|mode on|to (?!me\b|you\b|us\b|be\b|do\b|set\b)[A-Za-z]+'?s?\b)\b",
    re.IGNORECASE,
)
_DECLARED = re.compile(r"\b(?:setting|settings|mode)\b", re.IGNORECASE)


@cache
def _label_patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    labels = sorted({label for item in attributes() for label in item.labels}, key=lambda label: (-len(label), label))
    plain = [label for label in labels if label.lower() not in _RARE]
    common = {"Low", "High", "Show", "Hide", "Express", "Organize", "Infer", "Assumed"}
    wanted = "|".join(re.escape(label) for label in plain if label not in common)
    every = "|".join(re.escape(label) for label in plain)
    rare = re.compile(rf"(?<![\w-])(?:{'|'.join(re.escape(label) for label in _RARE)})(?![\w-])", re.IGNORECASE)
    preferred = re.compile(rf"\b{_WISH}{_FILLER}\s+(?:{wanted})(?:ly)?{_END}", re.IGNORECASE)
    # With its capital letter in the middle of a sentence, or in quotation marks, a label is a label.
    capital = re.compile(rf"(?<=[a-z,:;] )(?:{every})(?=\s*(?:[.,;:!?)]|$|please\b|setting\b|mode\b))")
    declared = re.compile(rf"[\"'*]?\b(?:{every})\b[\"'*]?\s+(?:setting|mode)\b|[\"*](?:{every})[\"*]", re.IGNORECASE)
    return rare, preferred, capital, declared


def _labels_as_preference(text: str) -> list[str]:
    rare, preferred, capital, declared = _label_patterns()
    found = [match[0] for match in rare.finditer(text)]
    for match in preferred.finditer(text):
        if not _ELSEWHERE.search(_sentence_of(text, match)):
            found.append(match[0])
    for match in capital.finditer(text):
        # A name ("the Harbour Express") has a capital before it; a label used as a wish has not.
        found.append(match[0])
    for match in declared.finditer(text):
        if not re.search(r"\bphone\b", _sentence_of(text, match), re.IGNORECASE):
            found.append(match[0])
    return found


def _sentence_of(text: str, match: re.Match[str]) -> str:
    start = max((text.rfind(mark, 0, match.start()) for mark in ".!?\n"), default=-1) + 1
    ends = [place for mark in ".!?\n" if (place := text.find(mark, match.end())) >= 0]
    return text[start : min(ends, default=len(text))]


# -- earlier conversations ---------------------------------------------------------------------------------------------

_ALWAYS_EARLIER = re.compile(
    r"\b(?:like|as|same as|just like|better than|worse than|unlike|than) (?:the )?last time\b(?! (?:i|he|she|"
    r"they|it|my|the)\b)"
    r"|\blast time (?:you|we (?:talked|spoke|chatted|did)|around)\b|\b(?:when|since) we last (?:talked|spoke|"
    r"chatted)\b"
    r"|\b(?:you|you've) (?:still |really |actually |even )?remember(?:ed)?\b|\bdo you (?:still )?remember\b|"
    r"\bremember (?:how|when|that|what) "
    r"(?:i|we|you)\b|\bremember me\b|\bas you (?:may |might |already |probably |surely )*(?:know|remember|"
    r"recall)\b|\byou already know\b"
    r"|\byou (?:know|knew) (?:how|what|that) i (?:like|prefer|want|take|hate)\b|\b(?:like|as) (?:you|"
    r"we) (?:always|usually) (?:do|did)\b"
    r"|\bthe way (?:you|we) (?:always|usually|did it)\b|\b(?:like|as) (?:we|you) did (?:before|last|the other|"
    r"back|in|on|with)\b"
    r"|\bagain,? (?:like|as|just like) before\b|\b(?:like|as|same as|just like) before\b|\bsame as (?:ever|"
    r"always|usual)\b"
    r"|\bi(?:'ve| have)? (?:already )?told you (?:before|already|last|once|so often|many times|this|that)\b"
    r"|\bi told you (?:yesterday|last|the other|on \w+day)\b|\byou told me (?:yesterday|last|the other|before|"
    r"once)\b"
    r"|\b(?:previous|earlier|last|past|former) (?:conversation|chat|session|talk)s?\b|\bwe(?:'ve|"
    r" have) (?:been over|talked about|"
    r"discussed|done) (?:this|that|it)\b|\bwe (?:talked|spoke|chatted) (?:about (?:this|that|"
    r"it) )?(?:yesterday|before|earlier|last|the other)\b"
    r"|\bhow often (?:do|must|have) i (?:have to )?(?:say|said|tell|told)\b|\bthe usual (?:way|drill|"
    r"thing)\b(?=[,.!?]|$| please)"
    r"|\bonce again you\b|\byou (?:did|do) (?:it|that|this) again\b|\b(?:yesterday|last week|last month|"
    r"the other day) you\b"
    r"|\byou (?:\w+ ){1,4}(?:last week|last month|last time|the other day|yesterday)\b|\bas (?:i|we) (?:said|"
    r"discussed|mentioned) (?:before|last|the other)\b",
    re.IGNORECASE,
)
_HABIT = re.compile(r"\b(?:as|like) (?:usual|always|ever)\b", re.IGNORECASE)
_BARE_LAST_TIME = re.compile(r"(?<!the )(?<!for the )\blast time\b(?=\s*(?:[.,;!?]|$))", re.IGNORECASE)
_THIRD = re.compile(
    r"\b(?:he|she|they|it|who|everyone|everybody|nobody|somebody|someone|i|i'm|i've|my|his|her|their|our|the|"
    r"those|these|this)\b"
    r"|\b[A-Z][a-z]+\b(?!,)",
)


def _earlier(text: str) -> list[str]:
    found = [match[0] for match in _ALWAYS_EARLIER.finditer(text)]
    found.extend(match[0] for match in _BARE_LAST_TIME.finditer(text))
    for match in _HABIT.finditer(text):
        clause = re.split(r"[,;:]", _sentence_of(text, match)[: match.end()])
        before = text[: match.start()]
        before = re.split(r"[.!?;:,\n]", before)[-1].strip()
        # "Marco is late as usual" is about Marco; "do it as usual" is about the assistant.
        words = before.split()
        about_others = bool(words) and bool(
            _THIRD.match(words[0]) and words[0].lower() not in ("please", "just", "okay")
        )
        if clause and about_others and not re.search(r"\byou\b", before, re.IGNORECASE) and _has_verb(words):
            continue
        found.append(match[0])
    return list(dict.fromkeys(found))


_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|'s|s|comes?|came|goes|went|gets?|got|does|did|runs?|ran|arrives?|"
    r"shows?|looks?|sits?|"
    r"takes?|took|wants?|works?|costs?|smells?|sings?|snores?|forgot|am|m)\b|'(?:s|re|m|ve)\b"
)


def _has_verb(words: list[str]) -> bool:
    return _VERB.search(" ".join(words)) is not None
