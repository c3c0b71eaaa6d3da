"""Two-factor authentication: authenticator set-up, one-time codes and recovery codes.

Passkeys, the other second factor, are in `console.accounts.passkeys`.
"""

import base64
import secrets
from datetime import datetime, timedelta
from urllib.parse import quote, urlencode

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils.crypto import constant_time_compare, get_random_string, salted_hmac
from django.utils.translation import gettext as _

from console.accounts import sessions
from console.accounts.actors import Actor
from console.accounts.models import Authenticator, Passkey, ProviderAccount, RecoveryCode, User
from console.accounts.models.factor import PURPOSE
from console.audit import log as audit
from console.core import clock, vault
from console.core.refusals import AlreadyDone, Refused
from console.events import outbox as events

SEED_BYTES = 20
# Enough time to find an app, while a seed that was shown does not stay valid for long.
SET_UP_WITHIN = timedelta(minutes=30)
# Gives the owner, who is notified by e-mail, time to react before somebody else's app or passkey
# can be used to countersign.
HELD_AFTER_ADDING = timedelta(hours=24)
RECOVERY_CODES = 10
# Letters and digits that cannot be confused with one another.
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


UsedFactor = Authenticator | Passkey | ProviderAccount


class WrongCode(Refused):
    """The one-time code is wrong, was already used, or is too old."""


def authenticator_of(person: User) -> Authenticator | None:
    return person.authenticators.filter(confirmed=True).first()


def second_factor_of(person: User) -> Authenticator | Passkey | None:
    """Return the user's authenticator app, or else a passkey, or None without either."""
    return authenticator_of(person) or person.passkeys.order_by("pk").first()


def has_second_factor(person: User) -> bool:
    """Tell whether this user has a confirmed authenticator app or a passkey."""
    return second_factor_of(person) is not None


def held_until(person: User, used: UsedFactor | None = None) -> datetime | None:
    """Return until when this user may not countersign with the factor they used, or None.

    Without `used`, until when none of their factors is free.
    """
    provider = ProviderAccount.objects.filter(user=person)
    counting = (
        [used]
        if used
        else [*person.authenticators.filter(confirmed=True), *person.passkeys.all(), *provider]
    )
    held = [one.held_until for one in counting]
    if not held or any(at is None or at <= clock.now() for at in held):
        return None
    return min(at for at in held if at)


@transaction.atomic
def begin_set_up(person: User, *, by: User) -> Authenticator:
    """Create an authenticator with a new seed, and delete any unfinished set-up.

    A seed is only ever shown to one session. Otherwise somebody who saw it in another session would
    have the codes of an app that its owner confirms later.
    """
    Authenticator.objects.filter(user=person, confirmed=False).delete()
    sealed = vault.seal(secrets.token_bytes(SEED_BYTES), PURPOSE)
    made: Authenticator = Authenticator.objects.create(
        user=person, name="Authenticator app", confirmed=False, sealed_seed=sealed
    )
    audit.record("person.began_authenticator", person, by=by)
    return made


def being_set_up(person: User, public_id: str) -> Authenticator | None:
    """Return the unfinished authenticator with this id, or None if it has expired."""
    return _begun(person.authenticators.all(), public_id).first()


def _begun(rows: QuerySet[Authenticator], public_id: str) -> QuerySet[Authenticator]:
    since = clock.now() - SET_UP_WITHIN
    return rows.filter(public_id=public_id, confirmed=False, created_at__gt=since)


def seed_text(app: Authenticator) -> str:
    """Return the seed as users type it into an app."""
    return base64.b32encode(app.seed).decode().rstrip("=")


def seed_uri(app: Authenticator) -> str:
    """Return the `otpauth://` URI for the QR code."""
    issuer = settings.OTP_TOTP_ISSUER
    label = quote(f"{issuer}:{app.user.email}")
    return f"otpauth://totp/{label}?{urlencode({'secret': seed_text(app), 'issuer': issuer})}"


@transaction.atomic
def finish_set_up(
    person: User,
    public_id: str,
    code: str,
    *,
    by: User,
    recovered: bool = False,
    keep_session: str = "",
) -> list[str]:
    """Confirm the unfinished app with this id, replacing any older one. Return the recovery codes.

    All other sessions end, because they began without this app. It may not countersign until
    `held_until` if the user has another second factor or a linked provider account, or if
    `recovered` (a recovery code was used to get here).
    """
    User.objects.locked(person)  # serialise changes to this user's codes
    waiting = _begun(_locked(person), public_id).first()
    if waiting is None or not waiting.verify_token(code.strip().replace(" ", "")):
        raise WrongCode(_("That code is not right. Enter the six digits that the app shows now."))
    is_linked = ProviderAccount.objects.filter(user=person).exists()
    is_held = recovered or is_linked or has_second_factor(person)
    held = clock.now() + HELD_AFTER_ADDING if is_held else None
    person.authenticators.filter(confirmed=True).delete()
    # `created_at` is from now on when it was confirmed, which `remove_new` compares.
    waiting.confirmed, waiting.held_until, waiting.created_at = True, held, clock.now()
    waiting.save(update_fields=["confirmed", "held_until", "created_at"])
    audit.record("person.set_up_authenticator", person, by=by)
    events.publish("person.set_up_authenticator", person)
    sessions.end_sessions(person, by=by, keep=keep_session)
    return new_recovery_codes(person)


