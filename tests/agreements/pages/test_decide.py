"""Approving, sending back, countersigning, and resuming a stopped pack."""

import pytest
from django.urls import reverse

from agreements.lifecycle import PackStatus
from agreements.models import Decision, Document
from agreements.pki import seal_keys
from api.demo.company import EXAMPLE
from console.accounts import factors
from console.accounts.roles import Role
from console.audit.models import Entry
from console.catalogue.definitions import BASE_PRODUCTS, PRODUCTS
from console.core import blobs, digests
from tests import factories
from tests.accounts.pages.journey import confirmed_and_resumed
from tests.agreements.pages.addresses import code_of, landed, of_case, staff, words


@pytest.fixture
def signed(pack):
    return factories.walked(pack, PackStatus.IN_APPROVAL)


def form(pack, role="legal", **changes):
    return {"role": role, "signed_set_sha256": factories.signed_set(pack)} | changes


def decide(client, name, pack, sent):
    return client.post(of_case(name, pack), sent | code_of(client))


def test_one_press_approves(client, signed):
    answer = decide(staff(client, Role.LEGAL), "approve", signed, form(signed))

    assert landed(answer, of_case("case", signed))
    assert Decision.objects.get(revision=signed.revision).role == "legal"


def test_a_pack_that_is_not_there_yet_says_so_before_anybody_types(client, pack):
    for name, role in [
        ("send_back", Role.LEGAL),
        ("approve_products", Role.COMMERCIAL),
        ("retry", Role.OPERATOR),
    ]:
        page = staff(client, role).get(of_case(name, pack))

        assert f"The status is now “{pack.get_status_display()}”." in words(page)
        assert "<textarea" not in page.content.decode()


def test_the_last_approval_says_that_it_was(client, signed):
    for role in ("compliance", "legal"):
        decide(staff(client, Role(role)), "approve", signed, form(signed, role))
    ticked = {f"approve_{key}": "on" for key in signed.revision.products}
    decide(staff(client, Role.COMMERCIAL), "approve_products", signed, form(signed, **ticked))

    assert factories.fresh_pack(signed).status == PackStatus.APPROVED
    page = staff(client, Role.COUNTERSIGNATORY).get(of_case("case", signed))
    assert "Countersign and seal" in words(page)


def test_a_page_that_is_out_of_date_is_refused_in_words(client, signed):
    for changes, says in [
        ({"signed_set_sha256": "0" * 64}, "Review it again"),
        ({"signed_set_sha256": ""}, "Open the case again"),
        ({"role": "countersignatory"}, "Open the case again"),
        ({"role": "☃"}, "Open the case again"),
    ]:
        answer = decide(staff(client, Role.LEGAL), "approve", signed, form(signed, **changes))

        assert answer.status_code == 409
        assert says in words(answer)


def test_sending_back_opens_the_answers_and_keeps_the_words(client, signed):
    staff(client, Role.LEGAL)

    page = client.get(of_case("send_back", signed), {"role": "legal"})
    answer = client.post(of_case("send_back", signed), form(signed, note="Name both.\r\nAnd why."))

    assert factories.signed_set(signed) in page.content.decode()
    assert landed(answer, of_case("case", signed))
    returned = factories.fresh_pack(signed)
    assert returned.status == PackStatus.RETURNED
    assert returned.application.message == "Name both.\nAnd why."


def test_sending_back_without_words_is_an_error_on_the_page(client, signed):
    answer = staff(client, Role.LEGAL).post(of_case("send_back", signed), form(signed, note=" "))

    assert answer.status_code == 422
    assert "Say what must change." in words(answer)


def test_what_was_typed_is_kept_when_it_cannot_be_sent(client, signed):
    decide(staff(client, Role.LEGAL), "approve", signed, form(signed))

    answer = client.post(of_case("send_back", signed), form(signed, note="A long explanation."))

    assert answer.status_code == 422
    assert "A long explanation." in answer.content.decode()
    assert "already decided" in words(answer)


def test_the_reason_for_a_refused_product_is_kept_when_a_colleague_was_faster(client, signed):
    ticked = {f"approve_{key}": "on" for key in signed.revision.products}
    decide(staff(client, Role.COMMERCIAL), "approve_products", signed, form(signed, **ticked))

    refused = next(key for key in signed.revision.products if key not in BASE_PRODUCTS)
    del ticked[f"approve_{refused}"]
    sent = form(signed, **ticked, **{f"sentence_{refused}": "Not offered there yet."})
    answer = decide(staff(client, Role.COMMERCIAL), "approve_products", signed, sent)

    assert answer.status_code == 422
    assert "Commercial has already decided." in words(answer)
    assert "Not offered there yet." in answer.content.decode()


