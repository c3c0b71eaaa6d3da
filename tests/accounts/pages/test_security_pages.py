"""The pages of one's own account: authenticator, recovery codes, sessions and reauthentication."""

import re
from datetime import timedelta

import time_machine
from django.test import Client
from django.urls import reverse

from console.accounts import factors, staff
from console.accounts.actors import SYSTEM
from console.accounts.models import RecoveryCode, Session
from console.accounts.roles import Role
from console.accounts.session_store import SessionStore
from console.core import clock
from tests import factories
from tests.accounts.pages.journey import PASSWORD, a_person_with_a_password, alerts

ACCOUNT = reverse("accounts:security")
APP = reverse("accounts:authenticator")
BEGIN = reverse("accounts:begin_authenticator")
CONFIRM = reverse("accounts:confirm")


def seed_on(page: str) -> bytes:
    import base64

    text = re.search(r"<code>([A-Z2-7]{32})</code>", page)
    assert text
    return base64.b32decode(text[1])


def set_up_app(client):
    seed = seed_on(client.post(BEGIN, follow=True).text)
    return client.post(APP, {"code": factories.a_code(seed)})


def test_setting_up_the_app_shows_a_picture_and_the_secret_as_text(client):
    factories.signed_in(client, a_person_with_a_password())
    assert "Show the code to scan" in client.get(APP).text
    page = client.post(BEGIN, follow=True).text

    assert 'class="qr-code"' in page
    assert len(seed_on(page)) == 20


def test_the_first_code_gives_ten_recovery_codes_once(client):
    person = a_person_with_a_password()
    factories.signed_in(client, person)
    seed = seed_on(client.post(BEGIN, follow=True).text)
    response = client.post(APP, {"code": factories.a_code(seed)})
    codes = re.findall(r"<li>((?:\w{4}-){3}\w{4})</li>", response.text)

    assert len(codes) == 10
    assert response.headers["Cache-Control"] == "no-store"
    assert "download" in response.text
    assert codes[0] not in client.get(ACCOUNT).text
    assert not RecoveryCode.objects.filter(hashed=codes[0]).exists()


def test_a_wrong_first_code_keeps_the_page(client):
    factories.signed_in(client, a_person_with_a_password())
    client.post(BEGIN)
    response = client.post(APP, {"code": "000000"})

    assert "That code is not right" in alerts(response)
    assert 'href="#id_code"' in response.text
    assert 'class="qr-code"' in response.text


def test_one_of_staff_who_sets_it_up_goes_straight_to_work(client):
    person = a_person_with_a_password()
    staff.give_role(person, Role.AUDITOR, by=SYSTEM)
    factories.signed_in(client, person, by="password")
    assert client.get(reverse("onboarding:review_queue")).url == APP

    seed = seed_on(client.post(BEGIN, follow=True).text)
    client.post(APP, {"code": factories.a_code(seed)})
    assert client.get(reverse("onboarding:review_queue")).status_code == 200


def test_who_would_rather_not_set_up_an_app_is_not_led_back_to_what_needs_it(client):
    business = factories.a_business()
    factories.signed_in(client, factories.owner_of(business), by="password")
    led = client.get(reverse("accounts:invite", args=[business.public_id])).url

    assert 'href="/">Cancel' in client.get(led).text
    client.post(BEGIN)
    assert 'href="/">Cancel' in client.get(led).text


def test_confirming_leads_back_to_what_one_was_about_to_do(client):
    factories.long_ago(factories.signed_in(client, a_person_with_a_password(), by="password"))
    address = client.get(APP).url
    assert "Your password" in client.get(address).text

    assert "not your password" in alerts(client.post(address, {"code": "something else"}))
    assert client.post(address, {"code": PASSWORD}).url == APP
    assert client.get(APP).status_code == 200


def test_with_an_app_confirming_takes_its_code(client):
    person = a_person_with_a_password()
    seed = factories.an_authenticator(person)
    factories.long_ago(factories.signed_in(client, person))

    assert "did not work" in alerts(client.post(CONFIRM, {"code": PASSWORD}))
    from console.accounts.models import Authenticator

    Authenticator.objects.update(throttling_failure_count=0)
    assert client.post(CONFIRM, {"code": factories.a_code(seed)}).status_code == 302


def test_new_recovery_codes_end_the_old_ones_and_the_other_sessions(client):
    person = a_person_with_a_password()
    factories.an_authenticator(person)
    factories.signed_in(client, person)
    elsewhere = factories.signed_in(Client(), person)
    client.post(reverse("accounts:recovery_codes"))
    old = set(RecoveryCode.objects.values_list("hashed", flat=True))
    client.post(reverse("accounts:recovery_codes"))

    assert len(old) == RecoveryCode.objects.count() == 10
    assert not RecoveryCode.objects.filter(hashed__in=old).exists()
    assert elsewhere.get(ACCOUNT).status_code == 302
    assert client.get(ACCOUNT).status_code == 200


