"""What somebody with the site's database role alone tries, each in a transaction of its own."""

import pytest
from django.db import transaction

from agreements.lifecycle import PackStatus
from api.checkout import domains
from apikeys.lifecycle import Environment
from apikeys.models import Grant
from console.accounts import members
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.audit import log as audit
from onboarding.models import Application, Assessment
from tests import factories
from tests.api import checkouts
from tests.apikeys import world
from tests.apikeys.webhooks import world as webhooks
from tests.databases import NO_PRIVILEGE, refused_by
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
    "no app": ("authenticators_are_recorded", "DELETE FROM accounts_authenticator"),
    "no passkey": ("passkeys_are_recorded", "DELETE FROM accounts_passkey"),
    "no account for signing on": (
        "provider_accounts_are_recorded",
        "DELETE FROM accounts_provideraccount",
    ),
    "no recovery codes": ("recovery_codes_are_recorded", "DELETE FROM accounts_recoverycode"),
    "an invitation to oneself": (
        "invitations_are_recorded",
        "INSERT INTO accounts_invitation (public_id, business_id, email, role, name, invited_by_id,"
        " invited_at, expires_at) SELECT 'inv_x', business_id, 'me@example.com', role, '', user_id,"
        " now(), now() + interval '9 days' FROM accounts_membership WHERE role = 'owner' LIMIT 1",
    ),
    "an invitation that had expired": (
        "invitations_are_recorded",
        "UPDATE accounts_invitation SET expires_at = now() + interval '9 days'",
    ),
    "another password": (
        "changes_of_people_are_recorded",
        "UPDATE accounts_user SET password = 'x'",
    ),
    "a person who was switched off": (
        "changes_of_people_are_recorded",
        "UPDATE accounts_user SET is_active = NOT is_active",
    ),
    "a confirmed address": (
        "changes_of_people_are_recorded",
        "UPDATE accounts_user SET email_confirmed_at = now()",
    ),
    "a person": (
        "confirmed_people_are_recorded",
        "INSERT INTO accounts_user (public_id, email, name, password, is_active, joined_at,"
        " time_zone, unwanted_mail, email_confirmed_at) SELECT 'usr_x', 'me@example.com', name,"
        " password, is_active, joined_at, time_zone, '{}', now() FROM accounts_user LIMIT 1",
    ),
    "no person": (
        "confirmed_people_are_not_removed_unseen",
        f"DELETE FROM accounts_user WHERE id = {OTHER}",
    ),
    "a former address that objects": (
        "email_changes_are_recorded",
        "INSERT INTO accounts_emailchange (public_id, person_id, old_email, new_email, asked_at,"
        f" confirmed_at) SELECT 'emc_x', {OTHER}, 'me@example.com', 'x@example.com', now(), now()",
    ),
    "the name of a business": (
        "names_of_businesses_are_recorded",
        "UPDATE accounts_business SET name = 'x' || name",
    ),
    "migrations": (NO_PRIVILEGE, "DELETE FROM django_migrations"),
    "a submission": (
        "submissions_are_recorded",
        "INSERT INTO onboarding_submission (public_id, application_id, number, edition, body,"
        " submission_sha256, left_out, restricted_list, declaration, submitted_by_id, submitted_at)"
        " SELECT 'sub_x', application_id, 99, edition, body, submission_sha256, left_out,"
        " restricted_list, declaration, submitted_by_id, now() FROM onboarding_submission LIMIT 1",
    ),
    "a lower score": (
        "assessments_are_recorded",
        "INSERT INTO onboarding_assessment (public_id, application_id, submission_id, number,"
        " model_version, model_sha256, lists, facts, marks, factors, floors, knock_outs,"
        " score_x100, tier_by_score, tier, assessed_at) SELECT 'asm_x', application_id,"
        " submission_id, 99, model_version, model_sha256, lists, facts, marks, factors, floors,"
        " knock_outs, 0, 'LOW', 'LOW', now() FROM onboarding_assessment LIMIT 1",
    ),
    "a recovery code": (
        "recovery_codes_are_recorded",
        "INSERT INTO accounts_recoverycode (user_id, hashed)"
        " SELECT min(user_id), 'x' FROM accounts_authenticator",
    ),
    "another address": (
        "changes_of_people_are_recorded",
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
    "an endpoint that gets nothing": (
        "changes_of_endpoints_are_recorded",
        "UPDATE webhooks_webhookendpoint SET status = 'paused', paused_reason = 'merchant',"
        " paused_at = now()",
    ),
    "an endpoint that gets other events": (
        "changes_of_endpoints_are_recorded",
        "UPDATE webhooks_webhookendpoint SET enabled_events = '{transfer.failed}'",
    ),
    "a public event": (NO_PRIVILEGE, "UPDATE webhooks_publicevent SET body = 'x'"),
    "a public event, in its day": (
        NO_PRIVILEGE,
        "UPDATE webhooks_publicevent_default SET body = 'x'",
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
    "no domain": ("removed_domains_are_recorded", "DELETE FROM checkout_checkoutdomain"),
    "a currency": (
        "currencies_are_recorded",
        "INSERT INTO sandbox_currencyoptin (public_id, business_id, currency, opened_at)"
        " SELECT 'opt_x', max(id), 'cNGN', now() FROM accounts_business",
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
    "no deposit": (NO_PRIVILEGE, "DELETE FROM sandbox_deposit"),
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
    members.invite(business, email="new@example.com", role=Role.DEVELOPER, by=owner)
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


def test_an_application_keeps_its_newest_score():
    application = factories.a_reviewed_application()
    first = application.assessment
    newer = Assessment.objects.get(pk=first.pk)
    newer.pk, newer.public_id, newer.number, newer.tier = None, "asm_newer", 2, "HIGH"
    with transaction.atomic():
        newer.save(force_insert=True)
        Application.objects.filter(pk=application.pk).update(assessment=newer)
        after = {"tier": "HIGH", "score_x100": newer.score_x100}
        audit.record("application.assessed", application, by=SYSTEM, after=after)

    back = "UPDATE onboarding_application SET assessment_id = %s WHERE id = %s"
    assert refused_by(back, first.pk, application.pk) == "what_is_reviewed_is_the_newest"
