"""The database enforces immutable data, with triggers that match the models' constraints."""

from django.apps import apps
from django.db import DatabaseError, connection, transaction

from agreements.lifecycle import PackStatus
from agreements.models import Document, Pack, Receipt, Revision
from api.checkout import domains
from api.checkout.models import CheckoutSettings
from api.payments import currencies, quotes
from apikeys.lifecycle import Environment
from apikeys.models import Grant, NetworkRequest
from console.accounts import email_changes, members
from console.accounts.actors import SYSTEM
from console.accounts.models import Business, Passkey, ProviderAccount, RecoveryCode, User
from console.accounts.roles import Role
from console.audit import log as audit
from console.core import clock
from console.core.frozen import (
    FUNCTION,
    KEPT_WHILE_FUNCTION,
    SET_ONCE_FUNCTION,
    KeptWhile,
    NeverChanges,
    SetOnce,
)
from console.core.money import Money
from console.core.sql_constraint import columns as columns_of
from onboarding.intake import information_replies
from onboarding.models import Application, Check
from tests import factories
from tests.api import checkouts
from tests.apikeys import world as api_world
from tests.apikeys.going_live import world as going_live
from tests.guards.tree import PACKAGES
from tests.onboarding.evidence import clamd
from tests.onboarding.information.asking import a_request
from tests.onboarding.screening import listed

MODELS = [one for one in apps.get_models() if one.__module__.split(".")[0] in PACKAGES]
FROZEN = [
    (model, constraint)
    for model in MODELS
    for constraint in model._meta.constraints
    if isinstance(constraint, NeverChanges | SetOnce | KeptWhile)
]


def definition(model, name):
    """Return the definition of the trigger with that name, or "" if it is disabled."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgname = %s"
            " AND tgrelid = %s::regclass AND tgenabled = 'O'",
            [name, model._meta.db_table],
        )
        return "".join(row for (row,) in cursor.fetchall()).replace("public.", "")


def expected(model, constraint):
    """Return the trigger definition that the model's constraint should produce."""
    table, name = model._meta.db_table, constraint.name
    if isinstance(constraint, NeverChanges):
        what, call = "DELETE OR UPDATE", f"{FUNCTION}('{name}')"
    else:
        columns = columns_of(model, constraint.fields)
        # PostgreSQL quotes reserved words.
        named = ", ".join(f'"{one}"' if one == "order" else one for one in columns)
        what = f"UPDATE OF {named}"
        if isinstance(constraint, SetOnce):
            what = what if constraint.deletable else f"DELETE OR {what}"
            function, last = SET_ONCE_FUNCTION, constraint.anew
        else:
            function, last = KEPT_WHILE_FUNCTION, " ".join(constraint.statuses)
        call = f"{function}('{name}', '{' '.join(columns)}', '{last}')"
    return f"CREATE TRIGGER {name} BEFORE {what} ON {table} FOR EACH ROW EXECUTE FUNCTION {call}"


def test_the_database_has_the_triggers_of_the_models():
    for model, constraint in FROZEN:
        assert definition(model, constraint.name) == expected(model, constraint)


# Protected by its own trigger: see tests/publishing/test_history.py.
OWN_TRIGGER = {"publishing.Publication"}


def fingerprints_that_may_change(models):
    """Return every SHA-256 column that no constraint protects."""
    found = []
    for model in models:
        constraints = model._meta.constraints
        never = any(isinstance(one, NeverChanges) for one in constraints)
        if never or model._meta.label in OWN_TRIGGER:
            continue
        kept = {name for one in constraints if isinstance(one, SetOnce) for name in one.fields}
        names = {field.name for field in model._meta.fields if field.name.endswith("sha256")}
        found += [f"{model._meta.label}.{name}" for name in sorted(names - kept)]
    return found


def test_every_fingerprint_is_kept():
    assert len(FROZEN) > 8
    assert fingerprints_that_may_change(MODELS) == []


