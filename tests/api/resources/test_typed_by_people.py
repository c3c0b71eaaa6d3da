"""Values as people and their programs send them: names, dates, times, emoji, IBANs and paths."""

import pytest

from tests.api.asking import BY_NAME, faults

CARDHOLDER = BY_NAME["cardholders.create"]
BENEFICIARY = BY_NAME["beneficiaries.create"]
BOOKING = BY_NAME["flights_bookings.create"]
CUSTOMER = BY_NAME["customers.create"]
EMOJI = {
    "a": "❤️ 👩‍💻 👍🏽 1️⃣ 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "葛\U000e0100": "2",
}

BLANKS = ["  ", "\u00a0", "\n", "\t"]


def with_passenger(client, change):
    body = client.body_of(BOOKING)
    return body | {"passengers": [body["passengers"][0] | change]}


@pytest.mark.parametrize("row", [CARDHOLDER, CUSTOMER])
def test_nobody_was_born_in_the_future(client, row):
    reply = client.ask(row, row.path, client.body_of(row) | {"date_of_birth": "2999-01-01"})
    assert faults(reply) == [("/date_of_birth", "out_of_range")]


def test_no_passenger_was_born_in_the_future(client):
    reply = client.ask(
        BOOKING, BOOKING.path, with_passenger(client, {"date_of_birth": "2999-01-01"})
    )
    assert faults(reply) == [("/passengers/0/date_of_birth", "out_of_range")]


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        *((blanks, "too_short") for blanks in BLANKS),
        ("A\nB", "wrong_shape"),
        ("A\tB", "wrong_shape"),
    ],
)
def test_a_name_is_one_line_with_letters(client, typed, code):
    body = client.body_of(BENEFICIARY)
    body |= {"name": typed, "account": body["account"] | {"account_name": typed}}
    reply = client.ask(BENEFICIARY, "/beneficiaries", body)
    assert faults(reply) == [("/name", code), ("/account/account_name", code)]


@pytest.mark.parametrize("ends", [".1234567Z", ".123456789Z", "z", "%2B01:00", ".5%2B01:00"])
def test_a_moment_is_read_as_programs_write_it(api, client, ends):
    reply = api.get("/sandbox/v1/events", client.plain, f"since=2026-09-01T09:30:00{ends}")
    assert reply.status == 200, reply.json


def test_a_plus_that_was_not_escaped_is_named(api, client):
    reply = api.get("/sandbox/v1/events", client.plain, "since=2026-09-01T09:30:00+01:00")
    assert faults(reply) == [("/since", "wrong_shape")]
    assert reply.json["errors"][0]["detail"] == "Send the + of the time as %2B."


def test_metadata_take_emoji_and_variants(client):
    body = client.body_of(CUSTOMER) | {"metadata": EMOJI}
    assert client.ask(CUSTOMER, "/customers", body).json["metadata"] == EMOJI


def test_metadata_take_no_joiner_between_letters(client):
    body = client.body_of(CUSTOMER) | {"metadata": {"a": "Nova\u200dBank"}}
    assert faults(client.ask(CUSTOMER, "/customers", body)) == [("/metadata/a", "hidden_character")]


def test_a_bank_of_jersey_has_an_iban_of_britain(client):
    body = client.body_of(BENEFICIARY)
    account = {"account_name": "Ada Obi", "country": "JE", "iban": "GB29NWBK60161331926819"}
    made = client.ask(BENEFICIARY, "/beneficiaries", body | {"account": account})
    assert made.status == 201, made.json
    other = client.ask(
        BENEFICIARY, "/beneficiaries", body | {"account": account | {"country": "FR"}}
    )
    assert faults(other) == [("/account/iban", "wrong_country")]


@pytest.mark.parametrize("path", ["/sandbox/v1/me/", "/v1/customers/", "/v1/customers/cus_1/"])
def test_a_slash_at_the_end_is_named(api, client, path):
    reply = api.get(path, client.plain)
    assert (reply.status, reply.json["detail"]) == (404, "Remove the slash at the end of the path.")


def test_the_slash_is_not_named_where_it_is_not_what_is_wrong(api, client):
    assert "slash" not in api.get("/sandbox/v1/nothing/", client.plain).json["detail"]


