"""Passkeys over HTTP: adding, signing in, confirming, removing, and answers that are refused."""

import html
import json
import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import transaction
from django.test import Client
from django.urls import reverse
from webauthn.helpers import base64url_to_bytes

from console.accounts import factors, limits, staff
from console.accounts.actors import SYSTEM
from console.accounts.models import Passkey, RecoveryCode, Session
from console.accounts.roles import Role
from console.audit.models import Entry
from console.core import clock
from tests import factories
from tests.accounts.pages.journey import PASSWORD, a_person_with_a_password
from tests.factories.passkeys import PRESENT, SoftKey

ACCOUNT = reverse("accounts:security")
ADD = reverse("accounts:add_passkey")
CODE = reverse("accounts:code")
CONFIRM = reverse("accounts:confirm")
CREATION = reverse("accounts:passkey_creation_options")
SIGN_IN = reverse("accounts:sign_in")
WRONG = "We could not check that passkey"


def options(client, purpose="sign_in"):
    return client.post(reverse("accounts:passkey_options", args=[purpose])).content


def post(client, at=SIGN_IN, **fields) -> Any:
    return client.post(at, fields)


def enter(client, key, *, at=SIGN_IN, purpose="sign_in", **misbehaviour):
    answer = key.used(options(client, purpose), **misbehaviour)
    return post(client, at, credential=answer)


@pytest.fixture
def person():
    return a_person_with_a_password()


@pytest.fixture
def key(person):
    key = SoftKey()
    factories.a_passkey(person, key=key)
    return key


def test_a_passkey_signs_in_without_a_password_and_is_the_second_factor(client, person, key):
    assert client.get(ACCOUNT).status_code == 302
    client.get(SIGN_IN)

    assert enter(client, key, at=f"{SIGN_IN}?next={ACCOUNT}").url == ACCOUNT
    page = client.get(ACCOUNT)
    assert page.status_code == 200
    assert page.wsgi_request.user.is_verified()
    assert client.session["confirmed"]["by"] == "passkey"
    entry = Entry.objects.filter(code="person.signed_in", subject_id=person.public_id).get()
    assert json.loads(entry.body)["body"]["details"]["proof"] == "passkey"


def test_a_passkey_still_signs_in_while_passwords_are_refused_and_the_page_says_so(
    client, person, key
):
    wrong = {"email": person.email, "password": "guess"}
    for _ in range(limits.WRONG_PASSWORDS.tries + 1):
        refused = post(client, **wrong)
    assert refused.status_code == 429
    assert "a passkey or a password reset still works" in refused.text
    assert f'href="{SIGN_IN}">Sign in with a passkey' in refused.text

    assert enter(client, key, at=f"{SIGN_IN}?next={ACCOUNT}").url == ACCOUNT
    assert client.get(ACCOUNT).status_code == 200


def test_after_the_password_the_passkey_of_that_person_is_the_second_factor(client, person, key):
    sent = {"email": person.email, "password": PASSWORD}
    assert client.post(f"{SIGN_IN}?next={ACCOUNT}", sent).url == CODE
    assert "Use a passkey" in client.get(CODE).text
    asked = json.loads(options(client, "code"))
    assert len(asked["allowCredentials"]) == 1

    somebody_elses = SoftKey()
    factories.a_passkey(factories.a_person(), key=somebody_elses)
    assert enter(client, somebody_elses, at=CODE, purpose="code").url == CODE
    assert client.get(ACCOUNT).status_code == 302
    assert enter(client, key, at=CODE, purpose="code").url == ACCOUNT
    assert client.get(ACCOUNT).status_code == 200


def test_a_recovery_code_signs_in_who_has_a_passkey_alone(client, person, key):
    code = factors.new_recovery_codes(person)[0]
    client.post(SIGN_IN, {"email": person.email, "password": PASSWORD})
    page = client.get(CODE).text
    assert "Recovery code" in page
    assert "authenticator app" not in page

    assert client.post(CODE, {"code": "000000"}).status_code == 200
    assert client.post(CODE, {"code": code}).status_code == 302
    assert client.get(ACCOUNT).status_code == 200


