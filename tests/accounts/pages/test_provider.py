"""Staff sign in at an OpenID provider, which gives and takes their roles."""

import time
from datetime import timedelta

import pytest
import time_machine
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse

from console.accounts import limits, provider_accounts, staff
from console.accounts.actors import SYSTEM
from console.accounts.models import ProviderAccount, User
from console.accounts.roles import Role
from console.audit import log as audit
from console.audit.models import Entry
from console.core import clock
from tests import factories
from tests.accounts import openid_provider
from tests.accounts.pages.journey import a_person_with_a_password
from tests.accounts.pages.signing_on import (
    BEGIN,
    NO_GROUP,
    QUEUE,
    REFUSED,
    SIGN_IN,
    nobody_is_in,
    roles,
    signed_in,
)


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


def test_an_address_links_the_account_with_its_other_spelling(client, provider):
    person = a_person_with_a_password("ada@bücher.example")
    staff.give_role(person, Role.LEGAL, by=SYSTEM)
    provider.person["email"] = "Ada@XN--bcher-kva.example"
    assert signed_in(client, provider).url == QUEUE
    assert ProviderAccount.objects.get().user == person


@pytest.mark.parametrize("domain", ["xn--a.example", "a" * 70 + ".example", "a..example"])
def test_an_address_that_has_no_other_spelling_stays_as_it_is(client, provider, domain):
    provider.person["email"] = f"ada@{domain}"
    assert signed_in(client, provider).url == QUEUE
    assert ProviderAccount.objects.get().user.email == f"ada@{domain}"


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


def test_a_provider_with_another_name_is_not_asked_until_it_corrects_it(client, provider):
    provider.metadata = {"issuer": "https://login.evil.example"}
    assert REFUSED in client.get(BEGIN).text
    provider.metadata = {}
    assert client.get(BEGIN).status_code == 302


@pytest.mark.parametrize(
    "said", [{"sub": "a" * 256}, {"sub": "a\0"}, {"email": "a" * 250 + "@example.com"}]
)
def test_what_the_database_cannot_store_is_refused(client, provider, said):
    provider.person |= said
    assert REFUSED in signed_in(client, provider).text
    assert nobody_is_in()


def test_of_two_first_sign_ins_at_once_one_is_refused(client, provider, monkeypatch):
    def twice(identity):
        raise IntegrityError

    monkeypatch.setattr(provider_accounts, "account_for", twice)
    assert REFUSED in signed_in(client, provider).text


def test_sign_ins_are_counted_and_only_the_newest_is_kept(client, provider, monkeypatch):
    monkeypatch.setattr(limits, "SIGN_IN_PER_ADDRESS", limits.Rate(tries=2, seconds=600))
    for _ in range(2):
        assert client.get(BEGIN).status_code == 302
    assert sum(key.startswith("_state_") for key in client.session.keys()) == 1  # noqa: SIM118
    assert client.get(BEGIN).status_code == 429
    assert client.get(reverse("accounts:provider_back")).status_code == 429


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
    error = back.replace("code=", "error=access_denied&was=")
    assert REFUSED in client.get(error).text
    back = provider.sign_in(client.get(BEGIN).url)
    with time_machine.travel(clock.now() + timedelta(minutes=11)):
        assert REFUSED in client.get(back).text
    assert nobody_is_in()


def test_an_address_that_was_not_verified_links_nothing(client, provider):
    provider.person["email_verified"] = False
    assert "no e-mail address that was verified" in signed_in(client, provider).text
    provider.person["email_verified"] = "true"
    assert "no e-mail address that was verified" in signed_in(client, provider).text
    assert nobody_is_in()


def test_a_provider_that_never_says_whether_an_address_is_verified_is_trusted_by_a_setting(
    client, provider, settings
):
    del provider.person["email_verified"]
    assert "no e-mail address that was verified" in signed_in(client, provider).text

    settings.OIDC_TRUST_EMAIL = True
    for said in (False, None, "true", 1):
        provider.person["email_verified"] = said
        assert "no e-mail address that was verified" in signed_in(client, provider).text
    assert nobody_is_in()
    del provider.person["email_verified"]
    assert signed_in(client, provider).url == QUEUE


def test_a_single_group_may_be_a_text(client, provider):
    # tchiotludo/akhq 840, nxzai/NextExplorer 279
    provider.person["groups"] = "reviewers"
    assert signed_in(client, provider).url == QUEUE
    assert roles() == {Role.COMPLIANCE}


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
        audit.record("person.linked_provider", person, by=SYSTEM)
    answer = signed_in(client, provider)
    assert answer.status_code == 403
    assert "is not for our staff" in answer.text
    assert nobody_is_in()


@pytest.mark.parametrize(
    "said", [{"_claim_names": {"groups": "src1"}, "_claim_sources": {}}, {"hasgroups": True}]
)
def test_groups_that_the_provider_keeps_elsewhere_take_no_role(client, provider, said):
    signed_in(client, provider)
    del provider.person["groups"]
    provider.person |= said
    signed_in(Client(), provider)
    assert roles() == {Role.COMPLIANCE}


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


UNLINK = ("staff", "unlink", "ada@example.com", "--because", "A new issuer.")


def test_the_command_unlinks_an_account_which_can_then_be_linked_to_another_subject(
    client, provider
):
    signed_in(client, provider)
    call_command("staff", "give", "ada@example.com", "legal", "--because", "She stays.")
    provider.person["sub"] = "ada-2"
    assert "is not for our staff" in signed_in(Client(), provider).text

    call_command(*UNLINK)
    assert not ProviderAccount.objects.exists()
    assert nobody_is_in()
    assert roles() == {Role.LEGAL}
    for code in ("person.unlinked_provider", "staff.role_taken"):
        entry = Entry.objects.get(code=code)
        assert entry.actor_name == "System"
        assert "A new issuer." in entry.body

    assert signed_in(Client(), provider).url == QUEUE
    assert ProviderAccount.objects.get().subject == "ada-2"


def test_the_command_refuses_to_unlink_what_is_not_linked(provider):
    with pytest.raises(CommandError, match="Nobody with that address"):
        call_command(*UNLINK)
    a_person_with_a_password("ada@example.com")
    with pytest.raises(CommandError, match="is not linked"):
        call_command(*UNLINK)


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
    factories.change(User.objects.all(), is_active=False)
    assert "is not for our staff" in signed_in(client, provider).text
    assert not ProviderAccount.objects.exists()
    ProviderAccount.objects.create(user=person, issuer=provider.issuer, subject="ada")
    audit.record("person.linked_provider", person, by=SYSTEM)
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


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"OIDC_CLIENT_ID": ""}, "needs OIDC_CLIENT_ID"),
        ({"OIDC_CLIENT_SECRET": ""}, "and OIDC_CLIENT_SECRET"),
        ({"HTTPS": True}, "must begin with https"),
    ],
)
def test_a_provider_without_a_secret_or_encryption_does_not_start(
    provider, settings, changed, words
):
    settings.HTTPS = False
    provider_accounts.require_settings()
    for name, value in changed.items():
        setattr(settings, name, value)
    with pytest.raises(ImproperlyConfigured, match=words):
        provider_accounts.require_settings()


def test_without_a_provider_there_is_no_way_to_it(client):
    assert "company account" not in client.get(SIGN_IN).text
    assert client.get(BEGIN).status_code == 404
    assert client.get(reverse("accounts:provider_back")).status_code == 404
