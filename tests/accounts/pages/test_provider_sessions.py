"""Sessions that began at the OpenID provider: roles that end, silence, and confirming it is you."""

import time
from datetime import timedelta

import pytest
import time_machine
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from console.accounts import staff
from console.accounts.actors import SYSTEM
from console.accounts.models import Authenticator, ProviderAccount, Session, User
from console.accounts.roles import Role
from console.core import clock
from onboarding.lifecycle import ApplicationStatus
from tests import factories
from tests.accounts.pages.journey import PASSWORD, a_person_with_a_password
from tests.accounts.pages.signing_on import (
    BEGIN,
    CONFIRM,
    NO_GROUP,
    QUEUE,
    SIGN_IN,
    nobody_is_in,
    roles,
    signed_in,
)


def test_leaving_the_group_ends_the_role_within_a_minute(client, provider):
    signed_in(client, provider)
    provider.person["groups"] = ["audit"]
    assert client.get(QUEUE).status_code == 200
    assert roles() == {Role.COMPLIANCE}
    with time_machine.travel(clock.now() + timedelta(seconds=61)):
        client.get(QUEUE)
        assert roles() == {Role.AUDITOR}
    provider.person["groups"] = []
    with time_machine.travel(clock.now() + timedelta(seconds=122)):
        assert client.get(QUEUE).status_code == 302
        assert roles() == set()
    assert nobody_is_in()


def test_a_session_ends_when_the_provider_knows_its_tokens_no_more(client, provider):
    signed_in(client, provider)
    with time_machine.travel(clock.now() + timedelta(minutes=6)):
        assert client.get(QUEUE).status_code == 200
        assert "refresh_token" in provider.asked
    provider.tokens.clear()
    with time_machine.travel(clock.now() + timedelta(minutes=8)):
        assert client.get(QUEUE).status_code == 302
    assert nobody_is_in()
    assert roles() == set()


def test_a_session_outlasts_a_short_silence_of_the_provider(client, provider):
    signed_in(client, provider)
    provider.is_down = True
    for minutes in (2, 4):
        with time_machine.travel(clock.now() + timedelta(minutes=minutes)):
            assert client.get(QUEUE).status_code == 200
    with time_machine.travel(clock.now() + timedelta(minutes=6)):
        assert "could not be checked" in client.get(QUEUE, follow=True).text
    assert nobody_is_in()
    assert roles() == {Role.COMPLIANCE}


def test_a_request_that_comes_while_another_one_asks_goes_on(client, provider):
    signed_in(client, provider)
    with time_machine.travel(clock.now() + timedelta(seconds=61)):
        Session.objects.update(provider_asked_at=clock.now())
        before = len(provider.asked)
        assert client.get(QUEUE).status_code == 200
        assert len(provider.asked) == before


def test_a_request_that_ends_later_does_not_write_former_tokens_back(client, provider):
    signed_in(client, provider)
    late = client.session
    late["seen_at"] = clock.now().isoformat()
    Session.objects.exclude(user=None).update(provider_tokens=b"newer")
    late.save()
    assert Session.objects.filter(provider_tokens=b"newer").exists()
    with time_machine.travel(clock.now() + timedelta(seconds=61)):
        assert client.get(QUEUE).status_code == 302  # nobody can open these
    assert nobody_is_in()


def test_confirming_reads_the_groups_and_needs_no_former_token(client, provider):
    signed_in(client, provider)
    change = reverse("accounts:change_email")
    again = f"{BEGIN}?next={change}"
    asked = client.get(again).url
    provider.tokens.clear()
    with time_machine.travel(clock.now() + timedelta(seconds=61)):
        assert client.get(provider.sign_in(asked)).url == change
        assert client.get(QUEUE).status_code == 200
        provider.person["groups"] = []
        assert NO_GROUP in client.get(provider.sign_in(client.get(again).url)).text
    assert roles() == set()


def test_confirming_it_is_you_asks_the_provider_for_a_fresh_login(client, provider):
    signed_in(client, provider)
    factories.long_ago(client)
    change = reverse("accounts:change_email")
    ours = client.get(change).url
    assert ours.startswith(CONFIRM)
    page = client.get(ours)
    assert f'href="{BEGIN}?next=' in page.text
    assert "Continue with your company account" in page.text
    assert "<form" not in page.text.partition("<main")[2].partition("</main")[0]
    assert client.post(ours, {"code": PASSWORD}).status_code == 403
    again = f"{BEGIN}?next={change}"
    asked = client.get(again).url
    assert "prompt=login" in asked
    assert "max_age=0" in asked

    provider.claims = {"auth_time": int(time.time()) - 600}
    stale = client.get(provider.sign_in(asked))
    assert "did not ask for your password" in stale.text
    provider.claims = {}
    provider.person["sub"] = "eve"
    assert "as somebody else" in client.get(provider.sign_in(client.get(again).url)).text
    provider.person["sub"] = "ada"
    assert client.get(provider.sign_in(client.get(again).url)).url == change
    assert client.get(change).status_code == 200