def remove_new(person: User, *, since: datetime, by: Actor) -> None:
    """Remove each passkey, app and recovery code that a locked user got since the day before.

    Somebody else may have added it, or may be setting up an app, so that ends too. Without any
    second factor, recovery codes have no use, so they are deleted.
    """
    after = since - HELD_AFTER_ADDING
    person.authenticators.filter(confirmed=False).delete()
    for app in person.authenticators.filter(created_at__gt=after):
        app.delete()
        audit.record("person.removed_authenticator", person, by=by)
    for passkey in person.passkeys.filter(created_at__gt=after).order_by("pk"):
        delete_passkey(passkey, by=by)
    codes = person.recovery_codes.all()
    (codes.filter(made_at__gt=after) if has_second_factor(person) else codes).delete()


def delete_passkey(passkey: Passkey, *, by: Actor) -> None:
    """Delete a passkey of a locked user."""
    person, said = passkey.user, {"passkey": passkey.public_id, "name": passkey.name}
    passkey.delete()
    audit.record("person.removed_passkey", person, by=by, **said)
    events.publish("person.removed_passkey", person)


@transaction.atomic
def renew_recovery_codes(
    person: User, *, by: User, replaces: int | None = None, keep_session: str = ""
) -> list[str]:
    """Replace the recovery codes, and end all other sessions.

    `replaces` is the value of `newest_recovery_code` when the page was opened, so submitting the
    same form twice creates only one set.
    """
    User.objects.locked(person)  # serialise changes to this user's codes
    if replaces not in (None, newest_recovery_code(person)):
        raise AlreadyDone(
            _(
                "New recovery codes were created after you opened this page. If you did not save "
                "them, make new ones."
            )
        )
    audit.record("person.renewed_recovery_codes", person, by=by)
    events.publish("person.renewed_recovery_codes", person)
    sessions.end_sessions(person, by=by, keep=keep_session)
    return new_recovery_codes(person)


def newest_recovery_code(person: User) -> int:
    """Return a number that identifies a user's current set of codes, or 0 if they have none."""
    newest = person.recovery_codes.order_by("-pk").values_list("pk", flat=True).first()
    return newest or 0


def prove(person: User, code: str) -> str:
    """Return how a code authenticates the user: `code`, `recovery`, or "" if it does not."""
    typed = code.strip().replace(" ", "").replace("-", "").lower()
    if typed.isdigit() and len(typed) == 6:
        return "code" if check_code(person, typed) else ""
    return "recovery" if _spend_recovery_code(person, typed) else ""


@transaction.atomic
def check_code(person: User, code: str) -> bool:
    """Check a one-time code. It is accepted only once, even by concurrent requests."""
    app = _locked(person).filter(confirmed=True).first()
    return app is not None and app.verify_token(code)


@transaction.atomic
def _spend_recovery_code(person: User, typed: str) -> bool:
    """Use up a recovery code. Wrong codes also throttle the authenticator's next attempt."""
    app = _locked(person).filter(confirmed=True).first()
    if app is not None and not app.verify_is_allowed()[0]:
        return False
    rows = RecoveryCode.objects.select_for_update(no_key=True, of=("self",))
    for row in rows.filter(user=person, used_at=None).order_by("pk"):
        if constant_time_compare(_digest(person, typed), row.hashed):
            row.used_at = clock.now()
            row.save(update_fields=["used_at"])
            audit.record("person.used_recovery_code", person, by=person)
            events.publish("person.used_recovery_code", person)
            return True
    if app is not None:
        app.throttle_increment()
    return False


def new_recovery_codes(person: User) -> list[str]:
    """Replace the user's recovery codes, and return the new ones. Nothing is recorded."""
    plain = [get_random_string(16, _ALPHABET) for _code in range(RECOVERY_CODES)]
    person.recovery_codes.all().delete()
    now = clock.now()
    rows = [RecoveryCode(user=person, hashed=_digest(person, one), made_at=now) for one in plain]
    RecoveryCode.objects.bulk_create(rows)
    return [f"{code[:4]}-{code[4:8]}-{code[8:12]}-{code[12:]}" for code in plain]


def _digest(person: User, code: str) -> str:
    """Return a keyed digest of a code. With 79 bits of entropy, it needs no slow hash."""
    return salted_hmac(f"recovery:{person.public_id}", code, algorithm="sha256").hexdigest()


def _locked(person: User) -> QuerySet[Authenticator]:
    rows: QuerySet[Authenticator] = Authenticator.objects.filter(user=person)
    return rows.select_for_update(no_key=True, of=("self",))
