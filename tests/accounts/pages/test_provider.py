"""Staff sign in at an OpenID provider, which gives and takes their roles."""

import time
from datetime import timedelta

import pytest
import time_machine
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from console.accounts import access, provider_accounts, staff
from console.accounts.actors import SYSTEM
from console.accounts.models import ProviderAccount, Session, User
from console.accounts.roles import Role
from console.audit.models import Entry
from console.core import clock
from tests import factories
from tests.accounts import openid_provider
from tests.accounts.pages.journey import PASSWORD, a_person_with_a_password

BEGIN = reverse("accounts:provider")
CONFIRM = reverse("accounts:confirm")
QUEUE = reverse("onboarding:review_queue")
SIGN_IN = reverse("accounts:sign_in")
REFUSED = "We could not sign you in with your company account"
NO_GROUP = "in no group that gives a role"


@pytest.fixture
def provider(settings):
    with openid_provider.running() as provider:
        settings.OIDC_ISSUER = provider.issuer
        settings.OIDC_CLIENT_ID = openid_provider.CLIENT
        settings.OIDC_CLIENT_SECRET = openid_provider.SECRET
        settings.OIDC_ROLE_GROUPS = [("reviewers", "compliance"), ("audit", "auditor")]
        settings.BASE_URL = "http://testserver"
        yield provider


def signed_in(client, provider, *, to=QUEUE):
    return client.get(provider.sign_in(client.get(f"{BEGIN}?next={to}").url))


def roles():
    return access.roles_of(User.objects.get(email="ada@example.com"))


def nobody_is_in():
    return not Session.objects.exclude(user=None).exists()


def test_a_new_colleague_signs_in_with_the_roles_of_their_groups(client, provider):
    assert "use your company account" in client.get(SIGN_IN).text
    asked = client.get(f"{BEGIN}?next={QUEUE}").url
    assert asked.startswith(f"{provider.issuer}/authorize?")
    assert "code_challenge_method=S256" in asked

    assert client.get(provider.sign_in(asked)).url == QUEUE
    assert client.get(QUEUE).status_code == 200
    assert roles() == {Role.COMPLIANCE}
    (entry,) = Entry.objects.filter(code="staff.role_given")
    assert entry.actor_name == "System"
    account = ProviderAccount.objects.get()
    assert (account.issuer, account.subject) == (provider.issuer, "ada")
    assert not account.user.has_usable_password()


def test_one_of_staff_keeps_the_account_and_the_roles_of_a_command(client, provider):
    person = a_person_with_a_password("ada@example.com")
    staff.give_role(person, Role.LEGAL, by=SYSTEM)
    elsewhere = factories.signed_in(Client(), person)
    signed_in(client, provider)

    assert roles() == {Role.COMPLIANCE, Role.LEGAL}
    assert elsewhere.get(QUEUE).status_code == 302
    # From now on the subject counts, not the address.
    provider.person |= {"email": "ada.lovelace@example.com", "email_verified": False, "groups": []}
    assert signed_in(Client(), provider).url == QUEUE
    assert roles() == {Role.LEGAL}
    assert User.objects.filter(email__startswith="ada").count() == 1


WRONG = {
    "another nonce": {"nonce": "of another request"},
    "another audience": {"aud": "another client"},
    "another audience for us": {"aud": "another client", "azp": openid_provider.CLIENT},
    "another issuer": {"iss": "https://login.evil.example"},
    "expired": {"exp": int(time.time()) - 3600},
    "another person than the details": {"sub": "eve"},
}


@pytest.mark.parametrize("how", WRONG)
def test_an_id_token_that_is_wrong_signs_nobody_in(client, provider, how):
    provider.claims = WRONG[how]
    answer = signed_in(client, provider)
    assert answer.status_code == 403
    assert REFUSED in answer.text
    assert nobody_is_in()
    assert not User.objects.filter(email="ada@example.com").exists()


@pytest.mark.parametrize("algorithm", ["none", "RS512"])
def test_an_algorithm_that_the_provider_does_not_use_or_none_is_refused(
    client, provider, algorithm
):
    provider.algorithm = algorithm
    assert REFUSED in signed_in(client, provider).text
    assert nobody_is_in()


def test_a_provider_that_offers_no_safe_algorithm_is_not_asked(client, provider):
    provider.metadata = {"id_token_signing_alg_values_supported": ["HS256", "none"]}
    assert REFUSED in client.get(BEGIN).text


def test_a_provider_with_another_name_is_not_asked(client, provider):
    provider.metadata = {"issuer": "https://login.evil.example"}
    assert REFUSED in client.get(BEGIN).text


def test_an_answer_works_once_and_in_the_session_that_asked(client, provider):
    back = provider.sign_in(client.get(BEGIN).url)
    assert REFUSED in Client().get(back).text
    assert client.get(back).status_code == 302
    client.post(reverse("accounts:sign_out"))
    assert REFUSED in client.get(back).text

    client.get(BEGIN)
    assert REFUSED in client.get(back).text  # another state
    code = back.partition("code=")[2].partition("&")[0]
    asked = client.get(BEGIN).url
    fresh = provider.sign_in(asked)
    state = fresh.partition("state=")[2]
    replayed = f"{reverse('accounts:provider_back')}?code={code}&state={state}"
    assert REFUSED in client.get(replayed).text
    assert nobody_is_in()


