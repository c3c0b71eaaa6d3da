"""Typed text becomes a stored value, or a message that says what to do."""

from datetime import date

import pytest
from hypothesis import given as over
from hypothesis import strategies as st

from onboarding.questionnaire.answer_problems import Context, Unreadable
from onboarding.questionnaire.edition_schema import Option, Question, QuestionKind
from onboarding.questionnaire.loading import EDITIONS
from onboarding.questionnaire.question_kinds import read
from onboarding.reference import countries

CONTEXT = Context(today=date(2026, 11, 21), currency="USD")
OPTIONS = (Option("x", "X"), Option("y", "Y"), Option("none", "None"))


def question(kind, **members):
    return Question("q", "The question", QuestionKind(kind), **members)


def readings(kind, typed, **members):
    return read(question(kind, **members), typed, CONTEXT)


@pytest.mark.parametrize(
    ("kind", "typed", "kept"),
    [
        ("text", "  Acme  Ltd ", "Acme  Ltd"),
        ("text", "Cafe\u0301", "Caf\u00e9"),
        ("text", "Ada\tByron", "Ada Byron"),
        ("long_text", "Ada\tByron", "Ada\tByron"),
        ("text", "", None),
        ("long_text", "one\r\ntwo", "one\ntwo"),
        ("yes_no", "yes", True),
        ("yes_no", "no", False),
        ("attest", "yes", True),
        ("country", "NG", "NG"),
        ("integer", "1,200", 1200),
        ("percent", "12.50 %", "12.5"),
        ("percent", "100", "100"),
        ("percent", "33.3333", "33.3333"),
        ("integer", "12,34,567", 1_234_567),
        ("money", "1,00,00,000", {"minor": 1_000_000_000, "currency": "USD"}),
        ("money", "18\u200e000", {"minor": 1_800_000, "currency": "USD"}),
        ("integer", "١٢", 12),
        ("money", "1.800.000", {"minor": 180_000_000, "currency": "USD"}),
        ("money", "18.000,00", {"minor": 1_800_000, "currency": "USD"}),
        ("money", "400,000.5", {"minor": 40_000_050, "currency": "USD"}),
        ("date", "2019-03-27", "2019-03-27"),
        ("email", "a.person@example.co.uk", "a.person@example.co.uk"),
        ("phone", "+44 20 7946 0018", "+442079460018"),
        ("phone", "\u202a+44\u200b 20\u2069 7946 0018\u202c", "+442079460018"),
        ("phone", "+44 (0)20 7946-0018", "+442079460018"),
        ("phone", "+33 1 42.68.53.00", "+33142685300"),
        ("phone", "+49 30 / 901820", "+4930901820"),
        ("phone", "+1 212 555 0100 x12", "+12125550100 ext. 12"),
        ("phone", "+44 20 7946 0018 ext. 5", "+442079460018 ext. 5"),
        ("phone", "+442079460018 ext. 5", "+442079460018 ext. 5"),
        ("phone", "+442079460018;ext=5", "+442079460018 ext. 5"),
        ("money", "18\u2009000\u2009000", {"minor": 1_800_000_000, "currency": "USD"}),
        ("money", "18\u2007000.5", {"minor": 1_800_050, "currency": "USD"}),
        ("money", "USD 18,000", {"minor": 1_800_000, "currency": "USD"}),
        ("money", "18,000 USD", {"minor": 1_800_000, "currency": "USD"}),
        ("email", "siobhan.o'dowd@example.ie", "siobhan.o'dowd@example.ie"),
        ("email", "a@xn--mller-kva.example", "a@müller.example"),
        ("url", "example.com", "https://example.com"),
        ("countries", ["NG", "", "GB", "NG"], ["NG", "GB"]),
        ("countries", [""], None),
        (
            "address",
            {"line1": "1\tHigh Street", "city": "Leeds", "country": "GB"},
            {"line1": "1 High Street", "city": "Leeds", "country": "GB"},
        ),
    ],
)
def test_a_good_answer_is_kept_in_one_form(kind, typed, kept):
    assert readings(kind, typed) == kept


