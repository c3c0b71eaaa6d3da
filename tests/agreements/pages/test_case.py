"""The staff's case page."""

from agreements.lifecycle import PackStatus
from console.accounts import staff as staffing
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from onboarding.lifecycle import ApplicationStatus
from tests import factories
from tests.agreements.pages.addresses import nth_document, of_case, staff, words


def see(client, pack, **query):
    return client.get(of_case("case", pack), query)


def bar(page):
    text = page.content.decode()
    return text.partition('aria-label="Decision"')[2].partition("</main>")[0]


def test_every_tab_opens(client, pack):
    for tab in ["review", "answers", "score", "pack", "history", "rubbish"]:
        page = see(staff(client, Role.AUDITOR), pack, show=tab)

        assert page.status_code == 200
        assert pack.number in words(page)


def test_the_gates_say_who_and_when(client, pack):
    pack = factories.walked(pack, PackStatus.COUNTERSIGNING)

    said = words(see(staff(client, Role.AUDITOR), pack))

    signers = [one.person.name for one in pack.revision.decisions.select_related("person")]
    assert len(signers) == 4
    assert all(name in said for name in signers)
    assert "Being sealed" in said


def test_an_application_without_a_pack_has_its_own_decisions(client):
    application = factories.an_application(ApplicationStatus.SUBMITTED)
    staff(client, Role.COMPLIANCE)

    page = client.get(f"/review/{application.public_id}/")

    assert "No pack yet" in words(page)
    assert f"/review/{application.public_id}/decline/" in bar(page)
    assert "disabled>Clear to contract" in bar(page)


def test_only_what_the_role_can_do_is_offered(client, pack):
    pack = factories.walked(pack, PackStatus.IN_APPROVAL)

    commercial = bar(see(staff(client, Role.COMMERCIAL), pack))
    auditor = bar(see(staff(client, Role.AUDITOR), pack))

    assert "Approve as commercial" in commercial
    assert "Send back" in commercial
    assert "Approve as legal" not in commercial
    assert "Decline" not in commercial
    assert auditor == ""


def test_a_button_that_cannot_be_pressed_says_why(client, pack):
    pack = factories.walked(pack, PackStatus.APPROVED)
    decided = pack.revision.decisions.select_related("person").get(role="legal").person
    staffing.give_role(decided, Role.COUNTERSIGNATORY, by=SYSTEM)

    shown = bar(see(factories.signed_in(client, decided), pack))

    assert "already decided on this case as Legal" in shown
    assert "disabled>Countersign and seal" in shown


def test_the_countersignatory_is_offered_the_press_once_it_is_approved(client, pack):
    staff(client, Role.COUNTERSIGNATORY)

    assert bar(see(client, factories.walked(pack, PackStatus.IN_APPROVAL))) == ""
    approved = factories.walked(factories.fresh_pack(pack), PackStatus.APPROVED)
    assert of_case("countersign", approved) in bar(see(client, approved))


def test_beyond_recall_nothing_is_taken_back(client, executed):
    assert bar(see(staff(client, Role.COMPLIANCE), executed)) == ""


def test_a_stopped_pack_shows_its_cause_to_our_staff(client):
    pack = factories.a_pack(PackStatus.QUARANTINED)

    page = see(staff(client, Role.OPERATOR), pack, show="pack")

    assert "60 seconds" in words(page)
    assert "/retry/" in bar(page)


def test_the_activity_folds_acceptances_and_names_things(client, pack):
    pack = factories.walked(pack, PackStatus.IN_APPROVAL)

    said = words(see(staff(client, Role.AUDITOR), pack))

    assert "Mara Ellwood accepted 16 documents" in said
    assert f"Mara Ellwood signed the pack {pack.number}" in said


def test_our_staff_read_the_documents_in_words(client, pack):
    page = staff(client, Role.LEGAL).get(
        of_case("case_document", pack, nth_document(pack, 3).public_id)
    )

    assert "1.1 " in words(page)
    assert "accept it" not in words(page)


def test_the_number_of_queries_does_not_follow_the_size(
    client, pack, django_assert_max_num_queries
):
    pack = factories.walked(pack, PackStatus.APPROVED)
    staff(client, Role.COMPLIANCE)

    with django_assert_max_num_queries(50):
        see(client, pack)


def test_a_draft_is_nobodys_case_yet(client):
    draft = factories.an_application()

    assert staff(client, Role.COMPLIANCE).get(f"/review/{draft.public_id}/").status_code == 404