def test_an_answer_of_another_issuer_or_too_late_is_refused(client, provider):
    back = provider.sign_in(client.get(BEGIN).url)
    assert REFUSED in client.get(f"{back}&iss=https://login.evil.example").text
    back = provider.sign_in(client.get(BEGIN).url)
    with time_machine.travel(clock.now() + timedelta(minutes=11)):
        assert REFUSED in client.get(back).text
    back = provider.sign_in(client.get(BEGIN).url)
    error = back.replace("code=", "error=access_denied&was=")
    assert REFUSED in client.get(error).text
    assert nobody_is_in()


def test_an_address_that_was_not_verified_links_nothing(client, provider):
    provider.person["email_verified"] = False
    assert "no e-mail address that was verified" in signed_in(client, provider).text
    provider.person["email_verified"] = "true"
    assert "no e-mail address that was verified" in signed_in(client, provider).text
    assert nobody_is_in()


def test_without_a_group_nobody_gets_in_and_no_account_is_made(client, provider):
    provider.person["groups"] = ["everybody"]
    assert NO_GROUP in signed_in(client, provider).text
    assert nobody_is_in()
    assert not User.objects.filter(email="ada@example.com").exists()


@pytest.mark.parametrize("who", ["of a business", "of nobody", "of both", "linked already"])
def test_an_account_that_is_not_for_our_staff_alone_is_never_taken_over(client, provider, who):
    person = a_person_with_a_password("ada@example.com")
    if who in ("of a business", "of both"):
        factories.a_business(owner=person)
    if who in ("of both", "linked already"):
        staff.give_role(person, Role.LEGAL, by=SYSTEM)
    if who == "linked already":
        ProviderAccount.objects.create(user=person, issuer=provider.issuer, subject="other")
    answer = signed_in(client, provider)
    assert answer.status_code == 403
    assert "is not for our staff" in answer.text
    assert nobody_is_in()


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
    person.save()
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


def test_a_session_with_a_password_does_not_reach_staff_pages_without_staff_passwords(
    client, provider, settings
):
    person = a_person_with_a_password("ada@example.com")
    staff.give_role(person, Role.COMPLIANCE, by=SYSTEM)
    factories.signed_in(client, person)
    assert client.get(QUEUE).status_code == 200
    settings.STAFF_PASSWORDS = False
    led = client.get(QUEUE).url
    assert led.startswith(BEGIN)
    asked = client.get(led).url
    assert asked.startswith(f"{provider.issuer}/authorize?")
    assert client.get(provider.sign_in(asked)).url == QUEUE
    assert client.get(QUEUE).status_code == 200


def test_the_command_still_gives_roles(client, provider):
    signed_in(client, provider)
    call_command("staff", "give", "ada@example.com", "legal", "--because", "An emergency.")
    provider.person["groups"] = []
    assert signed_in(Client(), provider).url == QUEUE
    assert roles() == {Role.LEGAL}


@pytest.mark.parametrize("first", ["command", "group"])
def test_a_group_never_takes_a_role_that_a_command_gave(client, provider, first):
    if first == "command":
        person = a_person_with_a_password("ada@example.com")
        staff.give_role(person, Role.COMPLIANCE, by=SYSTEM)
        signed_in(client, provider)
    else:
        signed_in(client, provider)
        call_command("staff", "give", "ada@example.com", "compliance", "--because", "She stays.")
    assert ProviderAccount.objects.get().roles == []
    provider.person["groups"] = ["audit"]
    signed_in(Client(), provider)
    assert roles() == {Role.COMPLIANCE, Role.AUDITOR}
    provider.person["groups"] = []
    signed_in(Client(), provider)
    assert roles() == {Role.COMPLIANCE}


def test_a_role_that_a_command_took_comes_back_with_the_group(client, provider):
    signed_in(client, provider)
    call_command("staff", "take", "ada@example.com", "compliance", "--because", "A mistake.")
    assert roles() == set()
    signed_in(Client(), provider)
    assert roles() == {Role.COMPLIANCE}
    provider.person["groups"] = []
    assert NO_GROUP in signed_in(Client(), provider).text
    assert roles() == set()


def test_an_account_that_was_never_confirmed_does_not_block_its_owner(client, provider):
    stranger = a_person_with_a_password("ada@example.com", confirmed=False)
    provider.person["groups"] = []
    assert NO_GROUP in signed_in(client, provider).text
    assert User.objects.get(email="ada@example.com") == stranger

    provider.person["groups"] = ["reviewers"]
    assert signed_in(client, provider).url == QUEUE
    assert User.objects.get(email="ada@example.com") != stranger
    assert roles() == {Role.COMPLIANCE}


def test_an_account_that_was_switched_off_is_not_linked_and_gets_no_role(client, provider):
    person = a_person_with_a_password("ada@example.com")
    staff.give_role(person, Role.LEGAL, by=SYSTEM)
    User.objects.update(is_active=False)
    assert "is not for our staff" in signed_in(client, provider).text
    assert not ProviderAccount.objects.exists()
    ProviderAccount.objects.create(user=person, issuer=provider.issuer, subject="ada")
    assert NO_GROUP in signed_in(client, provider).text
    assert roles() == {Role.LEGAL}
    assert nobody_is_in()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("OIDC_ROLE_GROUPS", [("a", "owner")]),
        ("OIDC_ROLE_GROUPS", [("a",)]),
        ("STAFF_PASSWORDS", False),
    ],
)
def test_settings_that_give_no_staff_role_or_lock_staff_out_do_not_start(settings, name, value):
    setattr(settings, name, value)
    with pytest.raises(ImproperlyConfigured, match=name):
        provider_accounts.require_settings()


def test_without_a_provider_there_is_no_way_to_it(client):
    assert "company account" not in client.get(SIGN_IN).text
    assert client.get(BEGIN).status_code == 404
    assert client.get(reverse("accounts:provider_back")).status_code == 404