def test_a_reload_of_new_recovery_codes_leaves_those_that_were_shown(client):
    person = a_person_with_a_password()
    factories.an_authenticator(person)
    factories.signed_in(client, person)
    address = reverse("accounts:recovery_codes")
    hidden = re.search(r'name="replaces" value="(\d+)"', client.get(ACCOUNT).text)
    assert hidden
    client.post(address, {"replaces": hidden[1]})
    shown = set(RecoveryCode.objects.values_list("hashed", flat=True))

    again = client.post(address, {"replaces": hidden[1]})

    assert again.status_code == 409
    assert f'data-kind="primary" href="{ACCOUNT}"' in again.text
    assert set(RecoveryCode.objects.values_list("hashed", flat=True)) == shown


def test_a_password_does_not_count_once_there_is_an_app(client):
    person = a_person_with_a_password()
    factories.signed_in(client, person, by="password")
    factories.an_authenticator(person)

    assert client.post(BEGIN).url.startswith(CONFIRM)
    assert client.post(reverse("accounts:recovery_codes")).url.startswith(CONFIRM)
    assert not RecoveryCode.objects.exists()


def test_the_first_app_confirms_who_its_user_is_and_the_next_one_does_not(client):
    person = a_person_with_a_password()
    factories.signed_in(client, person, by="password")
    set_up_app(client)
    first = client.session["confirmed"]
    assert first["by"] == "code"

    set_up_app(client)
    assert client.session["confirmed"] == first
    user = client.get(ACCOUNT).wsgi_request.user
    assert user.otp_device == factors.authenticator_of(person)


def test_an_app_beside_a_passkey_confirms_nothing_and_the_passkey_still_verifies(client):
    person = a_person_with_a_password()
    passkey = factories.a_passkey(person)
    factories.just_now(factories.signed_in(client, person, by="password"), by="passkey")
    session = client.session
    session["otp_device_id"] = passkey.persistent_id
    session.save()

    set_up_app(client)
    assert client.session["confirmed"] == session["confirmed"]
    assert client.get(ACCOUNT).wsgi_request.user.otp_device == passkey


def test_a_seed_that_one_session_was_shown_is_shown_in_no_other(client):
    person = a_person_with_a_password()
    factories.signed_in(client, person, by="password")
    elsewhere = factories.signed_in(Client(), person, by="password")
    seen = seed_on(elsewhere.post(BEGIN, follow=True).text)
    assert "Show the code to scan" in client.get(APP).text

    seed = seed_on(client.post(BEGIN, follow=True).text)

    assert seed != seen
    assert "Show the code to scan" in elsewhere.get(APP).text
    client.post(APP, {"code": factories.a_code(seed)})
    assert factories.seed_of(person) == seed


def test_an_app_that_a_recovery_code_led_to_is_held_and_so_is_the_next(client):
    person = a_person_with_a_password()
    factories.signed_in(client, person, by="recovery")
    for by in ("recovery", "code"):
        factories.just_now(client, by=by)
        set_up_app(client)
        assert client.session["confirmed"]["by"] == by
        held = factors.held_until(person)
        assert held is not None
        assert timedelta(hours=23) < held - clock.now() <= factors.HELD_AFTER_ADDING
    assert "cannot countersign agreements with it before" in client.get(ACCOUNT).text

    with time_machine.travel(clock.now() + factors.HELD_AFTER_ADDING):
        assert factors.held_until(person) is None


def test_an_app_is_replaced_by_its_own_code_and_ends_the_other_sessions(client):
    person = a_person_with_a_password()
    old = factories.an_authenticator(person)
    factories.signed_in(client, person, by="password")
    elsewhere = factories.signed_in(Client(), person)

    asked = client.post(BEGIN).url
    client.post(asked, {"code": factories.a_code(old)})
    new = seed_on(client.post(BEGIN, follow=True).text)
    client.post(APP, {"code": factories.a_code(new)})

    assert factories.seed_of(person) == new
    assert elsewhere.get(ACCOUNT).status_code == 302
    assert client.get(ACCOUNT).status_code == 200


def test_one_sees_where_one_is_signed_in(client):
    person = a_person_with_a_password()
    client.post(
        reverse("accounts:sign_in"),
        {"email": person.email, "password": PASSWORD},
        headers={"user-agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/120.0 Safari/537.36"},
    )
    page = client.get(ACCOUNT).text

    assert "Chrome on Linux" in page
    assert "This session" in page


def test_one_session_or_all_others_can_be_ended(client):
    person = a_person_with_a_password()
    factories.signed_in(client, person)
    second, third = factories.signed_in(Client(), person), factories.signed_in(Client(), person)
    row = Session.objects.get(pk=SessionStore.digest(str(second.session.session_key)))
    client.post(reverse("accounts:end_one", args=[row.public_id]))
    assert second.get(ACCOUNT).status_code == 302
    assert third.get(ACCOUNT).status_code == 200

    client.post(reverse("accounts:end_others"))
    assert third.get(ACCOUNT).status_code == 302
    assert client.get(ACCOUNT).status_code == 200

    client.post(reverse("accounts:end_all"))
    assert client.get(ACCOUNT).status_code == 302
