"""Splitting a reply into lines, sentences and words.

Everything that decides on a setting works on this structure instead of on raw characters: where a sentence stands,
what kind of line holds it and who is speaking in it matter more than which words occur. What the assistant merely
repeats from the user, and longer passages it quotes (a draft, a message text), are not its own manner, so they are
taken out here, once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from mempa_gym.taxonomy import attributes

__all__ = ["EMPTY", "Doc", "Line", "Sentence", "has_key", "joined", "normalised", "parse", "words_of"]

# A sentence of this many words that the user said word for word is an echo even without quotation marks.
_ECHO = 6
# A quotation of fewer words is a name or a title, part of the sentence around it.
_QUOTED = 4
_WRAPPED = 40
_NAME_WORDS = 4
# Stand-ins for the user's own words and for a longer passage that somebody else is to read.
_USERS, _PASSAGE = "\x01", "\x00"
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*|\d+(?:[.:,]\d+)*%?")
_END = re.compile(r"[.!?…]+[\"'”’)\]*_]*(?=\s|$)")
_BULLET = re.compile(
    r"(?:([-*•‣▪–—+→])|\(?(\d{1,2})[.):]|\(?([a-h])\)|(?:step|option)\s+(?:\d{1,2}|[a-d])\s*[:.)–—-])(?:\*\*|__)?\s+",
    re.I,
)
_QUOTE = re.compile(r"\"([^\"\n]{2,900})\"|“([^“”\n]{2,900})”|«([^«»\n]{2,900})»")
_CURLY_SINGLE = re.compile(r"‘([^‘\n]{6,900}?)’(?!\w)")
_SINGLE_QUOTE = re.compile(r"(?<![\w'])'([^'\n]{4,300})'(?!\w)")
_RULE = re.compile(r"[-*_=|:\s]+")
_SALUTATION = re.compile(r"(?:dear|hi|hello|hey|good (?:morning|afternoon|evening)|to whom)\b[^!?:]{0,40}[,:]?$", re.I)
_SIGNED = re.compile(
    r"(?:kind|best|warm|with|yours|sincerely|regards|cheers|thanks|thank you|many thanks|respectfully|love"
    r"|all the best)\b[^.!?]{0,30}[,.]?$",
    re.I,
)
_INTERACTION = re.compile(r"IX_\w+(?:\s*[({][^\n]*?[)}]+)?")
_CALENDAR_WORDS = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun "
    "january february march april june july august september october november december".split()
)
# A stop after these never ends a sentence; after those below it does unless the next word is in lower case.
_NEVER_END = frozenset(
    "mr mrs ms mx dr prof st messrs hon rev sgt capt lt e.g i.e eg ie vs cf approx incl excl".split()
)
_ABBREVIATIONS = frozenset("a.m p.m etc dept inc ltd jr sr fig ext tel nr vol appt ave rd blvd u.s u.k".split())
# What may be left of a sentence once the user's words are gone from it, if it did nothing but introduce them.
_LEAD_IN = frozenset(
    "you your yours user the a an said say saying wrote write writing asked ask asking told tell mentioned mention put "
    "it me as words word message note question were was is earlier just in to quote quoting original request and that "
    "this re about above here from on of so s noted got verbatim last first second one line sentence also then "
    "again".split()
)
_OPENED = {
    "can't": ("can", "not"), "won't": ("will", "not"), "shan't": ("shall", "not"), "cannot": ("can", "not"),
    "let's": ("let", "us"), "y'all": ("you", "all"), "ain't": ("is", "not"), "ma'am": ("maam",),
    "o'clock": ("oclock",), "gonna": ("going", "to"), "wanna": ("want", "to"), "gotta": ("got", "to"),
    "dont": ("do", "not"), "didnt": ("did", "not"), "doesnt": ("does", "not"), "isnt": ("is", "not"),
    "wasnt": ("was", "not"), "couldnt": ("could", "not"), "cant": ("can", "not"), "im": ("i", "am"),
    "ive": ("i", "have"), "youre": ("you", "are"), "thats": ("that", "is"),
}  # fmt: skip
_OPENED_KEYS = frozenset(_OPENED)
_IS_AFTER = frozenset(
    "it that this there here what who where how when he she everything nothing something all one".split()
)
_TAILS = {"m": "am", "re": "are", "ve": "have", "ll": "will", "d": "would", "s": "is"}


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, or one item of a list that has no sentence in it.

    Attributes:
        text: The sentence as written, without emphasis marks.
        words: Lower-case words with short forms opened ("won't" is "will", "not"); numbers are words.
        line: Index of its line.
        kind: "prose", "bullet", "number" or "heading".
        asks: Whether it ends with a question mark.
        quoted: Whether a longer quotation was taken out of it.
    """

    text: str
    words: tuple[str, ...]
    line: int
    kind: str
    asks: bool
    quoted: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One logical line: a paragraph written on one line, a list item or a heading.

    Attributes:
        text: The line without its list marker and emphasis marks.
        kind: "prose", "bullet", "number" or "heading".
        bold: Whether it starts with emphasis.
        paragraph: Number of its paragraph; blank lines separate paragraphs.
        start: Index of its first sentence.
        end: Index after its last sentence.
    """

    text: str
    kind: str
    bold: bool
    paragraph: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Doc:
    """A reply, taken apart. Empty when the reply says nothing of its own."""

    text: str
    sentences: tuple[Sentence, ...]
    lines: tuple[Line, ...]
    size: int

    def __bool__(self) -> bool:
        return bool(self.sentences)

    @property
    def paragraphs(self) -> int:
        """Number of paragraphs."""
        return self.lines[-1].paragraph + 1 if self.lines else 0


EMPTY = Doc("", (), (), 0)


def words_of(text: str) -> tuple[str, ...]:
    """Returns the lower-case words of a text, short forms opened."""
    raw = _WORD.findall(text.lower())
    if "'" not in text and _OPENED_KEYS.isdisjoint(raw):
        return tuple(raw)
    words: list[str] = []
    for word in raw:
        if "'" not in word and word not in _OPENED:
            words.append(word)
            continue
        opened = _OPENED.get(word)
        if opened is not None:
            words.extend(opened)
            continue
        stem, _, tail = word.rpartition("'")
        if tail == "t" and stem.endswith("n"):
            words.extend((stem[:-1], "not") if len(stem) > 1 else ("not",))
        elif tail == "s" and stem not in _IS_AFTER:
            words.append(stem)
        elif tail in _TAILS:
            words.extend((stem, _TAILS[tail]))
        else:
            words.append(word.replace("'", ""))
    return tuple(words)


def joined(words: tuple[str, ...]) -> str:
    """Returns the words as one text with a blank at both ends, to look for key words in."""
    return f" {' '.join(words)} "


def has_key(text: str, keys: tuple[str, ...]) -> bool:
    """Returns whether any key word of a task stands in a `joined` text."""
    return any(key in text for key in keys)


@cache
def _own_label() -> re.Pattern[str]:
    # A reply that announces its setting ("Terse answer: ...") is read without the announcement.
    labels = {re.escape(label) for entry in attributes() for label in entry.labels}
    kinds = "mode|style|answer|reply|setting|version|tone|register"
    return re.compile(rf"(?:{'|'.join(sorted(labels))})(?: (?:{kinds}))?\s*(?::| [–—-])\s+", re.I)


@lru_cache(maxsize=256)
def normalised(text: str) -> str:
    """Returns the words of a text joined by single blanks, with a blank at both ends, for finding quotations in it."""
    return f" {' '.join(words_of(text.replace('’', chr(39))))} "


@lru_cache(maxsize=256)
def parse(text: str, user: str = "") -> Doc:
    """Takes a reply apart.

    Args:
        text: The reply as delivered.
        user: What the user said, as `normalised` gives it; the reply's quotations of it are left out.

    Returns:
        The structure; equal arguments give the very same object.
    """
    if not text or text.isspace():
        return EMPTY
    if "‘" in text:
        text = _CURLY_SINGLE.sub(r"“\1”", text)
    text = text.replace("’", "'")
    if "IX_" in text:
        text = _INTERACTION.sub(" ", text)
    text = _without_quotations(text, user)
    sentences: list[Sentence] = []
    lines: list[Line] = []
    paragraph = -1
    gap = True
    for raw in _logical_lines(text):
        stripped = raw.strip()
        if not stripped:
            gap = True
            continue
        kind, bold, body = _marker(stripped)
        if not sentences:
            announced = _own_label().match(body)
            body = body[announced.end() :] if announced else body
        start = len(sentences)
        for piece in _split(body):
            sentence = _sentence(piece, len(lines), kind, user)
            if sentence is not None:
                sentences.append(sentence)
        if len(sentences) > start:
            paragraph += gap
            gap = False
            lines.append(Line(_unmarked(body), kind, bold, paragraph, start, len(sentences)))
    if not sentences:
        return EMPTY
    return Doc(text, tuple(sentences), tuple(lines), sum([len(sentence.words) for sentence in sentences]))


def _sentence(piece: str, line: int, kind: str, user: str) -> Sentence | None:
    words = words_of(piece)
    if not words or (user and len(words) >= _ECHO and joined(words) in user):
        return None
    quoted = _PASSAGE in piece
    if quoted or _USERS in piece:
        if _LEAD_IN.issuperset(words):
            return None
        piece = _unmarked(piece)
    return Sentence(piece, words, line, kind, piece.rstrip("\"')]*_”’ ").endswith("?"), quoted)


def _unmarked(text: str) -> str:
    return text.replace(_PASSAGE, "…").replace(_USERS, "").strip()


def _without_quotations(text: str, user: str) -> str:
    def replaced(match: re.Match[str]) -> str:
        inner = next(group for group in match.groups() if group is not None)
        words = words_of(inner)
        if len(words) > 1 and user and joined(words) in user:
            return _USERS
        return match[0] if len(words) < _QUOTED else _PASSAGE

    def echoed(match: re.Match[str]) -> str:
        return replaced(match) if joined(words_of(match[1])) in user else match[0]

    text = text.replace(_PASSAGE, " ").replace(_USERS, " ")
    if '"' in text or "“" in text or "«" in text:
        text = _QUOTE.sub(replaced, text)
    if user and (text[0] == "'" or " '" in text or "\n'" in text or "('" in text):
        text = _SINGLE_QUOTE.sub(echoed, text)
    return text


def _logical_lines(text: str) -> list[str]:
    """Returns the lines of a text: hard-wrapped ones joined; quoted blocks, code and shown letters left out."""
    raw = text.splitlines()
    if len(raw) < 2:
        return [] if text.lstrip()[:1] == ">" else raw
    lines: list[str] = []
    fenced = False
    for line in raw:
        stripped = line.lstrip()
        if stripped.startswith("```"):
            fenced = not fenced
        elif fenced or stripped[:1] == ">" or (stripped and _RULE.fullmatch(stripped)):
            continue
        elif lines and _continues(lines[-1], stripped):
            lines[-1] = f"{lines[-1].rstrip()} {stripped}"
        else:
            lines.append(line)
    if any(line.rstrip("*_ ").endswith(":") for line in lines):
        return _without_letters(lines)
    return lines


def _continues(before: str, line: str) -> bool:
    # A hard-wrapped paragraph goes on in lower case after a long line that did not end its sentence.
    if len(before) <= _WRAPPED or not line or not (line[0].islower() or line[0] in "(\"'"):
        return False
    return before.rstrip()[-1:] not in ".!?:;…|" and before.lstrip()[:1] not in "#|" and not _BULLET.match(line)


def _without_letters(lines: list[str]) -> list[str]:
    """Takes out a letter or message that the reply shows as text: from the salutation to the name under it."""
    kept: list[str] = []
    lead = ""
    i = 0
    while i < len(lines):
        if lead.endswith(":") and _SALUTATION.match(lines[i].strip().strip("*_")):
            end = next((j for j in range(i + 1, len(lines)) if _SIGNED.match(lines[j].strip().strip("*_"))), -1)
            if end > 0:
                i = end + 1
                if i < len(lines) and _is_name(lines[i]):
                    i += 1
                continue
        kept.append(lines[i])
        lead = lines[i].rstrip().rstrip("*_") or lead
        i += 1
    return kept


def _is_name(line: str) -> bool:
    return 0 < len(line.split()) <= _NAME_WORDS and not line.rstrip().endswith((".", "!", "?", ":"))


def _marker(line: str) -> tuple[str, bool, str]:
    first = line[0]
    if first == "#":
        return "heading", False, line.lstrip("# ").replace("**", "").strip()
    bold = line.startswith(("**", "__"))
    if first == "|":
        return "bullet", False, line.strip("| ").replace("|", ";").replace("**", "")
    match = _BULLET.match(line.lstrip("*_") if bold else line)
    if match is None and line.isupper() and len(line) < 40 and not line.endswith((".", "!", "?")):
        return "heading", bold, line.strip("*_ ")
    if match:
        kind = "bullet" if match[1] else "number"
        body = (line.lstrip("*_") if bold else line)[match.end() :]
        bold = bold or body.startswith(("**", "__"))
    else:
        kind, body = "prose", line
    if "*" in body or "_" in body or "`" in body:
        whole = body.startswith("**") and body.rstrip(":").endswith("**") and body.count("**") == 2
        body = body.replace("**", "").replace("__", "").replace("`", "").strip("*_ ")
        if whole and kind == "prose" and len(body) < 60 and not body.endswith((".", "!", "?")):
            kind = "heading"
    return kind, bold, body.strip()


def _split(line: str) -> list[str]:
    pieces: list[str] = []
    start = 0
    size = len(line)
    for match in _END.finditer(line):
        end = match.end()
        if end >= size:
            break
        if _goes_on(line, start, match.start(), end):
            continue
        pieces.append(line[start:end].strip())
        start = end
    rest = line[start:].strip()
    if rest:
        pieces.append(rest)
    return pieces


def _goes_on(line: str, start: int, stop: int, end: int) -> bool:
    mark = line[stop]
    if mark in "!?":
        return False
    before = line[start:stop].rsplit(None, 1)
    last = before[-1].lower().lstrip("(\"'[") if before else ""
    after = line[end : end + 40].lstrip()
    if not after:
        return False
    follows = after[0]
    if mark == "…" or line.startswith("..", stop):
        return follows.islower()
    if last in _NEVER_END:
        return True
    if last in _ABBREVIATIONS:
        word = after.split(None, 1)[0].strip(".,;:!?)").lower()
        return follows.islower() or word in _CALENDAR_WORDS
    if last == "no" and follows.isdigit():
        return True
    if len(last) == 1 and last.isalpha() and last != "i" and follows.isupper():
        return True
    return len(before) == 1 and last.isdigit()
