"""The sign-in pages: password, code, lock-out, and the return to the requested page."""

from datetime import timedelta

import time_machine
from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.test import Client
from django.urls import reverse

from console.accounts.models import Session, User
from console.accounts.session_store import SessionStore
from console.audit.models import Entry
from console.core import clock
from tests import factories
from tests.accounts.pages.journey import PASSWORD, a_person_with_a_password, alerts

SIGN_IN = reverse("accounts:sign_in")
CODE = reverse("accounts:code")
ACCOUNT = reverse("accounts:security")


def sign_in(client, email="amara@example.com", password=PASSWORD, to=""):
    address = f"{SIGN_IN}?next={to}" if to else SIGN_IN
    return client.post(address, {"email": email, "password": password})


def test_the_right_password_opens_the_door(client):
    a_person_with_a_password()

    assert sign_in(client).url == "/"
    assert client.get(ACCOUNT).status_code == 200


def test_a_copy_of_a_session_under_another_key_opens_nothing(client):
    a_person_with_a_password()
    sign_in(client)
    copy, key = Session.objects.get(), "k" * 32
    copy.session_key, copy.public_id = SessionStore.digest(key), "ses_copy"
    copy.save(force_insert=True)
    other = Client()
    other.cookies[settings.SESSION_COOKIE_NAME] = key

    assert other.get(ACCOUNT).status_code == 302
    assert client.get(ACCOUNT).status_code == 200


def test_a_password_is_hashed_again_with_an_entry_once_hashes_cost_more(client, monkeypatch):
    person = a_person_with_a_password()
    monkeypatch.setattr(Argon2PasswordHasher, "time_cost", 2)

    assert sign_in(client).url == "/"
    assert User.objects.get(pk=person.pk).password != person.password
    assert Entry.objects.filter(code="person.password_hashed_again").count() == 1


def test_an_address_may_be_typed_in_capitals(client):
    a_person_with_a_password()
    assert sign_in(client, email=" AMARA@Example.com").url == "/"


def test_one_goes_on_to_where_one_wanted(client):
    a_person_with_a_password()
    asked = client.get(ACCOUNT)

    assert asked.url == f"{SIGN_IN}?next={ACCOUNT}"
    assert sign_in(client, to=ACCOUNT).url == ACCOUNT


def test_an_address_that_is_not_confirmed_gets_its_link_again(client, mailoutbox):
    a_person_with_a_password(confirmed=False)

    assert sign_in(client).url == reverse("accounts:check_mail")
    factories.settle()
    assert mailoutbox[0].subject == "Confirm your e-mail address"
    assert client.get(ACCOUNT).status_code == 302


def test_a_person_with_an_app_needs_its_code(client):
    seed = factories.an_authenticator(a_person_with_a_password())

    assert sign_in(client, to=ACCOUNT).url == CODE
    assert client.get(ACCOUNT).status_code == 302
    assert client.post(CODE, {"code": factories.a_code(seed)}).url == ACCOUNT
    assert client.get(ACCOUNT).status_code == 200


def test_where_one_wanted_to_go_does_not_stand_in_the_session(client):
    """The URL of an invitation contains its token."""
    factories.an_authenticator(a_person_with_a_password())
    sign_in(client, to="/invitation/a-live-token/")
    kept = dict(client.session)
    assert "signing_in" in kept
    assert "a-live-token" not in str(kept)


def test_where_one_wanted_to_go_before_it_was_sealed_is_the_first_page(client):
    seed = factories.an_authenticator(a_person_with_a_password())
    sign_in(client, to=ACCOUNT)
    session = client.session
    session["signing_in"] = session["signing_in"] | {"to": ACCOUNT}
    session.save()
    assert client.post(CODE, {"code": factories.a_code(seed)}).url == "/"


def test_a_wrong_code_says_so_and_lets_nobody_in(client):
    factories.an_authenticator(a_person_with_a_password())
    sign_in(client)

    assert "That code did not work" in alerts(client.post(CODE, {"code": "000000"}))
    assert client.get(ACCOUNT).status_code == 302


def test_a_code_without_a_password_is_nothing(client):
    assert client.get(CODE).url == SIGN_IN
    assert client.post(CODE, {"code": "123456"}).url == SIGN_IN


def test_a_session_that_ran_out_says_so(client):
    factories.signed_in(client, a_person_with_a_password())

    with time_machine.travel(clock.now() + timedelta(minutes=31)):
        page = client.get(ACCOUNT, follow=True).text
    assert "You were signed out" in page


def test_who_is_in_need_not_sign_in(client):
    factories.signed_in(client, a_person_with_a_password())
    assert client.get(SIGN_IN).url == "/"


def test_a_person_who_was_switched_off_stays_out(client):
    a_person_with_a_password()
    factories.change(User.objects.all(), is_active=False)

    assert "do not match" in alerts(sign_in(client))


def test_the_page_of_the_code_says_nothing_untrue_to_who_is_signed_in(client):
    a_person_with_a_password()
    sign_in(client)

    for again in (client.get(CODE), client.post(CODE, {"code": "123456"})):
        assert again.url == "/"
    assert "more than ten minutes" not in client.get(ACCOUNT).text
