"""The reader: a document's text, accepting it, and undoing that."""

import re
from datetime import timedelta

import time_machine

from agreements.lifecycle import DocumentStatus, PackStatus
from agreements.models import PackEvent, Receipt
from agreements.signing import reading
from console.accounts.roles import Role
from console.core import clock, digests
from tests import factories
from tests.agreements.pages.addresses import landed, nth_document, own, words


def read(client, document):
    return client.get(own("document", document.revision.pack, document.public_id))


def accept(client, document, mark):
    url = own("accept", document.revision.pack, document.public_id)
    return client.post(url, {"mark": mark})


def mark_on(page):
    (mark,) = re.findall(r'name="mark" value="([^"]+)"', page.text)
    return mark


def test_it_shows_the_words_the_outline_and_both_fingerprints(client, pack, signatory):
    document = nth_document(pack, 3)

    page = read(factories.signed_in(client, signatory), document)
    said = words(page)

    assert "Document 3 of 16" in said
    assert "1.1 " in said
    assert "In this document" in said
    assert document.html_sha256[:8] in said
    assert document.unsigned_sha256[:8] in said
    assert "same facts" in said
    assert own("review_copy", pack, document.public_id) in page.text
    assert not Receipt.objects.filter(person=signatory).exists()


def test_accepting_goes_on_to_the_next_document(client, pack, signatory):
    factories.signed_in(client, signatory)
    page = read(client, nth_document(pack))

    answer = accept(client, nth_document(pack), mark_on(page))

    assert landed(answer, own("document", pack, nth_document(pack, 2).public_id))
    assert nth_document(pack).status == DocumentStatus.ACCEPTED


def test_accepting_the_last_one_goes_on_to_signing(client, pack, signatory):
    pack = factories.accepted(pack)
    reading.take_back(nth_document(pack, 16), by=signatory)
    factories.signed_in(client, signatory)

    answer = accept(client, nth_document(pack, 16), mark_on(read(client, nth_document(pack, 16))))

    assert landed(answer, own("sign", pack))
    assert factories.fresh_pack(pack).status == PackStatus.READY_TO_SIGN


def test_one_who_cannot_sign_goes_back_to_the_pack(client, pack):
    administrator = factories.a_member(pack.business, Role.ADMINISTRATOR)
    pack = factories.accepted(pack, by=administrator)
    reading.take_back(nth_document(pack, 2), by=administrator)
    factories.signed_in(client, administrator)

    answer = accept(client, nth_document(pack, 2), mark_on(read(client, nth_document(pack, 2))))

    assert landed(answer, own("pack", pack))


def test_a_second_press_changes_nothing(client, pack, signatory):
    factories.signed_in(client, signatory)
    mark = mark_on(read(client, nth_document(pack)))

    for _ in range(2):
        assert accept(client, nth_document(pack), mark).status_code == 302

    assert Receipt.objects.filter(person=signatory).count() == 1


def test_a_receipt_says_what_was_opened_when_and_for_how_long_at_least(client, pack, signatory):
    factories.signed_in(client, signatory)
    document, opened = nth_document(pack), clock.now() + timedelta(minutes=1)
    with time_machine.travel(opened, tick=False) as now:
        mark = mark_on(read(client, document))
        now.shift(timedelta(seconds=95))
        accept(client, document, mark)

    receipt = Receipt.objects.get(person=signatory)
    assert (receipt.html_sha256, receipt.opened_at) == (document.html_sha256, opened)
    assert receipt.open_seconds == 95
    event = PackEvent.objects.filter(pack=pack).order_by("-seq")[0]
    said = digests.parse(event.body.encode())
    assert (said["type"], said["html_sha256"]) == ("document.accepted", document.html_sha256)
    assert (said["opened_at"], said["open_seconds"]) == (clock.iso(opened), 95)


def test_a_mark_of_another_text_or_document_is_refused_in_words(client, pack, signatory):
    factories.signed_in(client, signatory)
    shown = nth_document(pack)
    shown.html_sha256 = "00" * 32

    for other in (shown, nth_document(pack, 2)):
        answer = accept(client, nth_document(pack), reading.served(other, signatory))
        assert answer.status_code == 409
        assert "has changed" in words(answer)
    assert not Receipt.objects.filter(person=signatory).exists()


def test_rubbish_in_place_of_the_mark_is_refused(client, pack, signatory):
    factories.signed_in(client, signatory)

    for rubbish in ("", "x", "a:b:c", "☃" * 300):
        assert accept(client, nth_document(pack), rubbish).status_code == 409


def test_an_acceptance_can_be_taken_back_until_it_is_signed(client, pack, signatory):
    pack = factories.accepted(pack)
    factories.signed_in(client, signatory)
    url = own("take_back", pack, nth_document(pack).public_id)

    assert "Take it back" in words(read(client, nth_document(pack)))
    assert landed(client.post(url), own("document", pack, nth_document(pack).public_id))
    assert factories.fresh_pack(pack).status == PackStatus.IN_REVIEW


def test_nobody_takes_back_what_another_accepted(pack, signatory):
    pack = factories.accepted(pack)
    administrator = factories.a_member(pack.business, Role.ADMINISTRATOR)

    reading.take_back(nth_document(pack), by=administrator)

    assert nth_document(pack).status == DocumentStatus.ACCEPTED
    assert reading.unread(factories.fresh_pack(pack), signatory) == []


def test_a_signed_document_can_be_read_and_nothing_more(client, pack, signatory):
    pack = factories.walked(pack, PackStatus.IN_APPROVAL)

    page = read(factories.signed_in(client, signatory), nth_document(pack))

    assert page.status_code == 200
    assert "accept it" not in words(page)
    assert "Take it back" not in words(page)


def test_what_a_colleague_accepted_is_shown_and_still_asked_of_you(client, pack, signatory):
    colleague = factories.a_member(pack.business, Role.ADMINISTRATOR)
    factories.accepted(pack, by=colleague)

    page = read(factories.signed_in(client, signatory), nth_document(pack))

    assert f"Accepted by {colleague.name}" in words(page)
    assert "I have read this and accept it" in words(page)


def test_what_is_still_rendered_is_nobodys_to_read(client):
    pack = factories.a_pack(PackStatus.GENERATING)
    factories.signed_in(client, factories.owner_of(pack.business))

    url = f"/b/{pack.business.public_id}/agreements/documents/doc_none/"
    assert client.get(url).status_code == 404