# Audit entries are protected by their hash chain, and the site's role cannot change them.
HELD_OTHERWISE = {"audit.Entry": "tests/core/test_roles.py", "events.Event": "a queue"}


def keys_that_may_change(models):
    """Return every referenced table whose primary key no constraint protects."""
    fields = [field for model in apps.get_models() for field in model._meta.local_fields]
    found = []
    for model in {field.related_model for field in fields if field.remote_field} & set(models):
        kept = any(
            isinstance(one, NeverChanges)
            or (isinstance(one, SetOnce) and model._meta.pk.name in one.fields)
            for one in model._meta.constraints
        )
        found += [] if kept else [model._meta.label]
    return set(found)


def test_a_row_that_others_point_at_keeps_its_key():
    assert keys_that_may_change(MODELS) == HELD_OTHERWISE.keys()


# In SQL, as the site's role

CHANGES = [
    (model._meta, column)
    for model, constraint in FROZEN
    if isinstance(constraint, SetOnce | KeptWhile)
    # test_site_role.py tries some of the many tables of the API, which share one function.
    and not constraint.name.endswith("_keeps_what_it_says")
    for column in columns_of(model, constraint.fields)
]
OTHER = {
    "CharField": "'0'",
    "TextField": "'0'",
    "DateTimeField": "now()",
    "JSONField": "'[1]'",
    "ArrayField": "'{}'",
    "BinaryField": "'0'",
    "BooleanField": "false",
}


def said_to(statement):
    """Execute a statement; return its error, or "" if it succeeded."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    except DatabaseError as error:
        return str(error)
    return ""


def recorded(status):
    """Write the entry about the pack's status that the database requires at commit."""
    audit.record("pack.changed", Pack.objects.get(), by=SYSTEM, after={"status": status})


def move(status):
    """Change the status of the pack in SQL, with its entry."""
    assert said_to(f"UPDATE agreements_pack SET status = '{status}'") == ""
    recorded(status)


@transaction.atomic
def with_their_entries(business, owner, manager, grant):
    """Add the rows that no verb above adds."""
    CheckoutSettings.objects.create(business=business)
    Passkey.objects.create(
        user=owner, name="Key", credential_id=b"1", public_key=b"1", sign_count=0,
        held_until=clock.now(),
    )  # fmt: skip
    now = clock.now()
    RecoveryCode.objects.create(user=owner, hashed="1", made_at=now, used_at=now)
    ProviderAccount.objects.create(user=owner, name="Ours", issuer="https://id", subject="1")
    asked = NetworkRequest.objects.create(
        grant=grant, network="10.0.0.0/8", reason="Ours.", requested_by=owner,
        requested_at=clock.now(),
    )  # fmt: skip
    asked.status, asked.decided_by, asked.decided_at = "granted", manager, clock.now()
    asked.save()
    for subject in (owner, asked):
        audit.record("test.added", subject, by=SYSTEM)


def _invite(business, *, by):
    """Add an invitation that is accepted, and one that is withdrawn."""
    new = factories.a_person()
    first, second = (
        members.invite(business, email=email, role=Role.DEVELOPER, by=by)
        for email in (new.email, "new@example.com")
    )
    members.accept(members.invitation_token(first), by=new)
    members.withdraw_invitation(second, by=by)


def in_every_table(business):
    """Add rows with every column set to the tables that an executed pack leaves empty."""
    manager = factories.one_of_staff(Role.ACCOUNT_MANAGER)
    currencies.opt_in(business, "cNGN", reason="Asked for.", by=manager)
    currencies.opt_out(business, "cNGN", reason="Given up.", by=manager)
    quote = quotes.price(business, "sandbox", Money.parse("1.00", "USD"), "NGN")
    quotes.use(quotes.create(quote, by=SYSTEM))
    factories.settle()
    going_live.go_live(business)
    going_live.lose_and_mend(business)
    going_live.waive_a_check(business)
    grant = Grant.objects.get(business=business, environment=Environment.SANDBOX)
    owner = factories.owner_of(business)
    api_world.a_key(grant, by=owner)
    _invite(business, by=owner)
    email_changes.ask(owner, "another@example.com", by=owner)
    change = owner.email_changes.get()
    email_changes.confirm(email_changes.confirmation_token(change), by=owner, keep_session="")
    checkouts.a_paid_session(business)
    listed.in_every_table()
    checks = Check.objects.filter(application__business=business, kind="screening")
    listed.a_refused_match(checks.in_order()[0])
    domains.add(business, "shop.example.com", by=owner)
    email_changes.object_to(email_changes.objection_token(change), by=SYSTEM)
    clamd.scan_every_kind(business, by=owner)
    request = a_request(Application.objects.of(business)[0])
    information_replies.close(request, by=SYSTEM)
    with_their_entries(business, owner, manager, grant)