def test_countersigning_binds_our_side(client, pack):
    approved = factories.walked(pack, PackStatus.APPROVED)
    seal_keys.set_up(EXAMPLE["legal_name"])
    sent = {"signed_set_sha256": factories.signed_set(approved)}

    answer = decide(staff(client, Role.COUNTERSIGNATORY), "countersign", approved, sent)

    assert landed(answer, of_case("case", approved))
    assert factories.fresh_pack(approved).status == PackStatus.COUNTERSIGNING


def test_before_it_binds_us_the_page_says_to_what(client, pack):
    approved = factories.walked(pack, PackStatus.APPROVED)
    seal_keys.set_up(EXAMPLE["legal_name"])
    answer = staff(client, Role.COUNTERSIGNATORY).get(of_case("countersign", approved))

    said, facts = words(answer), digests.parse(blobs.get(approved.revision.facts_sha256))
    page = answer.content.decode()
    for told in (
        facts["business"]["legal_name"],
        facts["business"]["registration_number"],
        facts["supplier"]["legal_name"],
        f"{facts['volumes']['currency']} {facts['volumes']['monthly_value']}",
        f"{facts['fees']['currency']} {facts['fees']['monthly_minimum']}",
        *(PRODUCTS[key].name for key in approved.revision.products),
        "Mara Ellwood",
        "Opened and accepted",
        "open for",
        "One-time code of an authenticator app, which only we could check",
    ):
        assert told in said, told
    assert f'value="{factories.signed_set(approved)}"' in page
    for document in Document.objects.filter(revision=approved.revision):
        assert f'data-copy="{document.unsigned_sha256}"' in page
    assert "0.25%" in said or "USD" in said
    assert factories.fresh_pack(approved).status == PackStatus.APPROVED


def test_a_pack_that_changed_meanwhile_is_not_countersigned(client, pack):
    approved = factories.walked(pack, PackStatus.APPROVED)
    seal_keys.set_up(EXAMPLE["legal_name"])
    sent = {"signed_set_sha256": "0" * 64}

    answer = decide(staff(client, Role.COUNTERSIGNATORY), "countersign", approved, sent)

    assert answer.status_code == 409
    assert "The pack has changed since you opened this page." in words(answer)
    assert factories.fresh_pack(approved).status == PackStatus.APPROVED


def test_a_recovery_code_does_not_countersign(client, pack):
    approved = factories.walked(pack, PackStatus.APPROVED)
    person = factories.one_of_staff(Role.COUNTERSIGNATORY)
    codes = factors.renew_recovery_codes(person, by=person)
    factories.just_now(factories.signed_in(client, person))
    sent = {"signed_set_sha256": factories.signed_set(approved)}

    for code in (codes[0], ""):
        answer = client.post(of_case("countersign", approved), sent | {"code": code})
        assert answer.status_code == 422
        assert "Countersign and seal" in words(answer)
    assert person.recovery_codes.filter(used_at=None).count() == len(codes)
    assert factories.fresh_pack(approved).status == PackStatus.APPROVED
    assert landed(decide(client, "countersign", approved, sent), of_case("case", approved))
    assert factories.fresh_pack(approved).status == PackStatus.COUNTERSIGNING


@pytest.mark.parametrize("role", [Role.LEGAL, Role.COMPLIANCE, Role.COMMERCIAL])
def test_a_sign_in_of_just_now_approves_nothing_without_a_code(client, signed, role):
    refused = next(key for key in signed.revision.products if key not in BASE_PRODUCTS)
    ticked = {f"approve_{key}": "on" for key in signed.revision.products if key != refused}
    sent = form(signed, str(role), **ticked, **{f"sentence_{refused}": "Not offered there yet."})
    name = "approve_products" if role == Role.COMMERCIAL else "approve"

    answer = staff(client, role).post(of_case(name, signed), sent)

    assert answer.status_code == 422
    assert "Enter the code, or use a passkey" in words(answer)
    assert not Decision.objects.filter(revision=signed.revision).exists()
    # What was typed is kept, and one code is enough.
    if role == Role.COMMERCIAL:
        assert "Not offered there yet." in answer.content.decode()
    assert landed(decide(client, name, signed, sent), of_case("case", signed))
    decision = Decision.objects.get(revision=signed.revision)
    assert digests.parse(decision.body.encode())["method"] == "code"


