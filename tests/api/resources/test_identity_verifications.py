"""Identity verifications: the register's answer, and that the number is not stored."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.apps import apps
from django.db import connection

from api.payments import identity_verifications
from api.payments.models import Customer, IdentityVerification
from console.audit.models import Entry
from console.core import clock
from console.events.models import Event
from tests.api.asking import ROWS, pointed

PATH = "/identity-verifications"
CREATE = ROWS["POST", PATH]
NUMBER = "A00123456"


def verify(client, number=NUMBER, **more):
    body = client.body_of(CREATE) | {"number": number} | more
    return client.ask(CREATE, PATH, body)


def read(client, made):
    return client.api.get(f"/sandbox/v1{PATH}/{made['id']}", client.plain).json


def test_a_confirmed_identity_is_told_and_read_back(client):
    reply = verify(client)

    assert reply.status == 201, reply.body
    made = reply.json
    assert (made["status"], made["result"]) == ("completed", "confirmed")
    assert made["completed_at"] is not None
    assert read(client, made) | {"request_id": ""} == made | {"request_id": ""}
    codes = Entry.objects.filter(subject_id=made["id"]).order_by("pk")
    kinds = Event.objects.filter(subject_id=made["id"]).order_by("pk")
    told = ["identity_verification.created", "identity_verification.completed"]
    assert [one.code for one in codes] == [one.kind for one in kinds] == told


@pytest.mark.parametrize(
    ("number", "result"), [("A00123001", "not_found"), ("A00123002", "mismatch")]
)
def test_what_is_not_confirmed_is_completed_all_the_same(client, number, result):
    made = verify(client, number).json

    assert (made["status"], made["result"]) == ("completed", result)


def test_a_register_that_is_away_answers_the_third_try_with_the_same_key(client):
    body = client.body_of(CREATE) | {"number": "A00123003"}

    replies = [client.ask(CREATE, PATH, body, key="identity-0001") for _ in range(4)]

    assert [reply.status for reply in replies] == [503, 503, 201, 201]
    assert replies[2].json["id"] == replies[3].json["id"]
    assert IdentityVerification.objects.count() == 1


def test_an_answer_that_waits_is_there_once_it_is_due(client):
    now = clock.now()
    with time_machine.travel(now, tick=False):
        made = verify(client, "A00123004").json
        assert (made["status"], made["result"], made["completed_at"]) == ("pending", None, None)
        identity_verifications.settle_due()
        assert read(client, made)["status"] == "pending"

    with time_machine.travel(now + timedelta(seconds=6), tick=False):
        assert read(client, made)["result"] == "confirmed"
        identity_verifications.settle_due()
    assert Entry.objects.filter(code="identity_verification.completed").count() == 1


# The number --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "shown"), [("123456", "56"), ("A00123456", "456"), ("12345678901234", "1234")]
)
def test_no_more_than_the_end_of_the_number_is_shown(client, number, shown):
    assert verify(client, number).json["number_ends_with"] == shown


def test_the_number_is_kept_nowhere(client, capfd, caplog):
    number = "SECRET7391650482"
    assert verify(client, number).status == 201
    assert verify(client, f"{number}003").status == 503

    holding = []
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            table = model._meta.db_table
            cursor.execute(
                f'SELECT count(*) FROM "{table}" AS held WHERE held::text ILIKE %s',
                [f"%{number}%"],
            )
            if cursor.fetchone() != (0,):
                holding.append(table)
    assert holding == []
    out, err = capfd.readouterr()
    assert number not in out + err + caplog.text


# Which customer ----------------------------------------------------------------------------------


def customer_of(made):
    return Customer.objects.get(public_id=made["customer_id"])


def test_a_customer_is_confirmed_by_the_name_that_it_had(client):
    customer = customer_of(verify(client).json)
    assert identity_verifications.is_confirmed(customer)

    customer.legal_name = "Somebody Else"
    assert not identity_verifications.is_confirmed(customer)


@pytest.mark.parametrize(
    ("number", "named"), [(NUMBER, "Ada Obi"), ("A00123001", "BUSINESS"), ("A00123004", "BUSINESS")]
)
def test_an_account_is_named_after_a_customer_who_is_confirmed(client, number, named):
    open_account = ROWS["POST", "/virtual-accounts"]
    body = {"currency": "USD", "customer_id": verify(client, number).json["customer_id"]}

    made = client.ask(open_account, open_account.path, body).json

    assert made["account_name"].startswith(named)
    asked = client.ask(open_account, open_account.path, body | {"account_name": "Till 4"}).json
    assert asked["account_name"] == "Till 4"


@pytest.mark.parametrize("number", ["A00123001", "A00123002", "A00123004"])
def test_a_customer_is_not_confirmed_by_another_answer(client, number):
    assert not identity_verifications.is_confirmed(customer_of(verify(client, number).json))


def test_a_verification_of_nobody_confirms_nobody(client):
    customer = customer_of(verify(client, "A00123001").json)
    body = {name: one for name, one in client.body_of(CREATE).items() if name != "customer_id"}

    made = client.ask(CREATE, PATH, body).json

    assert (made["result"], made["customer_id"]) == ("confirmed", None)
    assert not identity_verifications.is_confirmed(customer)


def test_a_mistake_is_named_and_does_not_repeat_the_number(client):
    change: Any
    for change, pointer in [
        ({"number": "12345"}, "/number"),
        ({"number": "A 00123456"}, "/number"),
        ({"number": 123456}, "/number"),
        ({"type": "library_card"}, "/type"),
        ({"country": "NGA"}, "/country"),
        ({"name": "Ada"}, "/name"),
    ]:
        reply = verify(client, **{"number": NUMBER} | change)
        assert pointer in pointed(reply)
        assert NUMBER.encode() not in reply.body
