"""The second factor: codes work once and briefly, recovery codes once, the seed is encrypted."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import time_machine
from django.db import connection

from console.accounts import factors
from console.accounts.models import Authenticator, RecoveryCode
from console.accounts.roles import Role
from console.core import clock
from console.core.refusals import AlreadyDone
from tests import factories


@pytest.fixture(autouse=True)
def _still():
    """Freeze the clock, so that no code expires during a test."""
    with time_machine.travel(clock.now(), tick=False):
        yield


def test_setting_up_takes_a_first_code_and_gives_recovery_codes():
    person = factories.a_person()
    app = factors.begin_set_up(person, by=person)

    with pytest.raises(factors.WrongCode):
        factors.finish_set_up(person, app.public_id, "000000", by=person)
    with time_machine.travel(clock.now() + timedelta(minutes=1)):
        code = factories.a_code(app.seed)
        codes = factors.finish_set_up(person, app.public_id, code, by=person)

    assert len(set(codes)) == factors.RECOVERY_CODES
    assert factors.authenticator_of(person) == app


def test_a_seed_does_not_wait_for_ever():
    person = factories.a_person()
    app = factors.begin_set_up(person, by=person)
    with time_machine.travel(clock.now() + factors.SET_UP_WITHIN):
        assert factors.being_set_up(person, app.public_id) is None
        code = factories.a_code(app.seed)
        with pytest.raises(factors.WrongCode):
            factors.finish_set_up(person, app.public_id, code, by=person)


def test_the_seed_is_not_in_the_database():
    person = factories.a_person()
    seed = factories.an_authenticator(person)
    stored = bytes(Authenticator.objects.values_list("sealed_seed", flat=True).get())
    assert seed not in stored


@pytest.mark.parametrize("ahead", [-1, 1])
def test_a_clock_half_a_minute_off_counts_for_a_business_and_not_for_our_staff(ahead):
    person = factories.a_person()
    seed = factories.an_authenticator(person)
    assert factors.prove(person, factories.a_code(seed, ahead=ahead)) == "code"
    assert factors.prove(person, factories.a_code(seed, ahead=ahead)) == ""

    reviewer = factories.one_of_staff(Role.COMPLIANCE)
    seed = factors.authenticator_of(reviewer).seed
    assert factors.prove(reviewer, factories.a_code(seed, ahead=ahead)) == ""


@pytest.mark.parametrize("ahead", [-3, -2, 2, 3])
def test_other_half_minutes_do_not_count(ahead):
    person = factories.a_person()
    seed = factories.an_authenticator(person)
    assert factors.prove(person, factories.a_code(seed, ahead=ahead)) == ""


@pytest.mark.parametrize("typed", ["", "12345", "abcdef", "１２３４５６", "1234567", "\x00" * 6])
def test_what_is_no_code_is_just_wrong(typed):
    person = factories.a_person()
    factories.an_authenticator(person)
    assert factors.prove(person, typed) == ""


def test_wrong_codes_slow_the_next_try_down():
    person = factories.a_person()
    seed = factories.an_authenticator(person)
    for _ in range(3):
        assert factors.prove(person, "000000") == ""
    assert factors.prove(person, factories.a_code(seed)) == ""
    with time_machine.travel(clock.now() + timedelta(minutes=5)):
        assert factors.prove(person, factories.a_code(seed)) == "code"


def test_a_recovery_code_is_good_once_and_stored_as_a_digest():
    person = factories.a_person()
    factories.an_authenticator(person)
    first, second, *_ = factors.renew_recovery_codes(person, by=person)

    assert factors.prove(person, first.upper()) == "recovery"
    assert factors.prove(person, first) == ""
    with time_machine.travel(clock.now() + timedelta(minutes=1)):
        assert factors.prove(person, second.replace("-", " ")) == "recovery"
    assert first.replace("-", "") not in str(list(RecoveryCode.objects.values()))


@pytest.mark.django_db(transaction=True)
def test_one_code_at_eight_doors_opens_one():
    person = factories.a_person()
    code = factories.a_code(factories.an_authenticator(person))

    def ask(_):
        try:
            return factors.prove(person, code)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(ask, range(8))) == [""] * 7 + ["code"]


@pytest.mark.django_db(transaction=True)
def test_one_form_sent_eight_times_at_once_makes_one_set_of_recovery_codes():
    person = factories.a_person()
    factories.an_authenticator(person)
    replaces = factors.newest_recovery_code(person)

    def press(_):
        try:
            return factors.renew_recovery_codes(person, replaces=replaces, by=person)
        except AlreadyDone:
            return []
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        shown = [codes for codes in pool.map(press, range(8)) if codes]

    assert len(shown) == 1
    assert RecoveryCode.objects.count() == factors.RECOVERY_CODES
    assert factors.prove(person, shown[0][0]) == "recovery"