WRONG_ANSWERS: dict[str, Any] = {
    "of another origin": {"origin": "http://checkout.localhost:8000"},
    "of another scheme": {"origin": "https://localhost:8000"},
    "of another relying party": {"relying_party": "checkout.localhost"},
    "without verification of its user": {"flags": PRESENT},
    "without presence of its user": {"flags": 0x04},
    "with an old counter": {"count": 5},
}


@pytest.mark.parametrize("how", WRONG_ANSWERS)
def test_an_answer_that_is_wrong_signs_nobody_in(client, key, how):
    Passkey.objects.update(sign_count=5)
    key.count = 5

    answer = enter(client, key, **WRONG_ANSWERS[how])
    assert answer.url == SIGN_IN
    assert WRONG in client.get(SIGN_IN).text
    assert not Session.objects.exclude(user=None).exists()
    key.count = 5
    assert enter(client, key).url == "/"


def test_an_answer_works_once(client, key):
    answer = key.used(options(client))
    assert client.post(SIGN_IN, {"credential": answer}).url == "/"
    client.post(reverse("accounts:sign_out"))

    assert client.post(SIGN_IN, {"credential": answer}).url == SIGN_IN
    options(client)
    assert client.post(SIGN_IN, {"credential": answer}).url == SIGN_IN
    assert client.get(ACCOUNT).status_code == 302


def test_a_challenge_belongs_to_its_session_its_purpose_and_five_minutes(client, person, key):
    elsewhere = Client()
    answer = key.used(options(client))
    options(elsewhere)
    assert post(elsewhere, credential=answer).url == SIGN_IN

    assert enter(client, key, purpose="confirm").url == SIGN_IN
    answer = key.used(options(client))
    with time_machine.travel(clock.now() + timedelta(minutes=5, seconds=1)):
        assert client.post(SIGN_IN, {"credential": answer}).url == SIGN_IN
    assert client.get(ACCOUNT).status_code == 302
    # An empty challenge is what nobody asked for.
    forged = key.used(json.dumps({"challenge": ""}))
    assert client.post(SIGN_IN, {"credential": forged}).url == SIGN_IN


def test_a_passkey_speaks_for_its_own_user_alone(client, person, key):
    victim = factories.a_person()
    key.user = SoftKey.handle(victim)

    assert enter(client, key).url == SIGN_IN
    key.user = ""
    assert enter(client, key).url == SIGN_IN
    assert not Session.objects.exclude(user=None).exists()


@pytest.mark.parametrize("change", ["is_active", "email_confirmed_at"])
def test_a_user_who_may_not_sign_in_has_no_use_of_a_passkey(client, person, key, change):
    setattr(person, change, None if change == "email_confirmed_at" else False)
    factories.keep(person)
    assert enter(client, key).url == SIGN_IN


MALFORMED = ["", "x", "[]", "{}", "null", "[" * 9000, '{"id": "é", "rawId": 5}', "9" * 5000]


def test_nonsense_is_refused_with_words(client, key):
    for sent in MALFORMED:
        options(client)
        assert client.post(SIGN_IN, {"credential": sent}).url == SIGN_IN, sent
        assert WRONG in client.get(SIGN_IN).text, sent


@pytest.mark.parametrize("part", ["clientDataJSON", "authenticatorData", "signature", "userHandle"])
def test_an_answer_with_a_broken_part_is_refused(client, key, part):
    answer = json.loads(key.used(options(client)))
    answer["response"][part] = answer["response"][part][:-9] + "é"
    assert client.post(SIGN_IN, {"credential": json.dumps(answer)}).url == SIGN_IN


def test_too_many_options_are_refused(client, stopped_clock):
    found = [client.post(reverse("accounts:passkey_options", args=["sign_in"])) for _ in range(61)]
    assert [one.status_code for one in found[-2:]] == [200, 429]


def test_options_for_something_else_are_not_found(client):
    assert client.post(reverse("accounts:passkey_options", args=["add"])).status_code == 404


# Confirming


def test_a_passkey_confirms_it_is_you(client, person, key):
    factories.long_ago(factories.signed_in(client, person))
    asked = client.get(ADD).url
    assert "Use a passkey" in client.get(asked).text

    assert enter(client, key, at=asked, purpose="confirm").url == ADD
    assert client.get(ADD).status_code == 200
    assert client.get(ADD).wsgi_request.user.otp_device == person.passkeys.get()


