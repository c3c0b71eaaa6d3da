"""What somebody with the site's database role alone tries, each in a transaction of its own."""

import pytest

from agreements.lifecycle import PackStatus
from api.checkout import domains
from apikeys.lifecycle import Environment
from apikeys.models import Grant
from console.accounts.roles import Role
from tests import factories
from tests.api import checkouts
from tests.apikeys import world
from tests.apikeys.webhooks import world as webhooks
from tests.databases import refused_by
from tests.guards.test_frozen import with_their_entries
from tests.onboarding.screening import listed

pytestmark = pytest.mark.django_db(transaction=True)

# Somebody without a role, who took part in nothing.
OTHER = (
    "(SELECT max(id) FROM accounts_user"
    " WHERE id NOT IN (SELECT user_id FROM accounts_membership)"
    " AND id NOT IN (SELECT person_id FROM onboarding_reviewer))"
)
ATTACKS = {
    "keys of listed names": (
        "keys_of_listed_names_are_recorded",
        "UPDATE screening_listname SET keys = '{}'",
    ),
    "keys of listed names, as if indexed again": (
        "keys_of_listed_names_are_recorded",
        "UPDATE screening_listname SET normal = '', keys_version = keys_version + 1",
    ),
    "the end of a listed name": (
        "ends_of_list_entries_are_recorded",
        "UPDATE screening_listentry SET gone_id = (SELECT max(id) FROM screening_listversion)"
        " WHERE gone_id IS NULL AND since_id < (SELECT max(id) FROM screening_listversion)",
    ),
    "a list in force": (
        "ends_of_list_versions_are_recorded",
        "UPDATE screening_listversion SET superseded_at = now() WHERE superseded_at IS NULL",
    ),
    "another logo": (
        "changes_of_checkout_settings_are_recorded",
        "UPDATE checkout_checkoutsettings SET logo = repeat('a', 64)",
    ),
    "a first logo": (
        "checkout_settings_are_recorded",
        "INSERT INTO checkout_checkoutsettings (business_id, allows_localhost, logo)"
        " SELECT max(id), false, repeat('a', 64) FROM accounts_business"
        " WHERE id NOT IN (SELECT business_id FROM checkout_checkoutsettings)",
    ),
    "the access of a business": (
        "statuses_of_businesses_are_recorded",
        "UPDATE accounts_business SET status = 'suspended'",
    ),
    "another owner": (
        "members_are_recorded",
        f"UPDATE accounts_membership SET user_id = {OTHER} WHERE role = 'owner'",
    ),
    "a further owner": (
        "members_are_recorded",
        "INSERT INTO accounts_membership (public_id, user_id, business_id, role, since)"
        f" SELECT 'mem_x', {OTHER}, min(id), 'owner', now() FROM accounts_business",
    ),
    "no owner": ("members_are_recorded", "DELETE FROM accounts_membership WHERE role = 'owner'"),
    "fewer staff": (
        "members_are_recorded",
        "DELETE FROM accounts_membership WHERE business_id IS NULL",
    ),
    "another account for signing on": (
        "a_provider_account_is_of_one_person",
        "UPDATE accounts_provideraccount SET subject = 'another'",
    ),
    "an account for signing on of another person": (
        "a_provider_account_is_of_one_person",
        f"UPDATE accounts_provideraccount SET user_id = {OTHER}",
    ),
    "the hold of an app": (
        "changes_of_authenticators_are_recorded",
        "UPDATE accounts_authenticator SET held_until = now() - interval '1 day'",
    ),
    "the app of another person": (
        "changes_of_authenticators_are_recorded",
        "UPDATE accounts_authenticator SET sealed_seed = 'x'",
    ),
    "a recovery code": (
        "recovery_codes_are_recorded",
        "INSERT INTO accounts_recoverycode (user_id, hashed)"
        " SELECT min(user_id), 'x' FROM accounts_authenticator",
    ),
    "another address": (
        "addresses_of_people_are_recorded",
        "UPDATE accounts_user SET email = 'x' || email",
    ),
    "an old key's secret": (
        "secrets_and_limits_of_keys_are_recorded",
        "UPDATE apikeys_apikey SET former_digest = sha256('x'), former_pepper = pepper,"
        " former_ends_at = expires_at",
    ),
    "a longer life of a key": (
        "secrets_and_limits_of_keys_are_recorded",
        "UPDATE apikeys_apikey SET expires_at = expires_at + interval '1 year'",
    ),
    "a wider network": (
        "limits_of_grants_are_recorded",
        "UPDATE apikeys_grant SET networks = '{0.0.0.0/0}'",
    ),
    "a verified endpoint's address": (
        "changes_of_endpoints_are_recorded",
        "UPDATE webhooks_webhookendpoint SET url = 'https://evil.example.com/'",
    ),
    "a verified endpoint": (
        "changes_of_endpoints_are_recorded",
        "UPDATE webhooks_webhookendpoint SET verification = 'lapsed', verified_at = now()",
    ),
    "a verified domain": (
        "domains_are_recorded",
        "UPDATE checkout_checkoutdomain SET status = 'verified', method = 'dns',"
        " verified_at = now(), checked_at = now(), token_expires_at = NULL",
    ),
    "a product": (
        "statuses_of_products_are_recorded",
        "UPDATE catalogue_businessproduct SET status = 'withdrawn', reason = 'x'"
        " WHERE status = 'approved'",
    ),
    "where an open session is paid": (
        "session_keeps_what_it_says",
        "UPDATE sandbox_checkoutsession SET account_id = NULL, address = 'x'",
    ),
    "the account of a session": (
        "account_keeps_what_it_says",
        "UPDATE sandbox_virtualaccount SET account_number = '1'",
    ),
    "the amount of a deposit": (
        "deposit_keeps_what_it_says",
        "UPDATE sandbox_deposit SET amount = amount + 1",
    ),
    "a deposit of another session": (
        "deposit_keeps_what_it_says",
        "UPDATE sandbox_deposit SET checkout_session_id = NULL, virtual_account_id = NULL",
    ),
    "no deposit": ("deposit_keeps_what_it_says", "DELETE FROM sandbox_deposit"),
    "money": (
        "movements_of_money_are_recorded",
        "INSERT INTO sandbox_ledgerentry (public_id, balance_id, business_id, environment, type,"
        " amount, currency, from_account, to_account, total_after, source, created_at)"
        " SELECT 'txn_x', balance_id, business_id, environment, 'deposit', 1, currency,"
        " 'external', 'available', 0, source, now() FROM sandbox_ledgerentry LIMIT 1",
    ),
}


def test_nothing_of_it_changes_without_its_entry():
    business = factories.a_pack(PackStatus.EXECUTED).business
    factories.settle()
    owner, manager = factories.owner_of(business), factories.one_of_staff(Role.ACCOUNT_MANAGER)
    grant = Grant.objects.get(business=business, environment=Environment.SANDBOX)
    with_their_entries(business, owner, manager, grant)
    world.a_key(grant, by=owner)
    webhooks.an_endpoint(business)
    domains.add(business, "shop.example.com", by=owner)
    checkouts.a_paid_session(business)
    listed.an_entry(listed.a_version(), "Gorvan Listed")
    listed.a_version()
    factories.a_business()
    factories.a_person()

    let_through = {
        what: found
        for what, (rule, statement) in ATTACKS.items()
        if (found := refused_by(statement)) != rule
    }
    assert let_through == {}
