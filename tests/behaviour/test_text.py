from __future__ import annotations

import pytest

from mempa_gym.behaviour.text import EMPTY, normalised, parse, words_of


def sentences(text: str, user: str = "") -> list[str]:
    return [sentence.text for sentence in parse(text, normalised(user) if user else "").sentences]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("It opens at 7 p.m. on Friday. Bring the key.", 2),
        ("It opens at 7 p.m. Bring the key.", 2),
        ("It opens at 7 p.m. Friday.", 1),
        ("Ask Dr. Hale or Mrs. Adler. They know.", 2),
        ("Bring e.g. Renee and approx. 4 kg. Done.", 2),
        ("Room No. 5 costs 4.50. J. Smith has it.", 2),
        ("hmm... fine by me. ok?", 2),
        ("Really?! Yes!", 2),
        ("a line that is wrapped by hand after sixty characters or so\nand goes on here. Second.", 2),
        ("- first\n- second\n- third", 3),
        ("1. One thing.\n2. Another thing. With a second sentence.", 3),
        ("Is it? It is.", 2),
        ("", 0),
        ("  \n ", 0),
        ("---", 0),
    ],
)
def test_sentences_are_told_apart(text: str, count: int) -> None:
    assert len(sentences(text)) == count


def test_short_forms_are_opened_and_possessives_are_not() -> None:
    assert words_of("It's Marco's, I won't; they can't") == (
        "it", "is", "marco", "i", "will", "not", "they", "can", "not",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("- milk", "bullet"),
        ("* milk", "bullet"),
        ("2) milk", "number"),
        ("**3.** milk", "number"),
        ("Step 2: pour the milk", "number"),
        ("## Milk", "heading"),
        ("**Milk**", "heading"),
        ("MILK", "heading"),
        ("Milk is out.", "prose"),
        ("| milk | 2 l |", "bullet"),
    ],
)
def test_lines_are_told_apart(line: str, kind: str) -> None:
    assert parse(line).lines[0].kind == kind


def test_paragraphs_are_counted_by_blank_lines() -> None:
    doc = parse("One. Two.\n\nThree.\n- four")
    assert [line.paragraph for line in doc.lines] == [0, 1, 1]


@pytest.mark.parametrize(
    "quotation",
    [
        "> I feel so tired of this",
        'You wrote: "I feel so tired of this"',
        "You wrote: “I feel so tired of this.”",
        "You said 'I feel so tired of this'.",
        "As you put it: ‘I feel so tired of this’",
    ],
)
def test_what_the_user_said_is_no_part_of_a_reply(quotation: str) -> None:
    user = "I feel so tired of this. When is it?"
    assert sentences(f"{quotation}\n\nIt is on Friday.", user) == ["It is on Friday."]


def test_a_longer_quotation_is_somebody_elses_text_and_a_short_one_is_a_name() -> None:
    doc = parse('I sent "On my way, back at nine" to Jo. The film is "Night Bus".')
    assert doc.sentences[0].quoted
    assert "nine" not in doc.sentences[0].words
    assert not doc.sentences[1].quoted
    assert "bus" in doc.sentences[1].words


def test_a_letter_shown_in_the_reply_is_left_out() -> None:
    reply = (
        "Here is the letter:\n\nDear Mr. Lee,\n\nI write about the deposit.\n\nKind regards\nAna\n\nShall I send it?"
    )
    assert sentences(reply) == ["Here is the letter:", "Shall I send it?"]


def test_code_and_interaction_tool_text_are_left_out() -> None:
    assert sentences('```\nDear Sir\n```\nDone. IX_verbosity({"setting": "Terse"})') == ["Done."]


def test_equal_texts_are_parsed_once_and_nothing_gives_the_empty_doc() -> None:
    assert parse("One. Two.") is parse("One. Two.")
    assert parse("...") is EMPTY
    assert not parse("")