@pytest.mark.parametrize(
    ("kind", "typed", "says"),
    [
        ("text", "two\nlines", "one line"),
        ("text", "x" * 301, "300 characters or fewer"),
        ("text", "evil\u202etxt", "hidden character"),
        ("text", "nul\x00", "hidden character"),
        ("yes_no", "maybe", "yes or no"),
        ("attest", "no", "Tick the box"),
        ("country", "XX", "from the list"),
        ("country", "Nigeria", "from the list"),
        ("integer", "1.5", "whole number"),
        ("integer", "-1", "whole number"),
        ("integer", "9" * 16, "whole number"),
        ("percent", "101", "between 0 and 100"),
        ("percent", "NaN", "percentage in digits"),
        ("percent", "1e2", "percentage in digits"),
        ("percent", "33.33333", "at most 4 decimal places"),
        ("money", "1.2345", "decimal places"),
        ("money", "18.000", r"two ways. Enter 18000 or 18.00\."),
        ("email", "jlópez@example.com", "without accents"),
        ("money", "1e9", "amount in digits"),
        ("money", "18,00", "amount in digits"),
        ("money", "1,8000", "amount in digits"),
        ("money", "1,000 000", "amount in digits"),
        ("money", "-500", "zero or more"),
        ("integer", "1,2", "digits|number"),
        ("date", "31/12/2019", "real date"),
        ("date", "2019-02-30", "real date"),
        ("email", "a@b", "e-mail address"),
        ("email", "a b@example.com", "e-mail address"),
        ("email", "a@ｅxample.com", "plain letters"),
        ("email", "a@" + "é" * 63 + ".example", "does not exist"),
        ("email", "https:evil.com/login@attacker.org", "e-mail address"),
        ("email", "evil.com/login@attacker.org", "slashes"),
        ("email", "www.evil.com@attacker.org", "web address"),
        ("phone", "020 7946 0018", "country code"),
        ("phone", "+44 123", "digits"),
        ("phone", "+44 20 7946 001O", "“O”"),
        ("phone", "+44 20 7946 00l8", "“l”"),
        ("phone", "+44 20 7946 0018 (Axel)", "“Axel”"),
        ("phone", "+1 800 FLOWERS", "“FLOWERS”"),
        ("phone", "+234 801 234 5678 WhatsApp", "“WhatsApp”"),
        ("phone", "+49 89 123456 DW 12", "“DW”"),
        ("phone", "(+44) 20 7946 001O", "“O”"),
        ("phone", "＋44 20 7946 001O", "“O”"),
        ("phone", "tel:+44 20 7946 0018", "“tel”"),
        ("money", "\u22125", "zero or more"),
        ("phone", "+44 20 7946 0018*5", r"“\*”"),
        ("money", "£18,000", "“£”: the amount is in USD"),
        ("money", "18,000 €", "“€”"),
        ("money", "₦18,000", "“₦”"),
        ("money", "EUR 18,000", "Leave out “EUR”"),
        ("url", "javascript:alert(1)", "web address"),
        ("url", "http://127.0.0.1/", "web address"),
        ("url", "https://user@example.com", "web address"),
        ("url", "https://example.com:x", "web address"),
        ("url", "https://[::1", "web address"),
        ("text", ["a", "b"], "one value"),
        ("address", "London", "parts of the address"),
        ("rows", "a", "rows"),
    ],
)
def test_a_bad_answer_is_refused_with_what_to_do(kind, typed, says):
    with pytest.raises(Unreadable, match=says):
        readings(kind, typed)


def test_choices_are_kept_in_the_order_of_the_question():
    assert readings("multi", ["y", "x"], options=OPTIONS) == ["x", "y"]


