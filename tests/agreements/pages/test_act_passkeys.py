"""Signing, approving and countersigning with a passkey, whose answer is kept with the act."""

import hashlib
import json
from datetime import timedelta

import pytest
import time_machine
from django.db import transaction

from agreements.lifecycle import PackStatus
from agreements.models import Decision, SignatureAct
from console.accounts import factors
from console.accounts.models import Passkey
from console.accounts.roles import Role
from console.catalogue.definitions import BASE_PRODUCTS
from console.core import clock, digests
from tests import factories
from tests.agreements.pages.addresses import landed, of_case, own, words

OPTIONS = "?passkey"


@pytest.fixture
def ready(pack, signatory):
    return factories.accepted(pack)


@pytest.fixture
def key(signatory):
    return key_of(signatory)


def key_of(person):
    key = factories.SoftKey()
    factories.a_passkey(person, key=key)
    return key


def offer(pack):
    return {"offer_sha256": pack.revision.offer_sha256}


def signing(client, pack, key, url="", **flags):
    """Ask for the options of the act, and return the form with the key's answer."""
    options = client.post((url or own("sign", pack)) + OPTIONS, offer(pack))
    assert options.status_code == 200
    return offer(pack) | {"credential": key.used(options.content, **flags)}


def test_a_passkey_signs_the_fingerprint_of_the_offer(client, ready, signatory, key):
    factories.signed_in(client, signatory)
    page = client.get(own("sign", ready))
    assert 'data-passkey="?passkey"' in page.text
    assert "Sign all 16 documents with a passkey" in words(page)

    answer = client.post(own("sign", ready), signing(client, ready, key))

    assert landed(answer, own("pack", ready))
    act = SignatureAct.objects.get(person=signatory)
    said = digests.parse(act.body.encode())
    assertion = said["assertion"]
    statement = digests.canonical(
        "console.act.v1",
        {
            "act": "sign", "subject": ready.number, "sha256": act.offer_sha256, "role": "",
            "terms_sha256": "", "person": signatory.public_id, "nonce": assertion["nonce"],
            "origin": assertion["origin"], "asked_at": assertion["asked_at"],
        },
    )  # fmt: skip
    signed = json.loads(bytes.fromhex(assertion["client_data"]))["challenge"]
    assert said["method"] == "passkey"
    assert bytes.fromhex(hashlib.sha256(statement).hexdigest()) == _from_base64url(signed)
    assert assertion["passkey"] == signatory.passkeys.get().public_id
    assert "verified its user" in act.method_words


def _from_base64url(text):
    from webauthn.helpers import base64url_to_bytes

    return base64url_to_bytes(text)


def test_the_answer_of_a_passkey_is_used_once(client, ready, signatory, key):
    factories.signed_in(client, signatory)
    sent = signing(client, ready, key)
    assert landed(client.post(own("sign", ready), sent), own("pack", ready))
    # Pressed twice: both say that it is signed.
    assert landed(client.post(own("sign", ready), sent), own("pack", ready))
    assert SignatureAct.objects.filter(person=signatory).count() == 1


def test_an_answer_that_is_too_late_or_wrong_signs_nothing_and_says_so(
    client, ready, signatory, key
):
    factories.signed_in(client, signatory)
    stranger = factories.SoftKey()
    stranger.id, stranger.user = key.id, key.user
    wrong = [
        signing(client, ready, key, flags=0x01),
        signing(client, ready, key, origin="https://evil.example"),
        signing(client, ready, stranger),
    ]
    for sent in wrong:
        answer = client.post(own("sign", ready), sent)
        assert answer.status_code == 422
        assert "We could not check that passkey" in words(answer)
    late = signing(client, ready, key)
    with time_machine.travel(clock.now() + timedelta(minutes=6)):
        answer = client.post(own("sign", ready), late)
    for again in (answer, client.post(own("sign", ready), wrong[0])):
        assert again.status_code == 422
        assert "older than 5 minutes, was used already" in words(again)
    assert not SignatureAct.objects.filter(person=signatory).exists()