def test_an_app_that_is_set_up_in_the_session_confirms_nothing(client, provider):
    signed_in(client, provider)
    confirmed = client.session["confirmed"]
    client.post(reverse("accounts:begin_authenticator"))
    code = factories.a_code(Authenticator.objects.get().seed)
    assert client.post(reverse("accounts:authenticator"), {"code": code}).status_code == 200
    assert client.session["confirmed"] == confirmed
    assert client.get(QUEUE).wsgi_request.user.otp_device == ProviderAccount.objects.get()


@pytest.mark.parametrize("auth_time", [-3600, None])
def test_a_login_that_the_provider_did_not_ask_for_just_now_is_no_fresh_proof(
    client, provider, auth_time
):
    provider.claims = {"auth_time": auth_time and int(time.time()) + auth_time}
    assert signed_in(client, provider).url == QUEUE
    assert client.get(QUEUE).status_code == 200
    change = reverse("accounts:change_email")
    assert client.get(change).url.startswith(CONFIRM)
    provider.claims = {}
    assert signed_in(client, provider, to=change).url == change
    assert client.get(change).status_code == 200


def test_whoever_signs_in_at_the_provider_has_no_other_way(client, provider, settings):
    signed_in(client, provider)
    person = User.objects.get(email="ada@example.com")
    person.set_password(PASSWORD)
    factories.keep(person)
    elsewhere = Client()
    answer = elsewhere.post(SIGN_IN, {"email": person.email, "password": PASSWORD})
    assert answer.status_code == 403
    assert "with their company account" in answer.text

    other = a_person_with_a_password("grace@example.com")
    staff.give_role(other, Role.LEGAL, by=SYSTEM)
    settings.STAFF_PASSWORDS = False
    assert elsewhere.post(SIGN_IN, {"email": other.email, "password": PASSWORD}).status_code == 403
    settings.STAFF_PASSWORDS = True
    assert elsewhere.post(SIGN_IN, {"email": other.email, "password": PASSWORD}).status_code == 302


def test_without_a_provider_a_linked_account_takes_a_password_only_once_it_is_unlinked(
    client, provider, settings
):
    person = a_person_with_a_password("ada@example.com")
    staff.give_role(person, Role.LEGAL, by=SYSTEM)
    signed_in(client, provider)
    settings.OIDC_ISSUER = ""
    asked = {"email": person.email, "password": PASSWORD}
    elsewhere = Client()
    refused = elsewhere.post(SIGN_IN, asked)
    assert refused.status_code == 403
    assert "Ask an operator to unlink it" in refused.text

    call_command("staff", "unlink", person.email, "--because", "The provider has failed.")
    assert nobody_is_in()
    assert elsewhere.post(SIGN_IN, asked).status_code == 302
    assert roles() == {Role.LEGAL}
    assert not nobody_is_in()


def test_a_session_with_a_password_does_not_reach_staff_pages_without_staff_passwords(
    client, provider, settings
):
    person = a_person_with_a_password("ada@example.com")
    staff.give_role(person, Role.COMPLIANCE, by=SYSTEM)
    factories.signed_in(client, person)
    assert client.get(QUEUE).status_code == 200
    business = factories.a_business("Savanna Freight")
    case = factories.an_application(ApplicationStatus.SUBMITTED, business=business).case_url
    found = f"{reverse('shell:search')}?q=savanna"
    addresses = case, reverse("apikeys:business", args=[business.public_id])
    assert all(address in client.get(found).text for address in addresses)
    settings.STAFF_PASSWORDS = False
    assert not any(address in client.get(found).text for address in addresses)
    led = client.get(QUEUE).url
    assert led.startswith(BEGIN)
    asked = client.get(led).url
    assert asked.startswith(f"{provider.issuer}/authorize?")
    assert client.get(provider.sign_in(asked)).url == QUEUE
    assert client.get(QUEUE).status_code == 200
    assert all(address in client.get(found).text for address in addresses)


def test_groups_in_the_id_token_alone_count_and_follow_its_refresh(client, provider):
    # Microsoft Entra ID names groups in ID tokens, and never in the details of a person.
    del provider.person["groups"]
    provider.claims["groups"] = ["reviewers"]
    assert signed_in(client, provider).url == QUEUE
    assert roles() == {Role.COMPLIANCE}
    with time_machine.travel(clock.now() + timedelta(seconds=61)):
        assert client.get(QUEUE).status_code == 200  # read again, and still in the group
    provider.refreshes_identity = True
    with time_machine.travel(clock.now() + timedelta(seconds=280)):
        assert client.get(QUEUE).status_code == 200
    provider.claims["groups"] = ["audit"]
    with time_machine.travel(clock.now() + timedelta(seconds=560)):
        client.get(QUEUE)
    assert roles() == {Role.AUDITOR}


def test_too_many_groups_for_an_id_token_take_no_role(client, provider):
    signed_in(client, provider)
    del provider.person["groups"]
    provider.claims |= {"_claim_names": {"groups": "src1"}, "_claim_sources": {}}
    assert "could not sign you in" in signed_in(Client(), provider).text
    assert roles() == {Role.COMPLIANCE}


def test_a_refreshed_id_token_of_another_person_ends_the_session(client, provider):
    del provider.person["groups"]
    provider.claims["groups"] = ["reviewers"]
    signed_in(client, provider)
    provider.refreshes_identity = True
    provider.claims["sub"] = "eve"
    with time_machine.travel(clock.now() + timedelta(seconds=280)):
        assert client.get(QUEUE).status_code == 302
