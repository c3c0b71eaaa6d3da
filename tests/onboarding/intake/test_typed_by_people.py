"""Answers as people paste and type them, sent with the section's form."""

from typing import Any

import pytest

from console.accounts.models import Invitation
from onboarding.checks.numbers import CheckDigits
from onboarding.checks.providers import Inquiry
from onboarding.intake import answers, applications
from onboarding.lifecycle import CheckStatus
from tests import factories
from tests.onboarding.intake.sending import address, body, sent

COLLEAGUE: dict[str, Any] = {
    "ow_signatory": "colleague",
    "ow_signatory_name": "Siobhán O’Dowd",
    "ow_signatory_email": "siobhan.o'dowd@example.ie",
}


def saved(client, section, **changes):
    """Send a section of a new application; return its page and the saved values."""
    application = factories.an_application()
    page = factories.signed_in(client, factories.owner_of(application.business))
    answer = page.post(address(application, "section", section), sent(section, **changes))
    return body(answer), answers.answer_set(application).values


@pytest.mark.parametrize(
    ("section", "key", "typed", "kept"),
    [
        ("legal_identity", "li_native_name", "葛\U000e0100城\u200f株式会社", "葛城株式会社"),
        ("legal_identity", "li_contact_phone", "\u202a+44 20 7946 0018\u202c", "+442079460018"),
        ("funds_flow", "ff_steps", "Payers\u200b pay us. " * 4, ("Payers pay us. " * 4).strip()),
        ("ownership", "ow_signatory_email", "siobhan.o'dowd@example.ie", ...),
        ("ownership", "ow_signatory_email", "a@müller.example", ...),
        ("ownership", "ow_signatory_email", "a@xn--mller-kva.example", "a@müller.example"),
    ],
)
def test_what_is_harmless_is_kept_without_it(client, section, key, typed, kept):
    _, values = saved(client, section, **(COLLEAGUE | {key: typed}))
    assert values[key] == (typed if kept is ... else kept)


@pytest.mark.parametrize(
    ("section", "key", "typed", "said"),
    [
        ("ownership", "ow_signatory_email", "jlópez@example.es", "we cannot send to this address"),
        ("funds_flow", "ff_steps", "They pay us\u202e all of it. " * 4, "after “They pay us”"),
    ],
)
def test_what_cannot_be_kept_is_said_at_its_question(client, section, key, typed, said):
    page, values = saved(client, section, **(COLLEAGUE | {key: typed}))
    assert said in page
    assert key not in values


def test_an_apostrophe_of_another_keyboard_invites_nobody_else(client):
    application = factories.an_application("answered", **COLLEAGUE)
    owner = factories.owner_of(application.business)
    invited = applications.invite_signatory(application, by=owner).invitation
    page = factories.signed_in(client, owner)
    revision = factories.fresh(application).revision_of("ownership")
    straight = COLLEAGUE | {"ow_signatory_name": "Siobhán O'Dowd"}
    page.post(
        address(application, "section", "ownership"),
        sent("ownership", revision=revision, **straight),
    )

    assert answers.answer_set(application).values["ow_signatory_name"] == "Siobhán O'Dowd"
    assert Invitation.objects.open().filter(pk=invited.pk).exists()


ISSUED = "01234567 R0123456 SC123456 NI654321 OC301234 IP12345R SL12345A RS00123B"
NOT_ISSUED = "123456789 X1234567 OC3012345 SC12A456"


@pytest.mark.parametrize(
    ("numbers", "status"), [(ISSUED, CheckStatus.PASSED), (NOT_ISSUED, CheckStatus.FAILED)]
)
def test_numbers_are_those_that_companies_house_issues(numbers, status):
    for number in numbers.split():
        asked = Inquiry("number", "Kettle", "Kettle & Kiosk Ltd", "GB", number)
        assert CheckDigits().look(asked).status == status, number
