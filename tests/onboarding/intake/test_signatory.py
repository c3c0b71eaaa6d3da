"""The signatory: the owner (“I sign”) or a colleague, who is invited to sign."""

from datetime import timedelta
from urllib.parse import quote

import pytest
import time_machine
from django.core import mail as outgoing
from django.urls import reverse

from console.accounts import access, members
from console.accounts.actors import SYSTEM
from console.accounts.business_access import AccessStopped
from console.accounts.models import Business, Invitation
from console.accounts.roles import Permission, Role
from console.audit.models import Entry
from console.core import clock
from console.core.refusals import NotAllowed
from console.events import outbox
from console.events.models import EventDelivery
from onboarding import application_facts
from onboarding.intake import answers, applications, signatory, tasklist
from onboarding.intake.merging import OpenPage
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Application
from onboarding.review import decisions
from tests import factories
from tests.accounts.pages.journey import link_in

ZOE = {"ow_signatory_name": "Zoë Adjei", "ow_signatory_email": "Zoe@Kettle.example"}
ME = {"ow_signatory": "me", "ow_signatory_name": None, "ow_signatory_email": None}


def named(**changes) -> Application:
    """Return a complete application that is not submitted yet."""
    return factories.fresh(factories.an_application("answered", **(ZOE | changes)))


def submitted(application: Application) -> Application:
    owner = factories.owner_of(application.business)
    return applications.submit(application, declared=True, by=owner)


def invite(application: Application) -> Application:
    return applications.invite_signatory(application, by=factories.owner_of(application.business))


def save(application: Application, **typed: str) -> Application:
    """Save answers of the ownership section."""
    revision = factories.fresh(application).revision_of("ownership")
    owner = factories.owner_of(application.business)
    answers.save_section(application, "ownership", typed, page=OpenPage(revision), by=owner)
    return factories.fresh(application)


def invited(application: Application) -> list[tuple[str, str]]:
    rows = Invitation.objects.open().filter(business=application.business)
    return [(row.email, row.role) for row in rows]


def token_of(application: Application) -> str:
    assert application.invitation is not None
    return members.invitation_token(application.invitation)


def mailed() -> list[tuple[str, str]]:
    """Send the waiting e-mails to people; return the recipients and subjects of invitations."""
    for delivery in EventDelivery.objects.waiting().filter(listener="accounts.emails"):
        assert outbox.handle(delivery.pk)
    mails = [(m.to[0], str(m.subject)) for m in outgoing.outbox]
    return [(to, subject) for to, subject in mails if "names you" in subject]


# The invitation ------------------------------------------------------------------------------


def test_submitting_invites_whom_the_answers_name_as_signatory_and_nothing_more():
    application = submitted(named())

    assert invited(application) == [("zoe@kettle.example", "signatory")]
    owner = factories.owner_of(application.business)
    subject = f"{owner.name} names you to sign for Kettle & Kiosk"
    assert mailed() == [("zoe@kettle.example", subject)]
    zoe = factories.a_person("Zoë Adjei", email="zoe@kettle.example")
    token = token_of(application)
    members.accept(token, by=zoe)
    assert access.roles_of(zoe, application.business) == {Role.SIGNATORY}


def test_it_is_sent_earlier_by_a_button_and_not_again_by_the_submission(client):
    application = named()
    factories.signed_in(client, factories.owner_of(application.business))
    page = reverse("onboarding:access", args=[application.business.public_id])
    assert "Invite them now" in client.get(page).text

    sent = reverse("onboarding:invite_signatory", args=[application.business.public_id])
    said = client.post(sent, follow=True).text

    assert "We sent the invitation to zoe@kettle.example" in said
    assert "Not accepted yet" in said
    submitted(application)
    assert len(mailed()) == 1
    assert Invitation.objects.count() == 1


@pytest.mark.parametrize(
    "other", [{"ow_signatory_email": "una@kettle.example"}, {"ow_signatory": "me"}]
)
def test_naming_somebody_else_takes_it_back(other):
    application = save(invite(named()), **other)

    assert invited(application) == []
    assert Entry.objects.filter(code="member.invitation_withdrawn").count() == 1


def test_another_answer_of_the_section_leaves_it_alone():
    application = save(invite(named()), ow_signatory_title="Chair", ow_signatory_name="ZOË  ADJEI")

    assert invited(application) == [("zoe@kettle.example", "signatory")]


def test_a_returned_application_that_names_another_invites_the_other():
    application = submitted(named())
    reviewer = factories.one_of_staff(Role.COMPLIANCE)
    decisions.return_for_changes(application, note="Who signs?", by=reviewer)
    save(application, ow_signatory_name="Una Quill", ow_signatory_email="una@kettle.example")

    submitted(application)

    assert invited(application) == [("una@kettle.example", "signatory")]