def test_the_site_changes_and_removes_nothing_that_is_kept():
    pack = factories.a_pack(at=PackStatus.EXECUTED)
    in_every_table(pack.business)
    let_through = []
    for table, column in CHANGES:
        field = table.get_field(column)
        kind = getattr(field, "target_field", field).get_internal_type()
        value = OTHER.get(kind, f'"{column}" + 1')
        said = said_to(f'UPDATE {table.db_table} SET "{column}" = {value}')
        kept = f"{column} of {table.db_table} never changes"
        if kept not in said and "an_invitation_ends_one_way" not in said:
            let_through.append((table.db_table, column, said))
    for model in (Pack, Revision, Document, Receipt, Business, Application, Check):
        said = said_to(f"DELETE FROM {model._meta.db_table}")
        if "permission denied" not in said and "are kept" not in said:
            let_through.append((model._meta.db_table, "DELETE", said))
    assert len(CHANGES) > 30
    assert let_through == []
    for emptied in ("bundle_sha256 = ''", "executed_at = NULL", "signed_at = NULL"):
        assert "never changes" in said_to(f"UPDATE agreements_pack SET {emptied}")


def test_a_key_of_zero_is_kept_as_well():
    person = factories.a_person()
    named = "public_id, email, name, password, is_active, joined_at, time_zone, unwanted_mail"
    said_to(
        f"INSERT INTO accounts_user (id, {named}) SELECT 0, public_id || '0', email || '0', name,"
        " password, is_active, joined_at, time_zone, unwanted_mail FROM accounts_user"
        f" WHERE id = {person.pk}"
    )
    assert User.objects.filter(pk=0).exists()
    assert "id of" in said_to("UPDATE accounts_user SET id = -1 WHERE id = 0")


def test_until_it_is_signed_a_tier_begins_anew_and_an_acceptance_is_taken_back():
    application = factories.a_pack(at=PackStatus.READY_TO_SIGN).application
    assert "tier of" in said_to("UPDATE agreements_pack SET tier = 'HIGH'")
    assert said_to("DELETE FROM agreements_receipt") == ""
    move("stale")
    anew = "UPDATE agreements_pack SET status = 'generating', tier = 'HIGH'"
    assert "a pack has the tier of its case" in said_to(anew)
    high = application.assessment
    high.pk, high.public_id, high.number, high.tier = None, "asm_high", 99, "HIGH"
    high.save(force_insert=True)
    after = {"tier": "HIGH", "score_x100": high.score_x100}
    audit.record("test.assessed", application, by=SYSTEM, after=after)
    Application.objects.filter(pk=application.pk).update(assessment=high)
    assert said_to(anew) == ""
    recorded("generating")
    assert "tier of" in said_to("UPDATE agreements_pack SET tier = 'LOW'")


def test_what_was_signed_is_kept_until_the_pack_begins_anew():
    factories.a_pack(at=PackStatus.APPROVED)
    for status in ("approved", "stale"):
        for column in ("signed_at", "approved_at"):
            change = f"{column} = NULL, status = '{status}'"
            assert f"{column} of" in said_to(f"UPDATE agreements_pack SET {change}")
    move("stale")
    move("generating")
    assert said_to("UPDATE agreements_pack SET signed_at = NULL, approved_at = NULL") == ""