def test_a_passkey_of_somebody_else_confirms_nothing(client, person, key):
    other = factories.a_person()
    factories.long_ago(factories.signed_in(client, other))

    assert enter(client, key, at=CONFIRM, purpose="confirm").url == CONFIRM
    assert client.get(ADD).url.startswith(CONFIRM)


# Adding


def add(client, key, name="Laptop", **misbehaviour):
    made = key.made(client.post(CREATION).content, **misbehaviour)
    return client.post(ADD, {"name": name, "credential": made})


def test_the_first_passkey_comes_with_recovery_codes_and_ends_the_other_sessions(
    client, person, mailoutbox
):
    factories.signed_in(client, person, by="password")
    elsewhere = factories.signed_in(Client(), person, by="password")
    key = SoftKey()

    page = add(client, key, "Ada’s laptop").text
    assert "Save your recovery codes" in page
    assert RecoveryCode.objects.filter(user=person).count() == 10
    assert elsewhere.get(ACCOUNT).status_code == 302
    account = client.get(ACCOUNT)
    assert "Passkey “Ada’s laptop”" in account.text
    assert "Not used yet" in account.text
    assert account.wsgi_request.user.is_verified()
    factories.settle()
    assert [mail.subject for mail in mailoutbox] == ["A passkey was added"]
    assert enter(Client(), key).url == "/"
    assert "Last used" in client.get(ACCOUNT).text


def test_a_second_passkey_leaves_the_recovery_codes(client, person, key):
    factories.signed_in(client, person)
    codes = set(RecoveryCode.objects.values_list("hashed", flat=True))

    assert add(client, SoftKey()).url == ACCOUNT
    assert set(RecoveryCode.objects.values_list("hashed", flat=True)) == codes
    # The session keeps the factor with which it began.
    assert client.get(ACCOUNT).wsgi_request.user.otp_device == factors.authenticator_of(person)


def test_a_passkey_in_place_of_the_last_one_verifies_the_session_and_confirms_nothing(
    client, person, key
):
    enter(client, key)
    confirmed = client.session["confirmed"]
    remove(client, person.passkeys.get())

    add(client, SoftKey())
    assert client.session["confirmed"] == confirmed
    assert client.get(ACCOUNT).wsgi_request.user.otp_device == person.passkeys.get()


TPM = {"ver": "2.0", "alg": -7, "x5c": [b"x"], "sig": b"x", "certInfo": b"x", "pubArea": b"x"}
NOT_ADDED: dict[str, Any] = {
    "of another site": {"origin": "https://evil.example"},
    "without verification of its user": {"flags": PRESENT},
    "with an empty key": {"public": {}},
    "with a key that is no map": {"public": 5},
    "with a key of other types": {"public": {1: 2, 3: -7, -1: 1, -2: 5, -3: 5}},
    "with a key that is not on its curve": {
        "public": {1: 2, 3: -7, -1: 1, -2: b"x" * 32, -3: b"x" * 32}
    },
    "of a TPM that is none": {"statement": TPM},
}


@pytest.mark.parametrize("misbehaviour", NOT_ADDED.values(), ids=NOT_ADDED)
def test_a_passkey_that_is_wrong_is_not_added(client, person, misbehaviour):
    factories.signed_in(client, person)
    assert "could not check the passkey" in add(client, SoftKey(), **misbehaviour).text
    assert not person.passkeys.exists()


def test_a_passkey_is_added_once_and_for_the_challenge_of_this_session(client, person, key):
    factories.signed_in(client, person)
    assert "already been added" in add(client, key).text
    other = SoftKey()
    made = other.made(client.post(CREATION).content)
    options(client, "confirm")  # replaces the challenge
    page = client.post(ADD, {"name": "Phone", "credential": made}).text
    assert "could not check the passkey" in page
    assert "Your browser sent no passkey" in client.post(ADD, {"name": "Phone"}).text
    assert person.passkeys.count() == 1


# Removing


def remove(client, passkey):
    return client.post(reverse("accounts:remove_passkey", args=[passkey.public_id]))


