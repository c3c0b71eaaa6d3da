"""Limits on guessing for one account, over all addresses, with a daily warning to its owner.

Unknown accounts are treated the same: the same counts, writes and messages.
"""

from contextlib import suppress

from django.db import transaction
from django.utils.translation import gettext as _

from console.accounts import limits, throttle
from console.accounts.actors import SYSTEM
from console.accounts.limits import Rate
from console.accounts.models import User
from console.audit import log as audit
from console.core.refusals import TooMany
from console.events import outbox as events


class LockedOut(TooMany):
    """Too many wrong passwords for this account from this address."""

    code = "locked_out"
    template = "accounts/locked.html"
    minutes = limits.LOCK.seconds // 60

    def __init__(self, wait: int) -> None:
        super().__init__(_("Signing in is locked for a while."), retry_after=wait)


class PasswordsStopped(TooMany):
    """Too many passwords for this account from all addresses. A reset starts the count again."""

    code = "passwords_stopped"
    template = "accounts/locked.html"


PASSWORD, CODE = "password", "code"
_RATES: dict[str, Rate] = {
    PASSWORD: limits.PASSWORDS_PER_ACCOUNT,
    CODE: limits.CODES_PER_ACCOUNT,
}
_UNTOLD: dict[str, Rate] = {
    PASSWORD: limits.WRONG_PASSWORDS_UNTOLD,
    CODE: limits.WRONG_CODES_UNTOLD,
}


def count(what: str, email: str) -> None:
    """Count one attempt at an account's password or code, or raise TooMany."""
    try:
        throttle.take_for(f"account-{what}", email, _RATES[what])
    except TooMany as refusal:
        _tell_owner(what, email)
        if what == PASSWORD:
            raise PasswordsStopped(str(refusal), retry_after=refusal.retry_after) from None
        raise


def note_wrong(what: str, email: str) -> None:
    """Count a wrong attempt, and warn the owner if there were too many in a day, however slow.

    Nothing resets this count: an owner who signs in every morning must be warned too.
    """
    try:
        throttle.take_for(f"wrong-{what}-untold", email, _UNTOLD[what])
    except TooMany:
        _tell_owner(what, email)


def refuse_locked(email: str, network: str) -> None:
    """Raise LockedOut while an account is locked for an address."""
    if wait := throttle.wait_for("locked", f"{email} {network}", limits.LOCK):
        raise LockedOut(wait)


def count_wrong_password(email: str, network: str) -> None:
    """Count a wrong password for an account from an address; the tenth locks the pair."""
    pair = f"{email} {network}"
    try:
        throttle.take_for("wrong-password", pair, limits.WRONG_PASSWORDS)
    except TooMany:
        throttle.forget("wrong-password", pair)
        with suppress(TooMany):  # a concurrent attempt has already locked the pair
            throttle.take_for("locked", pair, limits.LOCK)
        raise LockedOut(limits.LOCK.seconds) from None


def forget_wrong_passwords(email: str, network: str) -> None:
    """Reset the count after a successful sign-in."""
    throttle.forget("wrong-password", f"{email} {network}")


def unlock(email: str, network: str) -> None:
    """Allow passwords again for an account from an address, after a reset."""
    forget_wrong_passwords(email, network)
    throttle.forget("locked", f"{email} {network}")


def forget(what: str, email: str) -> None:
    """Reset the count after a success."""
    throttle.forget(f"account-{what}", email)


def _tell_owner(what: str, email: str) -> None:
    """Warn the owner, at most once a day."""
    with suppress(TooMany):
        throttle.take_for(f"warned-{what}", email, limits.WARNINGS_PER_ACCOUNT)
        _warn("person.code_guessed" if what == CODE else "person.password_guessed", email)


@transaction.atomic
def _warn(code: str, email: str) -> None:
    person = User.objects.filter(email=email, is_active=True).first() or User()
    audit.record(code, person, by=SYSTEM)
    events.publish(code, person)
