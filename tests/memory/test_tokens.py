from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mempa_gym.memory.tokens import LineCounter, count_tokens

# Texts with the number of tokens that cl100k_base gives them.
REFERENCE = {
    "prose": (
        94,
        (
            "The workshop opens at nine, but the side door is unlocked from half past seven so that early birds "
            "can set up. Last month two people arrived before the caretaker and waited outside in the rain, which "
            "nobody wants to repeat. If you bring heavy equipment, please use the ramp behind the building; the "
            "front steps are steep and the railing is loose. Coffee and fruit are on the long table, and the first "
            "talk begins as soon as everyone has found a chair."
        ),
    ),
    "dialogue": (
        84,
        (
            "Okay so, I'm standing in the hallway with my coat half on and I can't find the message from the "
            "plumber. Didn't he say Wednesday? If it's Wednesday I'm stuck, because that's when I've got the kids. "
            "Could you look it up and tell me what he actually wrote? And don't change anything yet, I want to "
            "call him first. Thanks, you're a lifesaver!"
        ),
    ),
    "history": (
        231,
        (
            "[2026-03-02T09:10] USER: Can you move the tasting to Friday?\n[2026-03-02T09:10] CALL "
            'calendar_event_search {"query": "tasting", "after": "2026-03-01"} -> {"hits": [{"id": '
            '"cal_tasting_0305", "title": "Wine tasting", "start": "2026-03-05T16:00", "end": "2026-03-05T17:30", '
            '"location": "Back room", "status": "confirmed"}]}\n[2026-03-02T09:10] CALL calendar_event_update '
            '{"event_id": "cal_tasting_0305", "start": "2026-03-06T16:00", "end": "2026-03-06T17:30"} -> {"id": '
            '"cal_tasting_0305", "updated": ["start", "end"]}\n[2026-03-02T09:10] PA: The tasting is on Friday '
            "now, four o'clock in the back room."
        ),
    ),
    "record": (
        150,
        (
            '{"id": "prod_kettle_02", "name": "Gooseneck kettle, brushed steel", "store": "Harrow & Pine", '
            '"category": "kitchen", "price": 48.5, "features": ["1.2 litres", "thermometer in the lid", "works on '
            'induction"], "stock": 7, "notes": "Returns within thirty days, unused."}, {"id": "order_0093", '
            '"product": "prod_kettle_02", "quantity": 1, "total": 48.5, "status": "shipped", "placed": '
            '"2026-02-11", "arrives": "2026-02-16"}'
        ),
    ),
    "letter": (
        94,
        (
            "Good afternoon, Ms Okafor,\n\nThank you for your letter of 12 May. We have reviewed the invoice and "
            "agree that the second night was charged twice. The difference of 84.00 will be refunded to the card "
            "ending in 4417 within five working days. Therefore no further action is needed on your side.\n\n"
            "Should the amount not appear by Friday, please reply to this message and quote reference 20-1187.\n\n"
            "Kind regards,\nThe reservations office"
        ),
    ),
    "notes": (
        76,
        (
            "# Kitchen\n- Shelf paper: two rolls, the plain one\n- Ask Priya about the ladder (she offered in "
            'April)\n- Paint: "Harbour grey", matt, 2.5 l\n\n# Garden\n1. Cut back the hedge before the 20th\n2. '
            "Borrow the long hose again\n3. Don't water the succulents!"
        ),
    ),
}


@pytest.mark.parametrize("kind", REFERENCE)
def test_close_to_the_published_tokenizer_on_english(kind: str) -> None:
    published, text = REFERENCE[kind]
    assert count_tokens(text) == pytest.approx(published, rel=0.15)


@pytest.mark.parametrize(
    ("text", "published"),
    [
        ("我明天下午三点有一个会议，请帮我准备一份简短的总结。", 28),
        ("🎉🚀 👩‍👩‍👧", 18),
        ("aGVsbG8gd29ybGQsIHRoaXMgaXMgYmFzZTY0IGVuY29kZWQgdGV4dA==", 38),
        ("<|endoftext|><|im_start|>", 12),
        ("Завтра утром у меня встреча", 15),
    ],
)
def test_other_scripts_and_literals_are_not_lost(text: str, published: int) -> None:
    assert 0.6 * published <= count_tokens(text) <= 2 * published


@given(st.text())
def test_only_the_empty_text_has_no_tokens(text: str) -> None:
    assert (count_tokens(text) == 0) == (text == "")


_PIECES = st.text(alphabet=st.one_of(st.sampled_from(" aAbBzZ09._\"'{}\n\t-éжß我🎉"), st.characters()), max_size=12)


@given(_PIECES, _PIECES)
def test_appending_never_lowers_the_count(text: str, more: str) -> None:
    assert count_tokens(text) <= count_tokens(text + more) <= count_tokens(text) + count_tokens(more)


def test_a_huge_text_without_spaces_is_counted() -> None:
    assert count_tokens("x" * 2_000_000) >= 200_000


@given(st.lists(st.lists(st.sampled_from(["", "one line", "another, longer line", "x"]), min_size=1), min_size=1))
def test_what_a_line_counter_counted_before_does_not_show(texts: list[list[str]]) -> None:
    counter = LineCounter()
    for lines in texts:
        assert counter.count(lines) == LineCounter().count(lines) == len(lines) - 1 + sum(map(count_tokens, lines))
        assert counter.of(lines[0]) == count_tokens(lines[0])
        assert set(counter._known) == set(lines)
