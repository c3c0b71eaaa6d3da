"""Submitted forms survive signing in, re-authentication and setting up an authenticator."""

import pytest
import time_machine
from django.urls import reverse

from console.accounts.models import Authenticator, Business, Invitation
from console.accounts.roles import Role
from console.core.clock import now
from onboarding.lifecycle import ApplicationStatus
from tests import factories
from tests.accounts.pages.journey import confirmed_and_resumed, sent_again

RESUME = reverse("accounts:resume")
APP = reverse("accounts:authenticator")


@pytest.fixture
def complete():
    """An application with complete answers, and its owner, who has no authenticator."""
    application = factories.an_application("answered")
    return application, factories.owner_of(application.business)


def submit(client, application):
    path = reverse("onboarding:submit", args=[application.business.public_id])
    return client.post(path, {"declared": "on"})


def test_a_submission_goes_on_after_setting_up_the_authenticator(client, complete):
    application, owner = complete
    factories.signed_in(client, owner, by="password")

    led = submit(client, application).headers["Location"]
    client.post(reverse("accounts:begin_authenticator"), {"next": RESUME})
    seed = Authenticator.objects.get(user=owner).seed
    shown = client.post(led, {"code": factories.a_code(seed)})
    assert f'href="{RESUME}"' in shown.text
    assert "continue with what you started" in shown.text
    assert factories.fresh(application).status == ApplicationStatus.DRAFT
    answer = sent_again(client, client.get(RESUME))

    assert answer.status_code == 302
    assert factories.fresh(application).status != ApplicationStatus.DRAFT
    # The form is submitted only once; afterwards none is saved.
    assert client.get(RESUME)["Location"] == "/"


def test_a_form_goes_on_after_confirming_and_only_then(client, complete):
    application, owner = complete
    factories.long_ago(factories.signed_in(client, owner))
    business = application.business
    invite = reverse("accounts:invite", args=[business.public_id])

    asked = client.post(invite, {"email": "ife@example.com", "role": Role.DEVELOPER})
    assert not Invitation.objects.exists()
    confirmed_and_resumed(client, asked, owner)

    assert Invitation.objects.get().email == "ife@example.com"


def test_a_form_that_waited_too_long_is_not_sent(client, complete):
    application, owner = complete
    factories.signed_in(client, owner, by="password")
    submit(client, application)

    with time_machine.travel(now().timestamp() + 31 * 60):
        factories.signed_in(client, owner, by="password")
        assert client.get(RESUME)["Location"] == "/"


def test_a_form_is_shown_again_where_its_session_had_ended(client):
    business = factories.a_business()
    owner = factories.owner_of(business)
    factories.signed_in(client, owner)
    rename = reverse("accounts:business_rename", args=[business.public_id])
    client.logout()

    refused = client.post(rename, {"name": "Acme plc", "password": "never shown again"})
    assert refused.status_code == 403
    assert refused.headers["X-Refusal"] == "signed_out"
    assert "never shown again" not in refused.text
    factories.signed_in(client, owner)
    sent_again(client, refused)

    assert Business.objects.get().name == "Acme plc"


def test_a_form_without_text_leads_to_the_sign_in(client):
    assert client.post(reverse("accounts:sign_out"))["Location"].startswith("/sign-in/")