def test_removing_the_last_factor_of_a_business_user_ends_their_recovery_codes(
    client, person, key, mailoutbox
):
    enter(client, key)
    elsewhere = Client()
    enter(elsewhere, key)

    assert remove(client, person.passkeys.get()).url == ACCOUNT
    assert not person.passkeys.exists()
    assert not person.recovery_codes.exists()
    assert elsewhere.get(ACCOUNT).status_code == 302
    assert enter(Client(), key).url == SIGN_IN
    factories.settle()
    assert mailoutbox[-1].subject == "A passkey was removed"


def signalled(page, attribute):
    """Return what the page tells the browser about passkeys, or None."""
    found = re.search(rf'{attribute}="([^"]*)"', page)
    return json.loads(html.unescape(found[1])) if found else None


def test_a_browser_is_told_which_passkeys_are_left(client, person, key):
    other = factories.a_passkey(person, key=SoftKey())
    enter(client, key)
    told = signalled(client.get(ACCOUNT).text, "data-passkeys-accepted")
    assert len(told["allAcceptedCredentialIds"]) == 2
    assert base64url_to_bytes(told["userId"]).decode() == person.public_id

    post(client, reverse("accounts:remove_passkey", args=[other.public_id]))
    told = signalled(client.get(ACCOUNT).text, "data-passkeys-accepted")
    (left,) = told["allAcceptedCredentialIds"]
    assert base64url_to_bytes(left) == bytes(person.passkeys.get().credential_id)
    assert told["rpId"]


def test_a_browser_is_told_that_a_removed_passkey_is_unknown_and_nothing_of_others(
    client, person, key
):
    passkey = person.passkeys.get()
    answer = json.loads(key.used(options(client)))
    answer["response"]["signature"] = "AAAA"
    post(client, credential=json.dumps(answer))
    assert signalled(client.get(SIGN_IN).text, "data-passkey-unknown") is None

    credential_id = bytes(passkey.credential_id)
    Passkey.objects.filter(pk=passkey.pk).delete()
    enter(client, key)
    told = signalled(client.get(SIGN_IN).text, "data-passkey-unknown")
    assert base64url_to_bytes(told["credentialId"]) == credential_id
    for nonsense in ("", "{}", "null", "[]"):
        post(client, credential=nonsense)
        assert signalled(client.get(SIGN_IN).text, "data-passkey-unknown") is None


def test_staff_keep_their_last_factor(client, person, key):
    staff.give_role(person, Role.LEGAL, by=SYSTEM)
    enter(client, key)
    refused = remove(client, person.passkeys.get())
    assert refused.status_code == 409
    assert "Staff need a second factor" in refused.text

    factories.an_authenticator(person)
    assert remove(client, person.passkeys.get()).status_code == 302
    assert not person.passkeys.exists()
    # The session proved the passkey alone.
    assert client.get(reverse("onboarding:review_queue")).url.startswith(CONFIRM)


def test_a_session_of_a_removed_passkey_is_verified_no_more(client, person, key):
    enter(client, key)
    with transaction.atomic():
        factors.delete_passkey(person.passkeys.get(), by=person)
    assert not client.get(ACCOUNT).wsgi_request.user.is_verified()


# Countersigning


def test_a_new_passkey_is_held_and_so_is_the_app_that_it_sets_up(client, person, key):
    passkey = person.passkeys.get()
    person.otp_device = passkey
    held = factors.held_until(person)
    assert held is not None
    assert timedelta(hours=23) < held - clock.now() <= factors.HELD_AFTER_ADDING
    assert "cannot countersign agreements with it before" in _account_of(client, key)

    app = factors.begin_set_up(person, by=person)
    factors.finish_set_up(person, app.public_id, factories.a_code(app.seed), by=person)
    later = factors.authenticator_of(person).held_until
    assert later is not None
    assert later >= held


def test_an_app_is_not_held_by_a_new_passkey(person, key):
    factories.an_authenticator(person)
    person.otp_device = factors.authenticator_of(person)
    assert factors.held_until(person) is None
    with time_machine.travel(clock.now() + factors.HELD_AFTER_ADDING):
        person.otp_device = person.passkeys.get()
        assert factors.held_until(person) is None


def _account_of(client, key):
    enter(client, key)
    return client.get(ACCOUNT).text
