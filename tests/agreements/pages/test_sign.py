"""Signing a whole pack with one click."""

import pytest

from agreements.lifecycle import PackStatus
from agreements.models import SignatureAct
from agreements.packs import packs
from agreements.packs.offer_hash import CONSENT_DOCUMENT
from console.accounts import factors
from console.accounts.roles import Role
from console.core import digests
from tests import factories
from tests.agreements.pages.addresses import code_of, landed, own, words


@pytest.fixture
def ready(pack, signatory):
    return factories.accepted(pack)


def press(client, pack, **changes):
    form = {"offer_sha256": pack.revision.offer_sha256} | code_of(client) | changes
    return client.post(own("sign", pack), form)


def test_it_shows_the_statement_word_for_word(client, ready, signatory):
    said = words(factories.signed_in(client, signatory).get(own("sign", ready)))

    assert (
        f"I, Mara Ellwood, Director, have read all 16 documents of agreement pack {ready}" in said
    )
    assert ready.revision.offer_sha256[:8] in said
    assert "Sign all 16 documents" in said


def test_one_press_signs(client, ready, signatory):
    answer = press(factories.signed_in(client, signatory), ready)

    assert landed(answer, own("pack", ready))
    act = SignatureAct.objects.get(person=signatory)
    assert '"method":"code"' in act.body
    assert '"session":"ses_' in act.body
    assert factories.fresh_pack(ready).status == PackStatus.IN_APPROVAL


def test_consent_is_not_asked_for_again(client, ready, signatory):
    page = factories.signed_in(client, signatory).get(own("sign", ready))

    assert CONSENT_DOCUMENT in {document.code for document in packs.documents_of(ready)}
    assert 'type="checkbox"' not in page.text
    assert "You agreed to receive and sign these documents electronically" in page.text


@pytest.mark.parametrize(
    ("old", "status", "says"),
    [
        ("0" * 64, 409, "has changed"),
        ("", 409, "has changed"),
        ("☃" * 200, 422, "at most 64 characters"),
    ],
)
def test_an_offer_that_is_out_of_date_is_refused(client, ready, signatory, old, status, says):
    answer = press(factories.signed_in(client, signatory), ready, offer_sha256=old)

    assert answer.status_code == status
    assert says in words(answer)


def test_before_everything_is_read_the_page_says_what_is_missing(client, pack, signatory):
    factories.signed_in(client, signatory)

    assert "Read and accept" in words(client.get(own("sign", pack)))
    answer = press(client, pack)
    assert answer.status_code == 422
    assert "Read and accept" in words(answer)


@pytest.mark.parametrize("sent", [{"code": ""}, {"code": "abc"}, {"credential": "{}"}])
def test_a_sign_in_of_just_now_does_not_sign_without_a_proof_of_its_own(
    client, ready, signatory, sent
):
    factories.signed_in(client, signatory)

    answer = press(client, ready, **{"code": "", **sent})

    assert answer.status_code == 422
    assert "Sign all 16 documents" in words(answer)
    assert not SignatureAct.objects.filter(person=signatory).exists()


def test_a_recovery_code_does_not_sign_and_is_not_used_up(client, ready, signatory):
    codes = factors.renew_recovery_codes(signatory, by=signatory)
    answer = press(factories.signed_in(client, signatory), ready, code=codes[0])

    assert "That code did not work." in words(answer)
    assert signatory.recovery_codes.filter(used_at=None).count() == len(codes)
    assert not SignatureAct.objects.filter(person=signatory).exists()


def test_without_an_authenticator_it_leads_to_setting_one_up(client, pack):
    factories.signed_in(client, factories.owner_of(pack.business), by="password")

    answer = client.get(own("sign", pack))

    assert answer.headers["Location"].startswith("/account/authenticator/?next=")


def test_the_act_says_how_it_was_proven_and_from_where(client, ready, signatory):
    factories.signed_in(client, signatory)
    client.get("/", headers={"User-Agent": "Browser 1"})
    form = {"offer_sha256": ready.revision.offer_sha256} | code_of(client)
    client.post(own("sign", ready), form, headers={"User-Agent": "Browser 1"})

    act = SignatureAct.objects.get(person=signatory)
    said = digests.parse(act.body.encode())
    assert (said["method"], said["address"], said["device"]) == ("code", "127.0.0.1", "Browser 1")
    assert "assertion" not in said
    (check,) = said["identified"]
    assert (check["name"], check["outcome"]) == ("Mara Ellwood", "passed")
    assert "only we could check" in act.method_words


def test_pressing_again_with_the_same_code_signs_once_and_says_so(client, ready, signatory):
    factories.signed_in(client, signatory)
    code = code_of(client)["code"]
    for _ in range(2):
        assert landed(press(client, ready, code=code), own("pack", ready))

    assert SignatureAct.objects.filter(person=signatory).count() == 1


def test_a_signed_pack_leads_back_to_where_it_stands(client, ready, signatory):
    factories.signed_in(client, signatory)
    press(client, ready)

    assert landed(client.get(own("sign", ready)), own("pack", ready))


def test_a_signatory_whom_the_answers_do_not_name_cannot_sign(client, ready):
    somebody = factories.a_member(ready.business, Role.SIGNATORY)
    factories.an_authenticator(somebody)
    factories.accepted(ready, by=somebody)

    answer = press(factories.signed_in(client, somebody), ready)

    assert answer.status_code == 422
    assert "Your answers name Mara Ellwood" in words(answer)


def test_what_cannot_be_signed_yet_leads_back_whatever_is_sent(client):
    pack = factories.a_pack(PackStatus.GENERATING)
    owner = factories.owner_of(pack.business)
    factories.an_authenticator(owner)
    factories.signed_in(client, owner)

    assert landed(client.get(own("sign", pack)), own("pack", pack))
    assert landed(
        client.post(own("sign", pack), {"offer_sha256": "x"} | code_of(client)), own("pack", pack)
    )


def test_the_fingerprint_of_an_offer_is_known_and_names_nobody(client, pack):
    sha256 = pack.revision.offer_sha256

    page = client.get("/verify/", {"sha256": sha256})

    assert "Offer, not executed" in words(page)
    assert pack.number not in words(page)
    assert pack.business.name not in words(page)
