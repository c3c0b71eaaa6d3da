"""Create sub-accounts, and change their status."""

from datetime import timedelta

from django.db import models, transaction

from api.payments import scoping
from api.payments.lifecycle import ENDED_SUB_ACCOUNT, SUB_ACCOUNT_LIFECYCLE, SubAccountStatus
from api.payments.models import SubAccount
from console.accounts.actors import SYSTEM, Actor
from console.accounts.models import Business
from console.core import clock

# How long an invitation is valid.
INVITED_FOR = timedelta(days=14)


@transaction.atomic
def create(business: Business, environment: str, email: str, *, by: Actor) -> SubAccount:
    """Return the open sub-account of an e-mail address, or create a pending one."""
    own = SubAccount.objects.filter(business=business, environment=environment, email__iexact=email)
    _close_expired(own)
    account, is_new = own.exclude(status__in=ENDED_SUB_ACCOUNT).get_or_create(
        defaults={
            "business": business,
            "environment": environment,
            "email": email,
            "created_at": clock.now(),
        }
    )
    if is_new:
        scoping.announce(account, "sub_account.created", by=by)
    return account


@transaction.atomic
def activate(account: SubAccount, *, by: Actor) -> SubAccount:
    """Activate a pending account: its holder has accepted and passed the checks."""
    return _move(account, SubAccountStatus.ACTIVE, by=by, since=SubAccountStatus.PENDING)


@transaction.atomic
def reject(account: SubAccount, *, by: Actor) -> SubAccount:
    """Reject a pending account whose holder failed the checks."""
    return _move(account, SubAccountStatus.REJECTED, by=by)


@transaction.atomic
def suspend(account: SubAccount, *, by: Actor) -> SubAccount:
    """Suspend an active account temporarily."""
    return _move(account, SubAccountStatus.SUSPENDED, by=by)


@transaction.atomic
def lift(account: SubAccount, *, by: Actor) -> SubAccount:
    """Lift a suspension."""
    since, to = SubAccountStatus.SUSPENDED, SubAccountStatus.ACTIVE
    return _move(account, to, act="sub_account.lifted", by=by, since=since)


@transaction.atomic
def close(account: SubAccount, *, by: Actor) -> SubAccount:
    """Close an account permanently."""
    return _move(account, SubAccountStatus.CLOSED, by=by)


def close_expired() -> None:
    """Close accounts whose invitation was not accepted in time."""
    _close_expired(SubAccount.objects.all())


def _close_expired(rows: "models.QuerySet[SubAccount, SubAccount]") -> None:
    due = rows.filter(status=SubAccountStatus.PENDING, created_at__lte=clock.now() - INVITED_FOR)
    for account in due.order_by("pk").iterator():
        _expire(account)


@transaction.atomic
def _expire(account: SubAccount) -> None:
    """Close an account, unless its status has changed meanwhile."""
    if scoping.locked(account).status == SubAccountStatus.PENDING:
        _move(account, SubAccountStatus.CLOSED, act="sub_account.not_accepted", by=SYSTEM)


def _move(
    account: SubAccount,
    to: SubAccountStatus,
    *,
    act: str = "",
    by: Actor,
    since: str = "",
) -> SubAccount:
    """Change the status and publish the event. `since` restricts the starting status."""
    account = scoping.locked(account)
    scoping.require(account, SUB_ACCOUNT_LIFECYCLE, to, since=since)
    account.status = to
    account.save(update_fields=["status"])
    scoping.announce(account, f"sub_account.{to}", act=act, by=by)
    return account
