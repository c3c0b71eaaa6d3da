"""E-mails about what a pack waits for."""

import re
from datetime import timedelta

import pytest
import time_machine

from agreements import emails
from agreements.lifecycle import PackStatus
from console.accounts import limits, recipients
from console.accounts.actors import RECIPIENT
from console.accounts.models import Invitation
from console.accounts.roles import Role
from console.audit import log as audit
from console.audit.models import Entry
from console.core import clock
from console.events.models import Event
from tests import factories
from tests.agreements.pages.addresses import own

STRANGER = "mara@elsewhere.example"


def stranger_of(pack):
    """The signatory's address, for which there is no account any more."""
    owner, address = factories.owner_of(pack.business), pack.revision.signatory["email"]
    owner.email = f"new.{owner.email}"
    owner.save(update_fields=["email"])
    audit.record("person.changed_email", owner, by=owner)
    return address


def news(pack, kind):
    return Event.objects.filter(subject_id=pack.public_id, kind=f"pack.{kind}").latest("pk")


def test_the_signatory_is_told_that_there_is_something_to_read(pack, mailoutbox):
    emails.ready_to_read(news(pack, "in_review"))

    (mail,) = mailoutbox
    assert mail.to == [factories.owner_of(pack.business).email]
    assert mail.subject == "Your agreements are ready to read and sign"
    assert own("pack", pack) in mail.body
    assert pack.number in mail.body
    assert mail.attachments == []


def test_the_signatory_is_told_that_changes_are_asked_for_but_not_which(pack, mailoutbox):
    pack = factories.walked(pack, PackStatus.RETURNED)

    emails.returned(news(pack, "returned"))

    (mail,) = mailoutbox
    assert mail.to == [factories.owner_of(pack.business).email]
    assert own("pack", pack) in mail.body
    assert "second director" not in mail.body


@pytest.mark.parametrize("role", [Role.DEVELOPER, Role.SIGNATORY])
def test_whoever_signs_or_makes_keys_is_told_of_the_execution(executed, mailoutbox, role):
    member = factories.a_member(executed.business, role)

    emails.executed(news(executed, "executed"))

    (mail,) = [mail for mail in mailoutbox if mail.to == [member.email]]
    assert mail.subject == "Your agreements are executed"
    assert own("pack", executed) in mail.body


def test_a_signatory_who_never_joined_says_not_me_and_hears_no_more(mailoutbox):
    with factories.few_documents():
        pack = factories.a_pack(ow_signatory_email=STRANGER.title())
    tell = (emails.ready_to_read, emails.returned)
    for one in tell:
        one(news(pack, "in_review"))
    owner = factories.owner_of(pack.business).email
    assert [mail.to for mail in mailoutbox] == [[STRANGER], [STRANGER], [owner]]
    links = [re.findall(r"/not-me/(\S+)/", mail.body) for mail in mailoutbox[:2]]
    assert all(links)

    recipients.stop(links[1][0], by=RECIPIENT)
    mailoutbox.clear()
    with time_machine.travel(clock.now() + timedelta(days=15)):
        for one in tell:
            one(news(pack, "in_review"))

    # The invitation expired; that it cannot be renewed has no other effect.
    assert [mail.to for mail in mailoutbox] == [[owner]]
    assert Invitation.objects.filter(email=STRANGER).count() == 1
    [entry] = Entry.objects.filter(code="pack.signatory_not_invited")
    assert (entry.subject_id, entry.business_id) == (pack.public_id, pack.business.public_id)


def test_not_me_counts_for_every_spelling_of_a_signatory(pack, mailoutbox):
    other = stranger_of(pack).replace("@", "+x@")
    recipients.stop(recipients.not_me_path(other, pack.business).split("/")[-2], by=RECIPIENT)
    for tell in (emails.ready_to_read, emails.returned):
        tell(news(pack, "in_review"))
    assert [mail.to for mail in mailoutbox] == [[factories.owner_of(pack.business).email]]


@pytest.mark.usefixtures("stopped_clock")
@pytest.mark.parametrize("joined", [True, False])
def test_only_a_signatory_who_never_joined_gets_so_much_a_day(pack, mailoutbox, caplog, joined):
    address = pack.revision.signatory["email"] if joined else stranger_of(pack)
    most = limits.NOTICES_PER_RECIPIENT.tries
    for _ in range(most + 1):
        emails.returned(news(pack, "in_review"))
    assert len([mail for mail in mailoutbox if mail.to == [address]]) == most + joined
    over = [one.business for one in caplog.records if one.message == "mail_over_limit"]
    assert over == ([] if joined else [pack.business.public_id])