@pytest.mark.parametrize("last", [{}, {"last_name": ""}])
def test_a_cardholder_has_one_name(client, last):
    body = {n: v for n, v in client.body_of(CARDHOLDER).items() if n != "last_name"}
    made = client.ask(CARDHOLDER, "/cardholders", body | last)
    assert (made.status, made.json["last_name"]) == (201, ""), made.json


def test_a_passenger_has_one_name(client):
    body = with_passenger(client, {})
    del body["passengers"][0]["last_name"]
    made = client.ask(BOOKING, BOOKING.path, body)
    assert (made.status, made.json["passengers"][0]["last_name"]) == (201, ""), made.json


@pytest.mark.parametrize("last", BLANKS)
def test_blanks_are_no_name(client, last):
    body = client.body_of(CARDHOLDER) | {"last_name": last}
    assert faults(client.ask(CARDHOLDER, CARDHOLDER.path, body)) == [("/last_name", "too_short")]
    body = with_passenger(client, {"last_name": last})
    assert faults(client.ask(BOOKING, BOOKING.path, body)) == [
        ("/passengers/0/last_name", "too_short")
    ]


@pytest.mark.parametrize("email", ["siobhan.o'dowd@example.ie", "a@müller.example"])
def test_a_customer_has_any_address_that_mail_reaches(client, email):
    made = client.ask(CUSTOMER, "/customers", client.body_of(CUSTOMER) | {"email": email})
    assert (made.status, made.json["email"]) == (201, email), made.json


@pytest.mark.parametrize(
    "email", ["a@example", "a@exa_mple.com", "a@example..com", "a b@c.example"]
)
def test_a_customer_has_no_address_without_a_server(client, email):
    body = client.body_of(CUSTOMER) | {"email": email}
    assert faults(client.ask(CUSTOMER, "/customers", body)) == [("/email", "wrong_shape")]


def with_text(body, pointer, change):
    """Return a body with the text at a pointer changed."""
    name, _, rest = pointer.strip("/").partition("/")
    old = body.get(name, {} if rest else PHONE)
    return body | {name: with_text(old, rest, change) if rest else change(old)}


PHONE = "+442079460000"
SHAPED = [
    ("customers.create", "/phone"),
    ("orders.create", "/customer/phone_number"),
    ("checkout_sessions.create", "/customer/phone"),
    ("digital_services_orders.create", "/recipient"),
    ("identity_verifications.create", "/number"),
    ("payouts.create", "/bank_account/account_number"),
]


@pytest.mark.parametrize(("name", "pointer"), SHAPED)
@pytest.mark.parametrize(
    "change", ["\u202a{}\u202c".format, "{}\u00a0".format, "{}\u200b".format, "\ufeff{}".format]
)
def test_hidden_characters_around_a_shape_are_dropped(client, name, pointer, change):
    row = BY_NAME[name]
    made = client.ask(row, row.path, with_text(client.body_of(row), pointer, change))
    assert made.status < 300, made.json


@pytest.mark.parametrize(("name", "pointer"), SHAPED)
@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("\u202a{:\u202e>40}".format, "hidden_character"),
        ("\u00a0{}\u00a0\u00a01".format, "wrong_shape"),
    ],
)
def test_what_changes_a_shape_is_located(client, name, pointer, change, code):
    row = BY_NAME[name]
    reply = client.ask(row, row.path, with_text(client.body_of(row), pointer, change))
    assert faults(reply) == [(pointer, code)]


def test_a_customer_has_the_number_that_is_seen(client):
    body = client.body_of(CUSTOMER) | {"phone": f"\u202a{PHONE}\u202c"}
    assert client.ask(CUSTOMER, "/customers", body).json["phone"] == PHONE


def test_a_marked_iban_and_bic_are_located_by_their_marks(client):
    account = {"account_name": "Ada Obi", "country": "GB"}
    account |= dict.fromkeys(("iban", "bic"), f"\u202a{'X' * 34}\u202c")
    reply = client.ask(
        BENEFICIARY, "/beneficiaries", client.body_of(BENEFICIARY) | {"account": account}
    )
    assert faults(reply) == [
        ("/account/iban", "hidden_character"),
        ("/account/bic", "hidden_character"),
    ]
