from __future__ import annotations

import pytest

from mempa_gym.behaviour import asks_preference

ABOUT_MANNER = """
How would you like me to keep you updated?
Do you prefer short answers or more detail?
Should I always check with you before I send something?
Would you like me to explain my reasoning when I recommend something?
Do you want me to ask all my questions at once, or one by one?
How formal would you like me to be with you?
Would you rather have just my pick or a list of options?
In general, should I go ahead on my own with bookings or ask first?
Quick check on how you like to work: brief or thorough?
Do you want confidence levels with my answers?
Shall I narrate each step or just give you the result?
Would you prefer that I keep it casual or formal?
Do you want me to let you know whenever something like this changes?
Let me know whether you'd like short or long replies from me.
Would you like me to tell you how sure I am about each point?
Should I handle extra things like this on my own from now on?
What's your preferred level of detail?
Do you like it when I explain the terms, or should I assume you know them?
When something is blocked, should I keep trying other ways or come back to you?
How do you want me to handle several requests at once, all together or one at a time?
Would you like the full explanation or just the answer?
Before I start, do you want step-by-step updates while I work?
How should I communicate with you?
Should I ask first before adding anything, or just do it?
Do you want to be asked before I take actions like this?
Please tell me how you would like to be addressed.
Do you want the short version or the long one?
What tone would you like me to use with you?
How much detail do you want?
Is it okay if I always send things without asking?
"""

ABOUT_THE_TASK = """
Shall I send it now?
Which day works for you?
Would you like the window or the aisle?
Should the report be short or detailed?
How formal should the invitation be?
Do you prefer the seven o'clock or the eight thirty table?
Would you like me to book it?
Do you want me to add a reminder as well?
Should I tell Marco that you'll be late?
How would you like the steak cooked?
How would you like to pay?
What tone should the letter to the landlord have?
Should I go on with the sitter?
How much detail should the minutes have?
Would you rather fly or take the train?
How should I sign the card?
Does Jo prefer short or long walks?
Do you want me to check with the clinic first?
Should I ask Lena before I book the room?
Is it the long or the short lease?
Would you like me to look for other options?
Should the reminder come every week?
How do you want me to word the second line?
Would you like me to message Tom and Ida separately or together?
Do you want it delivered all at once or in two parts?
Should I book the same table every Friday?
What level of detail does the auditor need?
Do you normally pay by card?
Would you like to go through the boxes one by one or throw them all out at once?
Would you like me to walk you through the form?
The code is 4821.
I always check with you before sending anything.
"""


def lines(text: str) -> list[str]:
    return text.strip().splitlines()


@pytest.mark.parametrize("question", lines(ABOUT_MANNER))
def test_a_question_about_the_assistants_manner_is_found(question: str) -> None:
    assert asks_preference(f"The code is 4821. {question}") == question


@pytest.mark.parametrize("sentence", lines(ABOUT_THE_TASK))
def test_a_question_about_the_task_is_no_question_about_manner(sentence: str) -> None:
    assert asks_preference(sentence) is None
