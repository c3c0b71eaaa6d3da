"""The page with the status of a pack."""

import pytest

from agreements.lifecycle import PackStatus
from console.accounts.roles import Role
from tests import factories
from tests.agreements.pages.addresses import nth_document, own, words


def see(client, pack, **query):
    return client.get(own("pack", pack), query)


@pytest.mark.parametrize(
    ("at", "title"),
    [
        (PackStatus.READY_TO_SIGN, "Ready to sign"),
        (PackStatus.IN_APPROVAL, "Signed, and with our approvers"),
        (PackStatus.APPROVED, "Approved"),
        (PackStatus.COUNTERSIGNING, "We have countersigned"),
        (PackStatus.SEAL_FAILED, "We have countersigned"),
        (PackStatus.RETURNED, "We asked for changes"),
        (PackStatus.EXPIRED, "The offer has expired"),
    ],
)
def test_it_says_where_the_pack_stands(client, pack, signatory, at, title):
    factories.signed_in(client, signatory)

    page = see(client, factories.walked(pack, at))

    assert page.status_code == 200
    assert f"<h1>{title}</h1>" in page.content.decode()


def test_it_lists_the_documents_and_what_is_left_before_signing(client, pack, signatory):
    page = see(factories.signed_in(client, signatory), pack)
    said = words(page)

    assert said.index("Pack cover and index") < said.index("Master services agreement")
    assert "Mara Ellwood (you)" in said
    assert "0 of 16" in said
    assert "Open until" in said
    assert own("document", pack, nth_document(pack).public_id) in page.text
    assert own("sign", pack) not in page.text


def test_it_leads_to_signing_once_everything_is_accepted(client, pack, signatory):
    page = see(factories.signed_in(client, signatory), factories.accepted(pack))

    assert "You have accepted everything" in words(page)
    assert own("sign", pack) in page.content.decode()


def test_it_asks_for_an_authenticator_before_the_last_step(client, pack):
    ready = factories.accepted(pack)

    page = see(factories.signed_in(client, factories.owner_of(pack.business), by="password"), ready)

    assert "Set up an app or a passkey" in words(page)


def test_an_account_under_another_name_is_told_which_two_differ(client, pack, signatory):
    signatory.name = "Mara Jane Ellwood"
    signatory.save(update_fields=["name"])

    said = words(see(factories.signed_in(client, signatory), pack))

    assert "Mara Jane Ellwood" in said


def test_somebody_else_is_told_whom_the_answers_name(client, pack):
    administrator = factories.a_member(pack.business, Role.ADMINISTRATOR)

    said = words(see(factories.signed_in(client, administrator), pack))

    assert "Your answers name Mara Ellwood" in said
    assert "Waiting for Mara Ellwood" in said
    assert "Your role cannot sign." not in said


def test_who_may_not_read_sees_where_it_stands_without_links(client, pack):
    viewer = factories.a_member(pack.business, Role.VIEWER)

    page = see(factories.signed_in(client, viewer), pack)

    assert "Your role can see the status of the pack." in words(page)
    assert "/documents/" not in page.content.decode()


def test_while_it_is_rendered_the_page_shows_real_progress(client):
    pack = factories.a_pack(PackStatus.GENERATING)
    factories.signed_in(client, factories.owner_of(pack.business))

    page = see(client, pack)

    assert "We are preparing your documents" in words(page)
    assert 'hx-trigger="every 2s"' in page.text
    assert "Refresh" in words(page)
    assert "HX-Refresh" not in client.get(own("progress", pack)).headers


def test_the_moving_part_asks_for_the_whole_page_once_all_is_rendered(client, pack, signatory):
    part = factories.signed_in(client, signatory).get(own("progress", pack))

    assert "16 of 16 documents prepared" in part.text
    assert part.headers["HX-Refresh"] == "true"


def test_a_stopped_preparation_is_told_without_its_cause(client):
    pack = factories.a_pack(PackStatus.QUARANTINED)
    factories.signed_in(client, factories.owner_of(pack.business))

    said = words(see(client, pack))

    assert "cannot prepare" in said
    assert "need to change an answer" in said
    assert "need do nothing" not in said
    assert "RenderFailed" not in said


def test_nothing_internal_is_told(client, pack, signatory):
    pack = factories.walked(pack, PackStatus.IN_APPROVAL)
    factories.STEPS[PackStatus.APPROVED](pack)

    said = words(see(factories.signed_in(client, signatory), factories.fresh_pack(pack)))

    decided = [one.person.name for one in pack.revision.decisions.select_related("person")]
    assert len(decided) == 3
    assert not [name for name in decided if f" {name} " in said]


def test_what_was_sent_back_is_told_with_its_words(client, pack, signatory):
    pack = factories.walked(pack, PackStatus.RETURNED)

    assert "Name the second director." in words(see(factories.signed_in(client, signatory), pack))


def test_the_history_puts_many_acceptances_in_one_line(client, pack, signatory):
    said = words(see(factories.signed_in(client, signatory), factories.walked(pack, "in_approval")))

    assert "Mara Ellwood accepted 16 documents" in said
    assert "Mara Ellwood signed the pack" in said


def test_an_executed_pack_gives_its_copies_and_fingerprints(client, executed):
    page = see(factories.signed_in(client, factories.owner_of(executed.business)), executed)

    text = page.content.decode()
    assert nth_document(executed).sealed_sha256 in text
    assert executed.manifest_sha256 in text
    for name in ("bundle.zip", "certificate.pdf", "manifest.json", "SHA256SUMS"):
        assert own("file", executed, executed.number, name) in text
    assert "/verify/" in text


def test_before_the_first_pack_it_says_what_comes(client):
    business = factories.a_business()
    factories.signed_in(client, factories.owner_of(business))

    page = client.get(f"/b/{business.public_id}/agreements/")

    assert "There is nothing to sign yet" in words(page)


def test_another_businesss_pack_is_not_found_by_number(client, pack):
    owner = factories.a_person()
    business = factories.a_business(owner=owner)
    factories.signed_in(client, owner)

    page = client.get(f"/b/{business.public_id}/agreements/", {"pack": pack.number})

    assert page.status_code == 404


def test_it_takes_the_same_number_of_queries_however_much_is_accepted(
    client, pack, signatory, django_assert_max_num_queries
):
    factories.signed_in(client, signatory)
    accepted = factories.accepted(pack)

    with django_assert_max_num_queries(35):
        see(client, accepted)


def test_rubbish_in_the_address_finds_nothing(client, pack, signatory):
    factories.signed_in(client, signatory)

    for rubbish in ("x", "☃", "\x00", "a" * 500):
        assert client.get(own("pack", pack), {"pack": rubbish}).status_code == 404