def test_a_role_that_may_not_approve_is_refused_before_a_code_is_asked_for(client, signed):
    staff(client, Role.COMPLIANCE)
    for asked in ("", "?passkey"):
        answer = client.post(of_case("approve", signed) + asked, form(signed, "legal"))
        assert answer.status_code == 403


def test_a_second_press_with_the_same_code_says_what_the_first_did(client, signed):
    sent = form(signed) | code_of(staff(client, Role.LEGAL))
    assert landed(client.post(of_case("approve", signed), sent), of_case("case", signed))

    answer = client.post(of_case("approve", signed), sent, follow=True)

    assert "You have already decided on this pack." in words(answer)
    assert "That code did not work" not in words(answer)
    assert Decision.objects.filter(revision=signed.revision).count() == 1


def test_a_code_is_not_used_up_by_an_act_that_is_refused(client, signed):
    old = form(signed, signed_set_sha256="0" * 64) | code_of(staff(client, Role.LEGAL))
    assert client.post(of_case("approve", signed), old).status_code == 409

    again = client.post(of_case("approve", signed), old | form(signed))

    assert landed(again, of_case("case", signed))


def test_a_pack_is_sent_back_after_confirming(client, signed):
    person = factories.one_of_staff(Role.LEGAL)
    factories.long_ago(factories.signed_in(client, person))
    url = of_case("send_back", signed) + "?role=legal"

    asked = client.post(url, form(signed, note="Name the second director."))
    assert factories.fresh_pack(signed).status == PackStatus.IN_APPROVAL
    confirmed_and_resumed(client, asked, person)

    assert Decision.objects.get(revision=signed.revision).note == "Name the second director."


def test_countersigning_an_older_page_is_refused_in_words(client, pack):
    approved = factories.walked(pack, PackStatus.APPROVED)

    answer = staff(client, Role.COUNTERSIGNATORY).post(
        of_case("countersign", approved), code_of(client)
    )

    assert answer.status_code == 409
    assert factories.fresh_pack(approved).status == PackStatus.APPROVED


@pytest.mark.parametrize("anew", [{}, {"anew": "on"}])
def test_a_stopped_pack_runs_again_for_a_reason_as_it_was_or_anew(client, anew):
    pack = factories.a_pack(PackStatus.QUARANTINED)
    staff(client, Role.OPERATOR)

    page = words(client.get(of_case("retry", pack)))
    assert "60 seconds" in page
    assert "Prepare every document again" in page
    assert client.post(of_case("retry", pack), {"reason": ""}).status_code == 422
    sent = {"reason": "More memory was given."} | anew
    assert landed(client.post(of_case("retry", pack), sent), of_case("case", pack))

    assert factories.fresh_pack(pack).status == PackStatus.GENERATING
    (entry,) = Entry.objects.filter(code="pack.preparation_retried", subject_id=pack.public_id)
    assert f'"anew":{"true" if anew else "false"}' in entry.body


def test_compliance_returns_a_stopped_pack_to_its_business(client):
    pack = factories.a_pack(PackStatus.QUARANTINED)
    case = staff(client, Role.COMPLIANCE).get(of_case("case", pack))
    address = reverse("onboarding:return", args=[pack.application.public_id])
    assert address in case.content.decode()

    client.post(address, {"note": "Write the name in Latin letters."})

    assert factories.fresh_pack(pack).status == PackStatus.STALE
    assert factories.fresh_pack(pack).application.message == "Write the name in Latin letters."


def test_what_does_not_stop_cannot_be_run_again(client, signed):
    answer = staff(client, Role.OPERATOR).post(of_case("retry", signed), {"reason": "Just so."})

    assert answer.status_code == 422
    assert "Just so." in answer.content.decode()
    assert factories.fresh_pack(signed).status == PackStatus.IN_APPROVAL


def test_coming_back_to_the_address_of_a_press_does_no_harm(client, signed):
    page = staff(client, Role.LEGAL).get(of_case("approve", signed), {"role": "legal"})
    assert "Approve as legal" in words(page)
    page = staff(client, Role.COUNTERSIGNATORY).get(of_case("countersign", signed))
    assert "You cannot decide this now" in words(page)