@pytest.mark.parametrize("end", ["withdraw", "decline", "expire"])
def test_the_end_of_an_application_takes_it_back(end):
    application = invite(named())
    if end == "withdraw":
        applications.withdraw(application, by=factories.owner_of(application.business))
    elif end == "decline":
        compliance = factories.one_of_staff(Role.COMPLIANCE)
        decisions.decline(submitted(application), note="No.", by=compliance)
    else:
        with time_machine.travel(clock.now() + timedelta(days=13)):
            Application.objects.filter(pk=application.pk).update(
                touched_at=clock.now() - timedelta(days=91)
            )
            applications.expire(application, by=SYSTEM)

    assert invited(application) == []


def test_one_that_ran_out_is_sent_anew_by_the_button():
    application = submitted(named())
    with time_machine.travel(clock.now() + timedelta(days=15)):
        assert invited(application) == []
        [who] = signatory.named_signatories(application, answers.newest(application))
        assert who.can_be_invited
        assert not who.invitation.is_open
        invite(application)
        assert invited(application) == [("zoe@kettle.example", "signatory")]


def test_a_late_worker_invites_nobody_to_an_application_that_ended():
    application = submitted(named())
    applications.withdraw(application, by=factories.owner_of(application.business))

    applications.keep_signatory_invited(application, by=SYSTEM)

    assert invited(application) == []


def test_one_that_ran_out_is_renewed_when_the_pack_can_be_read():
    application = submitted(named())
    with time_machine.travel(clock.now() + timedelta(days=15)):
        applications.keep_signatory_invited(application, by=SYSTEM)
        assert invited(application) == [("zoe@kettle.example", "signatory")]
        applications.keep_signatory_invited(application, by=SYSTEM)
        assert Invitation.objects.count() == 2


# No invitation needed or allowed -------------------------------------------------------------


def test_whoever_may_sign_already_needs_no_invitation():
    business = factories.a_business("Kettle & Kiosk")
    owner = factories.owner_of(business)
    mine = {"ow_signatory_name": owner.name, "ow_signatory_email": owner.email.upper()}
    application = factories.fresh(factories.an_application("answered", business=business, **mine))

    with pytest.raises(applications.NobodyToInvite, match="can already sign"):
        invite(application)
    submitted(application)

    assert Invitation.objects.count() == 0


def test_a_member_who_may_not_sign_is_offered_that_role_beside_their_own():
    business = factories.a_business("Kettle & Kiosk")
    developer = factories.a_member(business, Role.DEVELOPER)
    named_one = {"ow_signatory_name": developer.name, "ow_signatory_email": developer.email}
    application = factories.an_application(
        ApplicationStatus.SUBMITTED, business=business, **named_one
    )

    members.accept(token_of(application), by=developer)

    assert access.roles_of(developer, business) == {Role.DEVELOPER, Role.SIGNATORY}


def test_a_suspended_business_invites_nobody():
    application = submitted(named())
    factories.change(Invitation.objects.all(), expires_at=clock.now())
    factories.change(Business.objects.filter(pk=application.business_id), status="suspended")

    with pytest.raises(AccessStopped, match="is suspended"):
        invite(factories.fresh(application))
    applications.keep_signatory_invited(application, by=SYSTEM)

    assert Invitation.objects.count() == 1


def test_nobody_joins_a_suspended_business():
    application = invite(named())
    factories.change(Business.objects.filter(pk=application.business_id), status="suspended")
    zoe = factories.a_person("Zoë Adjei", email="zoe@kettle.example")

    with pytest.raises(AccessStopped):
        members.accept(token_of(application), by=zoe)
    assert not access.roles_of(zoe, application.business)


def test_only_who_may_submit_sends_it():
    application = named()
    viewer = factories.a_member(application.business, Role.VIEWER)

    with pytest.raises(NotAllowed):
        applications.invite_signatory(application, by=viewer)


def test_nobody_named_is_nobody_invited():
    with pytest.raises(applications.NobodyToInvite, match="Ownership"):
        invite(factories.an_application())


def test_a_finished_application_invites_nobody():
    application = factories.an_application(ApplicationStatus.DECLINED)
    with pytest.raises(applications.NobodyToInvite, match="nothing to sign"):
        invite(application)


def test_who_leaves_takes_the_invitation_along_and_who_stays_sends_it_anew():
    application = named()
    leaving = factories.a_member(application.business, Role.ADMINISTRATOR)
    owner = factories.owner_of(application.business)
    application = applications.invite_signatory(application, by=leaving)
    members.set_roles(application.business, leaving, [], by=owner)
    assert invited(application) == []

    invite(factories.fresh(application))

    assert invited(application) == [("zoe@kettle.example", "signatory")]


def test_one_of_our_staff_who_is_named_decides_nothing_about_the_business():
    reviewer = factories.one_of_staff(Role.COMPLIANCE)
    application = submitted(named(ow_signatory_email=reviewer.email))

    with pytest.raises(NotAllowed, match="answers name your e-mail address"):
        decisions.decline(application, note="No.", by=reviewer)


# “I sign” ------------------------------------------------------------------------------------


