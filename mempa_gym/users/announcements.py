"""Is a preference announced out of nowhere?

"I prefer short answers" as an opening is a leak; "next time three lines will do", after a reply of three
paragraphs, is feedback (paper 000, D.4, Criteria). So a sentence counts only when it is put as something that holds
in general, when it is about the assistant's manner and not about the task, and when nothing in the assistant's last
reply gave rise to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["announced"]

_SENTENCES = re.compile(r"[^.!?\n]+[.!?]*")

# What holds in general ...
_STANDING = re.compile(
    r"\bfrom (?:now|here|today) on\b|\bgoing forward\b|\bin (?:the )?future\b|\bnext time\b|\bevery time\b|"
    r"\beach time\b|\bwhenever\b"
    r"|\balways\b|\bnever\b|\bas a rule\b|\bin general\b|\bgenerally\b|\bfor future reference\b|"
    r"\bhenceforth\b|\bat all times\b"
    r"|\buntil further notice\b|\bby default\b",
    re.IGNORECASE,
)
# ... or is said as a liking.
_LIKING = re.compile(
    r"\bi(?: do| really| usually| generally| always| much| would| absolutely| just)* (?:prefer|like|love|hate|"
    r"dislike|appreciate|"
    r"can't stand|value|want)\b|\bi'd (?:always |much )?(?:rather|prefer|like|love|want)\b|\bmy preference\b|"
    r"\bi(?:'m| am) (?:the kind|the type|"
    r"someone|somebody|a person|a fan)\b|\bi(?:'m| am) not (?:the kind|someone|somebody|a fan)\b|"
    r"\bthe way i like\b|\bit works best for me\b",
    re.IGNORECASE,
)
_YOU = re.compile(
    r"\b(?:you|your|yourself|the assistant|the assistant's)\b|\b(?:answers?|replies|reply|responses?|"
    r"explanations?)\b",
    re.IGNORECASE,
)
_TO_ASSISTANT = re.compile(
    r"^(?:please |just |and |so |okay,? |but |then )*(?:always |never |don't |do not )*(?:ask|tell|give|keep|"
    r"send|show|explain|check|"
    r"wait|be|write|answer|reply|list|name|skip|leave|do|use|say|let|make|stick|stop|try|talk|speak|confirm|"
    r"run|pick|"
    r"suggest|offer|include|add|put|spell|walk|guess|assume|report|warn|ping|message|notify|start|finish|take|"
    r"handle)\b",
    re.IGNORECASE,
)
# A remark on what the assistant has just done makes a sentence a reaction.
_REMARK = re.compile(
    r"\byou(?:'ve| have|'re| are|'d| had)? (?:just |already |only |even |really |simply |still |also |"
    r"went and )*(?:sent|asked|booked|"
    r"wrote|written|told|gave|given|did|done|went|gone|put|made|explained|guessed|left|kept|skipped|didn't|"
    r"haven't|moved|changed|"
    r"drafted|took|listed|named|said|mentioned|added|assumed|picked|chose|chosen|tried|stopped|answered|"
    r"started|filled|used|"
    r"sound|talk|write|threw|spelled|called|cancelled|canceled|ordered|let|waited|buried|narrated|reported|"
    r"graded|rated|"
    r"stuck|held|ran|handed|came|pinged|messaged|buzzed|never|were|cut|stayed|showed|walked|jumped|forgot|"
    r"asking|telling)\b"
    r"|\b(?:that|this|it) (?:was|is|'s|reads?|sounds?|looks?|feels?|felt|helps?|helped|took|buries|says)\b|"
    r"\bthat's\b|\bthis is\b"
    r"|\btoo (?:long|short|much|many|little|few|formal|chatty|stiff|vague|thin|fast|slow|wordy|detailed|brief|"
    r"blunt|cold|soft|quick)\b"
    r"|\b(?:your|this|that|these|those) (?:last |first |long |short )?(?:reply|answer|message|list|questions?|"
    r"draft|note|text|"
    r"explanation|reasons?|paragraphs?|lines?|steps?|tables?|options?|summary|guess|essay|report)\b"
    r"|\bwithout (?:asking|me|checking|telling)\b|\balready (?:sent|gone|booked|out|written|done)\b|"
    r"\bwhy (?:did|didn't|would|do|are|have) you\b"
    r"|\b(?:thanks|thank you|good|glad|great|nice|lovely) (?:for|that|you|of you|how)\b|\bi (?:only|just|"
    r"never) (?:asked|wanted|needed|said)\b"
    r"|\bi (?:had|have) to (?:scroll|dig|ask|read|look|chase|find)\b|\bdid you (?:just|really|have to)\b|"
    r"\bwait, (?:what|you|it|so)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Aspect:
    """A side of the assistant's manner: how people speak of it, and what in a reply can give rise to speaking of it.

    ``wants_less`` recognises a wish for less of it; then ``has`` must hold of the reply, and otherwise ``lacks``.
    """

    spoken: re.Pattern[str]
    wants_less: re.Pattern[str]
    has: Callable[[str], bool]
    lacks: Callable[[str], bool]


def _says(pattern: str) -> Callable[[str], bool]:
    compiled = re.compile(pattern, re.IGNORECASE)
    return lambda reply: compiled.search(reply) is not None


def _longer(words: int) -> Callable[[str], bool]:
    return lambda reply: len(reply.split()) >= words


def _shorter(words: int) -> Callable[[str], bool]:
    return lambda reply: len(reply.split()) <= words


def _not(test: Callable[[str], bool]) -> Callable[[str], bool]:
    return lambda reply: not test(reply)


def _re(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_LESS = _re(
    r"\b(?:no|not|without|skip|stop|don't|do not|less|spare|drop|leave out|never|fewer|avoid|hate|dislike|"
    r"can't stand)\b"
)
_ACTED = _says(
    r"\b(?:sent|send|booked|book|written|wrote|drafted?|moved|changed|cancel\w*|ordered|posted|filed|"
    r"submitted|confirmed|paid|"
    r"added|entered|created|updated|placed|replied|told|messaged|done|shall i|should i|want me to|may i|"
    r"go ahead|okay to|"
    r"your (?:ok|okay|yes|go-ahead)|waiting for|ready to)\b"
)
_CONTRACTED = _says(r"\b\w+'(?:s|re|ll|ve|d|m|t)\b|\b(?:yeah|yep|hey|okay|ok|gonna|sure thing|no worries|cheers|oof)\b")
_CEREMONY = _says(
    r"\b(?:therefore|furthermore|hereby|regards|sincerely|dear|good (?:morning|afternoon|evening)|i have|"
    r"it is|do not)\b"
)
_KIND = _says(
    r"\b(?:sorry|understand|must (?:be|feel)|hard|glad|congratulations|happy for|stress\w*|worr\w+|tough|"
    r"hope you|feel\w*)\b"
)
_TAUGHT = _says(r"\b(?:means?|that is|i\.e\.|first|step|stands for|refers to|in other words|called)\b|^\s*\d[.)]|\(")
_GROUNDS = _says(
    r"\b(?:because|since|reasons?|based on|due to|given that|so that|evidence|decid\w+|therefore|"
    r"which is why)\b"
)
_SURE = _says(r"\b(?:confiden\w+|sure|certain|likely|probably|may|might|medium|high|low|unclear|roughly|about)\b")
_STEPS = _says(
    r"\b(?:i'll|i will|i'm|i am|first i|then i|now i|next i|i (?:looked|checked|searched|opened|found|read|"
    r"started)|done|finished)\b"
)
_NEWS = _says(
    r"\b(?:heads[- ]up|just (?:in|came|moved|changed)|has (?:moved|changed|been)|changed|new|due|noticed|"
    r"reminder|update)\b"
)
_MORE = _says(
    r"\b(?:also|added|as well|too|extra|while|besides|on top|in addition|noticed|left|untouched|"
    r"did not touch)\b"
)
_PICKED = _says(
    r"\b(?:options?|or|either|compare|recommend|suggest|pick|best|choice|go with|take the|alternatives?|"
    r"candidates?)\b"
)
_STUCK = _says(
    r"\b(?:could not|couldn't|cannot|can't|failed|not possible|sold out|refused|unable|blocked|tried|"
    r"unavailable|closed|full|declined|no longer)\b"
)
_ASKED = _says(r"\?|\b(?:assum\w+|guess\w*|default|filled in|usual|took the)\b")
_SEVERAL = _says(r"\n|;|:|\b(?:first|next|waiting|still open|other two|the rest|second|third|all three)\b")

_ASPECTS: tuple[_Aspect, ...] = (
    _Aspect(
        _re(
            r"\b(?:short(?:er)?|brief(?:ly)?|concise|one[- ]lin\w+|one line|in a (?:line|sentence)|"
            r"to the point|succinct|terse|bullet points|"
            r"wordy|essays?|ramble|long(?:er)?|detail(?:s|ed)?|thorough|elaborate|in depth|full picture|"
            r"verbose|background|context)\b"
        ),
        _re(
            r"\b(?:short(?:er)?|brief(?:ly)?|concise|one[- ]lin\w+|one line|in a (?:line|sentence)|"
            r"to the point|succinct|terse|less|no essays?|"
            r"not so long|without (?:the )?(?:background|details?))\b"
        ),
        _longer(45),
        _shorter(40),
    ),
    _Aspect(
        _re(
            r"\b(?:formal(?:ly)?|informal(?:ly)?|casual(?:ly)?|polite(?:ly)?|slang|chatty|friendly|stiff|"
            r"professional(?:ly)?|like a friend|like a mate)\b"
        ),
        _re(
            r"\b(?:informal(?:ly)?|casual(?:ly)?|chatty|friendly|slang|like a (?:friend|mate)|less formal|"
            r"not (?:so )?(?:formal|stiff))\b"
        ),
        lambda reply: _CEREMONY(reply) or (bool(reply.strip()) and not _CONTRACTED(reply)),
        lambda reply: bool(reply.strip()) and _CONTRACTED(reply),
    ),
    _Aspect(
        _re(
            r"\b(?:sympath\w+|comfort\w*|empath\w+|my feelings|how i feel|how i'm (?:feeling|doing)|warm(?:th|"
            r"er)?|kind word|emotional)\b"
        ),
        _LESS,
        _KIND,
        _not(_KIND),
    ),
    _Aspect(
        _re(
            r"\b(?:explain (?:the |every |each )?(?:terms?|words?|jargon|everything)|jargon|"
            r"step[- ]by[- ]step|walk me through|beginner|definitions?|basics)\b"
        ),
        _re(
            r"\b(?:no|without|skip|don't|never|stop) (?:\w+ ){0,3}(?:explain\w*|basics|step[- ]by[- ]step|"
            r"definitions?|walk me|beginner)\b"
        ),
        _TAUGHT,
        _not(_TAUGHT),
    ),
    _Aspect(
        _re(
            r"\b(?:reasons?|rationale|reasoning|justif\w+|your thinking|tell me why|the why|explain (?:why|"
            r"your|how you))\b"
        ),
        _LESS,
        _GROUNDS,
        _not(_GROUNDS),
    ),
    _Aspect(
        _re(r"\b(?:how (?:sure|certain|confident) you|confidence|uncertain\w*|hedg\w+|caveats?|maybes|doubts?)\b"),
        _LESS,
        _SURE,
        _not(_SURE),
    ),
    _Aspect(
        _re(
            r"\b(?:progress|updates?|each step|every step|what you(?:'re| are) doing|when you (?:start|begin|"
            r"finish|are done|'re done)|narrat\w+|along the way)\b"
        ),
        _LESS,
        _STEPS,
        _not(_STEPS),
    ),
    _Aspect(
        _re(
            r"\b(?:ask (?:me )?(?:first|before)|check with me|run it (?:by|past) me|without asking|approv\w+|"
            r"permission|my (?:ok|okay|go-ahead|say-so)|"
            r"confirm(?:ation)? (?:with me|before)|before (?:you )?(?:send|sending|book|booking|act|acting|"
            r"writ\w+|chang\w+|do|doing)|"
            r"just (?:do|send) it|go ahead (?:without|and)|on your own|wait for my)\b"
        ),
        re.compile(r"(?!)"),
        _ACTED,
        _ACTED,
    ),
    _Aspect(
        _re(
            r"\b(?:ping me|notify me|alert me|message me|contact me|reach out|heads[- ]up|interrupt|disturb|"
            r"leave me alone|unprompted|on your own initiative)\b"
        ),
        re.compile(r"(?!)"),
        _NEWS,
        _NEWS,
    ),
    _Aspect(
        _re(
            r"\b(?:only (?:do )?what i (?:ask|say|name)|nothing (?:more|extra|else)|extras?|"
            r"more than i (?:ask|say)|beyond what|anything else you (?:see|notice|spot)|stick to what)\b"
        ),
        re.compile(r"(?!)"),
        _MORE,
        _MORE,
    ),
    _Aspect(
        _re(
            r"\b(?:(?:several|many|multiple|two or three|a few|more|all the|different) (?:options|choices|"
            r"alternatives|suggestions|recommendations)|options|"
            r"alternatives|choices|(?:a|one|single|just one) (?:recommendation|suggestion|pick|option))\b"
        ),
        re.compile(r"(?!)"),
        _PICKED,
        _PICKED,
    ),
    _Aspect(
        _re(
            r"\b(?:when (?:something|you|it)(?:'s|'re| is| are| get)? (?:blocked|stuck|fails?|can't|cannot|"
            r"hit)|another way|workarounds?|way round|way around|"
            r"hand it back|give it back to me|if (?:something|it|you) (?:fails?|can't|cannot|doesn't work|"
            r"gets? stuck)|don't give up)\b"
        ),
        re.compile(r"(?!)"),
        _STUCK,
        _STUCK,
    ),
    _Aspect(
        _re(
            r"\b(?:ask (?:me )?(?:everything|all|one|fewer|more|your questions)|(?:all |one |your |fewer |"
            r"many )(?:the )?questions?|guess(?:es|ing)?|"
            r"assum\w+|fill in the (?:gaps|blanks))\b"
        ),
        re.compile(r"(?!)"),
        _ASKED,
        _ASKED,
    ),
    _Aspect(
        _re(
            r"\b(?:one (?:thing|topic|subject|matter|item) at a time|one at a time|everything (?:at once|"
            r"together)|all (?:at once|together)|(?:under|with) headings)\b"
        ),
        re.compile(r"(?!)"),
        _SEVERAL,
        _SEVERAL,
    ),
)


def announced(text: str, pa_last: str) -> list[str]:
    """Returns the sentences of a message that announce a preference on manner with no trigger in the assistant's last reply.

    Args:
        text: the user's message.
        pa_last: the assistant's last reply; empty before the first.
    """
    found: list[str] = []
    remarked = bool(pa_last.strip()) and _REMARK.search(text) is not None
    for match in _SENTENCES.finditer(text):
        sentence = match[0].strip()
        if not sentence:
            continue
        aspects = [aspect for aspect in _ASPECTS if aspect.spoken.search(sentence)]
        if not _announces(sentence, bool(aspects)):
            continue
        if remarked or any(_triggered(aspect, sentence, pa_last) for aspect in aspects):
            continue
        found.append(sentence)
    return found


def _announces(sentence: str, about_manner: bool) -> bool:
    body = _STANDING.sub(" ", sentence).strip(" ,;:-")
    addressed = _TO_ASSISTANT.search(body) is not None or _YOU.search(sentence) is not None
    if _STANDING.search(sentence) and about_manner and addressed:
        return True
    if not _LIKING.search(sentence):
        return False
    liked = re.search(
        r"\b(?:it (?:when|if) you|when you|you to|that you|if you(?:'d| would)?|how you|your (?:answers?|"
        r"replies|messages|responses))\b",
        sentence,
        re.IGNORECASE,
    )
    if liked and about_manner:
        return True
    # "I prefer short answers": the thing that is liked is a reply.
    return (
        about_manner
        and re.search(
            r"\b(?:answers?|replies|reply|responses?|explanations?|recommendations?|options|alternatives|"
            r"questions|updates|reasons)\b",
            sentence,
            re.IGNORECASE,
        )
        is not None
        and re.search(
            r"\b(?:prefer|preference|rather|kind|type|fan|hate|can't stand|dislike)\b|\bi (?:always |usually |"
            r"generally |really )*(?:like|love|want)\b",
            sentence,
            re.IGNORECASE,
        )
        is not None
    )


def _triggered(aspect: _Aspect, sentence: str, pa_last: str) -> bool:
    if not pa_last.strip():
        return False
    return aspect.has(pa_last) if aspect.wants_less.search(sentence) else aspect.lacks(pa_last)
