"""The e-mails that tell people what their pack waits for."""

import pytest

from agreements import emails
from agreements.lifecycle import PackStatus
from console.accounts.roles import Role
from console.events.models import Event
from tests import factories
from tests.agreements.pages.addresses import own


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