def test_i_sign_is_frozen_with_the_name_and_address_of_whoever_said_so():
    application = named(**ME)
    owner = factories.owner_of(application.business)
    deputy = factories.a_member(application.business, Role.ADMINISTRATOR)

    application = applications.submit(application, declared=True, by=deputy)

    told = application_facts.submitted_facts(application)["signatory"]
    assert (told["name"], told["email"]) == (owner.name, owner.email)
    assert Invitation.objects.count() == 0
    shown = tasklist.answered(answers.newest(application))
    [line] = [x for _, lines in shown for x in lines if x.question.key == "ow_signatory"]
    assert line.lines == ["I sign", owner.name, owner.email]


def test_i_sign_falls_with_whoever_said_so():
    application = named(**ME)
    business, owner = application.business, factories.owner_of(application.business)
    leaving = factories.a_member(business, Role.ADMINISTRATOR)
    revision = application.revision_of("ownership")
    for said in ("colleague", "me"):
        answers.save_section(
            application, "ownership", {"ow_signatory": said}, page=OpenPage(revision), by=leaving
        )
        revision += 1
    members.set_roles(business, leaving, [], by=owner)

    with pytest.raises(applications.CannotSubmit) as refused:
        submitted(factories.fresh(application))
    assert "Choose a new signatory" in refused.value.blockers[0].message


# The colleague's steps -----------------------------------------------------------------------


def test_no_page_of_the_business_is_a_404_for_who_is_invited(client):
    application = submitted(named())
    here = [application.business.public_id]
    factories.signed_in(client, factories.a_person("Zoë Adjei", email="zoe@kettle.example"))

    for name in ("api:home", "agreements:pack", "onboarding:access"):
        seen = client.get(reverse(name, args=here), follow=True)
        assert "to read and sign the agreements of <bdi>Kettle &amp; Kiosk</bdi>" in seen.text
    factories.signed_in(client, factories.a_person())
    assert client.get(reverse("agreements:pack", args=here)).status_code == 404


def test_the_email_leads_to_an_account_under_the_name_that_signs(client):
    submitted(named())
    mailed()
    link = link_in(next(m for m in outgoing.outbox if "names you" in m.subject))

    page = client.get(link).text
    token = link.rstrip("/").rpartition("/")[2]
    sign_up = f"{reverse('accounts:sign_up')}?invitation={quote(token)}"
    assert sign_up in page
    form = client.get(sign_up).text
    assert 'value="Zoë Adjei"' in form
    assert 'value="zoe@kettle.example"' in form


def test_accepting_leads_to_the_authenticator_and_back_to_the_business(client):
    application = submitted(named())
    zoe = factories.a_person("Zoë Adjei", email="zoe@kettle.example")
    factories.signed_in(client, zoe, by="password")
    token = token_of(application)

    found = client.post(reverse("accounts:accept", args=[token]))

    business = reverse("api:home", args=[application.business.public_id])
    assert found.url == f"{reverse('accounts:authenticator')}?next={business.replace('/', '%2F')}"
    begun = client.post(reverse("accounts:begin_authenticator"), {"next": business})
    assert begun.url == found.url
    assert f'name="next" value="{business}"' in client.get(begun.url).text
    seed = zoe.authenticators.get().seed
    codes = client.post(begun.url, {"code": factories.a_code(seed), "next": business})
    assert f'href="{business}">I have saved them' in codes.text
    assert access.can(zoe, Permission.PACK_SIGN, application.business)


def test_nothing_leads_on_to_another_site(client):
    factories.signed_in(client, factories.a_person())
    page = client.get(reverse("accounts:authenticator"), {"next": "https://evil.example/"})
    assert "evil.example" not in page.text.partition("<main")[2]


def test_whoever_joined_by_the_link_is_led_on_by_it(client):
    application = submitted(named())
    zoe = factories.a_person("Zoë Adjei", email="zoe@kettle.example")
    token = token_of(application)
    members.accept(token, by=zoe)
    link = reverse("accounts:invitation", args=[token])

    assert client.get(link).status_code == 410
    factories.signed_in(client, zoe)
    assert client.get(link).url == reverse("api:home", args=[application.business.public_id])
    factories.signed_in(client, factories.a_person())
    assert client.get(link).status_code == 410


@pytest.mark.parametrize(
    "at", [ApplicationStatus.DRAFT, "answered", ApplicationStatus.SUBMITTED, ApplicationStatus.HELD]
)
def test_the_page_says_who_signs_and_whether_they_can_come_in(client, at):
    application = factories.an_application(at)
    factories.signed_in(client, factories.owner_of(application.business))

    page = client.get(application.get_absolute_url()).text

    said = {
        ApplicationStatus.DRAFT: [],
        "answered": ["Who signs", "We send the invitation when you submit."],
    }.get(at, ["Who signs", "Not accepted yet", "Send a new invitation"])
    assert all(words in page for words in said)
    assert ("Who signs" in page) == bool(said)