def test_none_excludes_the_others():
    with pytest.raises(Unreadable, match="not both"):
        readings("multi", ["x", "none"], options=OPTIONS)


def test_only_offered_choices_count():
    with pytest.raises(Unreadable, match="Choose"):
        readings("choice", "z", options=OPTIONS)
    with pytest.raises(Unreadable, match="Choose"):
        readings("multi", ["z"], options=OPTIONS)


@pytest.mark.parametrize("currency", ["USD", "USDC", "USDT"])
def test_a_dot_before_three_digits_is_asked_about(currency):
    with pytest.raises(Unreadable, match="two ways"):
        read(question("money"), "18.000", Context(today=CONTEXT.today, currency=currency))


def test_an_amount_needs_its_currency():
    with pytest.raises(Unreadable, match="currency first"):
        read(question("money"), "12", Context(today=CONTEXT.today))


def test_an_address_keeps_the_parts_that_were_given():
    typed = {"line1": " 1 High Street ", "city": "Bristol", "country": "GB", "state": ""}

    assert readings("address", typed) == {
        "line1": "1 High Street",
        "city": "Bristol",
        "country": "GB",
    }


def test_an_address_says_which_part_is_missing():
    with pytest.raises(Unreadable) as unreadable:
        readings("address", {"line1": "1 High Street"})

    assert [p.path for p in unreadable.value.problems] == ["q.city", "q.country"]


COLUMNS = (
    Question("name", "Name", QuestionKind.TEXT),
    Question("share", "Share", QuestionKind.PERCENT),
)


def test_empty_rows_are_dropped():
    typed = [{"name": "", "share": " "}, {"name": "Ana", "share": "60"}]

    assert readings("rows", typed, columns=COLUMNS) == [{"name": "Ana", "share": "60"}]


def test_a_row_says_which_cell_is_wrong():
    typed = [{"name": "Ana", "share": "60"}, {"name": "", "share": "lots"}]

    with pytest.raises(Unreadable) as unreadable:
        readings("rows", typed, columns=COLUMNS)

    assert [p.path for p in unreadable.value.problems] == ["q.1.name", "q.1.share"]


def test_there_is_an_end_to_rows():
    typed = [{"name": "Ana", "share": "1"}] * 3

    with pytest.raises(Unreadable, match="2 rows or fewer"):
        readings("rows", typed, columns=COLUMNS, at_most=2)


@pytest.mark.parametrize(
    ("typed", "says"),
    [("2026-11-22", "not in the future"), ("1599-12-31", "1600-01-01 or")],
)
def test_a_date_has_its_bounds(typed, says):
    with pytest.raises(Unreadable, match=says):
        readings("date", typed, at_least="1600-01-01", at_most="today")


ANYTHING = st.recursive(
    st.text(max_size=40),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4)
    ),
    max_leaves=8,
)


@over(question=st.sampled_from(list(EDITIONS.newest())), typed=ANYTHING)
def test_whatever_is_typed_is_read_or_refused_and_nothing_else(question, typed):
    try:
        read(question, typed, CONTEXT)
    except Unreadable as unreadable:
        said = [problem.message for problem in unreadable.problems]
    else:
        said = []
    assert all(message.endswith(".") for message in said)


def test_a_signatory_name_that_holds_a_web_address_is_refused():
    named = Question("ow_signatory_name", "Name", QuestionKind("text"))
    with pytest.raises(Unreadable, match="Remove the web address"):
        read(named, "Claim at evil.com", CONTEXT)
    assert read(named, "Mara J. Ellwood", CONTEXT) == "Mara J. Ellwood"
    assert readings("text", "evil.com") == "evil.com"


def test_countries_are_in_the_order_of_their_letters_without_accents():
    order = [
        countries.name(code) for code in ("AF", "AX", "AL", "CR", "CI", "HR", "QA", "RE", "RO")
    ]
    listed = list(countries.names().values())
    assert sorted(order, key=listed.index) == order