def test_a_passkey_of_somebody_else_signs_nothing(client, ready, signatory, key):
    factories.signed_in(client, signatory)
    other = key_of(factories.a_person())

    answer = client.post(own("sign", ready), signing(client, ready, other))

    assert "We could not check that passkey" in words(answer)
    assert not SignatureAct.objects.filter(person=signatory).exists()


def test_two_open_pages_do_not_disturb_each_other(client, ready, signatory, key):
    factories.signed_in(client, signatory)
    first, second = (signing(client, ready, key) for _ in range(2))

    assert landed(client.post(own("sign", ready), first), own("pack", ready))
    assert second


def test_without_what_is_needed_the_page_is_asked_and_no_passkey(client, pack, signatory, key):
    factories.signed_in(client, signatory)
    for sent in (offer(pack), {"offer_sha256": "0" * 64}, {"offer_sha256": "☃"}):
        assert client.post(own("sign", pack) + OPTIONS, sent).status_code == 422


def test_a_refusal_after_the_question_is_not_what_the_passkey_signed(client, pack):
    signed = factories.walked(pack, PackStatus.IN_APPROVAL)
    person = factories.one_of_staff(Role.COMMERCIAL)
    key, url = key_of(person), of_case("approve_products", signed)
    factories.signed_in(client, person)
    refused = next(one for one in signed.revision.products if one not in BASE_PRODUCTS)
    sent = {"role": "commercial", "signed_set_sha256": factories.signed_set(signed)}
    every = {f"approve_{one}": "on" for one in signed.revision.products}
    fewer = {name: on for name, on in every.items() if name != f"approve_{refused}"}
    fewer |= {f"sentence_{refused}": "Not offered there yet."}

    # The page says what is wrong with the form, before any passkey is asked.
    nothing = client.post(url + OPTIONS, sent)
    assert (nothing.status_code, "Say why in a sentence" in words(nothing)) == (422, True)
    options = client.post(url + OPTIONS, sent | every)
    answer = client.post(url, sent | fewer | {"credential": key.used(options.content)})
    assert answer.status_code == 422
    assert "about something else" in words(answer)
    assert "Not offered there yet." in answer.text
    options = client.post(url + OPTIONS, sent | fewer)
    done = client.post(url, sent | fewer | {"credential": key.used(options.content)})

    assert landed(done, of_case("case", signed))
    said = digests.parse(Decision.objects.get(revision=signed.revision).body.encode())
    assert said["method"] == "passkey"
    assert said["products"]["refused"] == {refused: "Not offered there yet."}


def test_a_new_passkey_does_not_countersign_where_an_app_does(client, pack):
    approved = factories.walked(pack, PackStatus.APPROVED)
    person = factories.one_of_staff(Role.COUNTERSIGNATORY)
    key, url = key_of(person), of_case("countersign", approved)
    factories.signed_in(client, person)
    sent = {"signed_set_sha256": factories.signed_set(approved)}

    options = client.post(url + OPTIONS, sent)
    answer = client.post(url, sent | {"credential": key.used(options.content)})

    assert "You recently added this passkey or app." in words(answer)
    assert Passkey.objects.get(user=person).sign_count == 0
    code = factories.a_code(factories.seed_of(person))
    assert landed(client.post(url, sent | {"code": code}), of_case("case", approved))


def test_the_log_says_which_key_was_added(signatory, key):
    from console.audit.models import Entry

    (entry,) = Entry.objects.filter(code="person.added_passkey", subject_id=signatory.public_id)
    assert len(digests.parse(entry.body.encode())["details"]["key_sha256"]) == 64


def test_without_an_app_an_act_asks_for_the_passkey_alone(client, pack):
    signed = factories.walked(pack, PackStatus.IN_APPROVAL)
    person = factories.one_of_staff(Role.LEGAL)
    with transaction.atomic():
        factors.remove_new(person, since=clock.now() - timedelta(days=2), by=person)
    key_of(person)
    factories.signed_in(client, person, by="password")
    session = client.session
    session["otp_device_id"] = person.passkeys.get().persistent_id
    session.save()

    page = client.get(of_case("approve", signed), {"role": "legal"}).text

    assert "Approve as legal with a passkey" in page
    assert "data-passkey-without" in page
    assert 'name="code"' not in page
