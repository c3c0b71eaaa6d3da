"""The second factor: set up an authenticator app, check its codes, and the recovery codes."""

import base64
import secrets
from datetime import datetime, timedelta
from urllib.parse import quote, urlencode

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from console.accounts import sessions
from console.accounts.models import Authenticator, RecoveryCode, User
from console.accounts.models.factor import PURPOSE
from console.audit import log as audit
from console.core import clock, vault
from console.core.refusals import AlreadyDone, Refused
from console.events import outbox as events

SEED_BYTES = 20
# Long enough to find an app; a seed that was shown does not wait for months.
SET_UP_WITHIN = timedelta(minutes=30)
# Time for its owner, who is told by e-mail, to come before a stolen recovery code countersigns.
HELD_AFTER_RECOVERY = timedelta(hours=24)
RECOVERY_CODES = 10
# Letters and digits that are not mistaken for one another.
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


class WrongCode(Refused):
    """The one-time code is not right, was used, or is too old."""


def authenticator_of(person: User) -> Authenticator | None:
    return person.authenticators.filter(confirmed=True).first()


def held_until(person: User) -> datetime | None:
    """Return until when this person's app may not countersign; None where it may."""
    app = authenticator_of(person)
    held = app.held_until if app else None
    return held if held and held > clock.now() else None


def has_authenticator(person: User) -> bool:
    """Tell whether this person set up an app, and confirmed it with a code."""
    return authenticator_of(person) is not None


@transaction.atomic
def begin_set_up(person: User, *, by: User) -> Authenticator:
    """Return an authenticator to set up, with a new seed to show; what was begun before ends.

    A seed that was shown in one session is never given to another: whoever saw it there would
    have the codes of the app that somebody else confirms.
    """
    Authenticator.objects.filter(user=person, confirmed=False).delete()
    sealed = vault.seal(secrets.token_bytes(SEED_BYTES), PURPOSE)
    made: Authenticator = Authenticator.objects.create(
        user=person, name="Authenticator app", confirmed=False, sealed_seed=sealed
    )
    audit.record("person.began_authenticator", person, by=by)
    return made


def being_set_up(person: User, public_id: str) -> Authenticator | None:
    """Return the authenticator that was begun under this id, for as long as that may take."""
    return _begun(person.authenticators.all(), public_id).first()


def _begun(rows: QuerySet[Authenticator], public_id: str) -> QuerySet[Authenticator]:
    since = clock.now() - SET_UP_WITHIN
    return rows.filter(public_id=public_id, confirmed=False, created_at__gt=since)


def seed_text(app: Authenticator) -> str:
    """Return the seed as people type it into an app."""
    return base64.b32encode(app.seed).decode().rstrip("=")


def seed_uri(app: Authenticator) -> str:
    """Return the `otpauth://` address that the QR code holds."""
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
    """Confirm the app begun under this id, in place of any older one; return the recovery codes.

    Every other session ends: it was begun without this app. `recovered` says that a recovery code
    led here; the app is held then, and so is the one that replaces it meanwhile.
    """
    User.objects.locked(person)  # nobody else makes codes for this person meanwhile
    waiting = _begun(_locked(person), public_id).first()
    if waiting is None or not waiting.verify_token(code.strip().replace(" ", "")):
        raise WrongCode(_("That code is not right. Enter the six digits that the app shows now."))
    held = clock.now() + HELD_AFTER_RECOVERY if recovered else held_until(person)
    person.authenticators.filter(confirmed=True).delete()
    waiting.confirmed, waiting.held_until = True, held
    waiting.save(update_fields=["confirmed", "held_until"])
    audit.record("person.set_up_authenticator", person, by=by)
    events.publish("person.set_up_authenticator", person)
    sessions.end_sessions(person, by=by, keep=keep_session)
    return _new_recovery_codes(person)


@transaction.atomic
def renew_recovery_codes(
    person: User, *, by: User, replaces: int | None = None, keep_session: str = ""
) -> list[str]:
    """Make new recovery codes; the old ones end, and every other session with them.

    `replaces` is what `newest_recovery_code` was when the page was opened: the same form sent
    twice makes one set.
    """
    User.objects.locked(person)  # nobody else makes codes for this person meanwhile
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
    return _new_recovery_codes(person)


def newest_recovery_code(person: User) -> int:
    """Return what tells one set of a person's codes from the next; 0 where they have none."""
    newest = person.recovery_codes.order_by("-pk").values_list("pk", flat=True).first()
    return newest or 0


def prove(person: User, code: str, *, only_code: bool = False) -> str:
    """Return how a code proves the person: `code`, `recovery`, or nothing."""
    typed = code.strip().replace(" ", "").replace("-", "").lower()
    if typed.isdigit() and len(typed) == 6:
        return "code" if check_code(person, typed) else ""
    if only_code:
        return ""
    return "recovery" if _spend_recovery_code(person, typed) else ""


@transaction.atomic
def check_code(person: User, code: str) -> bool:
    """Check a one-time code, once, however many ask at the same moment."""
    app = _locked(person).filter(confirmed=True).first()
    return app is not None and app.verify_token(code)


@transaction.atomic
def _spend_recovery_code(person: User, typed: str) -> bool:
    """Spend a recovery code; wrong ones slow down the authenticator's next try as well."""
    app = _locked(person).filter(confirmed=True).first()
    if app is None or not app.verify_is_allowed()[0]:
        return False
    rows = RecoveryCode.objects.select_for_update(no_key=True, of=("self",))
    for row in rows.filter(user=person, used_at=None).order_by("pk"):
        if constant_time_compare(_digest(person, typed), row.hashed):
            row.used_at = clock.now()
            row.save(update_fields=["used_at"])
            audit.record("person.used_recovery_code", person, by=person)
            events.publish("person.used_recovery_code", person)
            return True
    app.throttle_increment()
    return False


def _new_recovery_codes(person: User) -> list[str]:
    plain = ["".join(secrets.choice(_ALPHABET) for _ in range(16)) for _ in range(RECOVERY_CODES)]
    person.recovery_codes.all().delete()
    rows = [RecoveryCode(user=person, hashed=_digest(person, code)) for code in plain]
    RecoveryCode.objects.bulk_create(rows)
    return [f"{code[:4]}-{code[4:8]}-{code[8:12]}-{code[12:]}" for code in plain]


def _digest(person: User, code: str) -> str:
    """Digest a code under the site's key: 79 bits of chance need no slow hash."""
    return salted_hmac(f"recovery:{person.public_id}", code, algorithm="sha256").hexdigest()


def _locked(person: User) -> QuerySet[Authenticator]:
    rows: QuerySet[Authenticator] = Authenticator.objects.filter(user=person)
    return rows.select_for_update(no_key=True, of=("self",))
