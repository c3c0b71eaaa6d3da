"""Signing in with a password and, if set up, a second factor; and signing out.

These functions take the request, because they change its session. They also write the audit log.
"""

import base64
from datetime import datetime, timedelta

import django_otp
from django.contrib import auth
from django.db import transaction
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

from console.accounts import (
    factors,
    limits,
    provider_accounts,
    recipients,
    sign_in_limits,
    signup,
    stepup,
    throttle,
)
from console.accounts.models import User
from console.accounts.session_store import SessionStore
from console.audit import log as audit
from console.core import addresses, clock, text, vault

_PENDING = "signing_in"
_PENDING_MINUTES = 10
_TO = "signing_in.to"
# How long the browser that signed up may confirm the address without the password.
_SAME_BROWSER = timedelta(hours=1)
_SIGNED_UP = "signed_up"
_MAILED = "mailed"


def check_password(request: HttpRequest, email: str, password: str) -> User | None:
    """Return the user with this address and password. Failures are counted and can lock."""
    email, network = email.strip().lower(), addresses.network(request)
    throttle.take("sign-in", network, limits.SIGN_IN_PER_ADDRESS)
    # Check the lock first, so attempts from a locked address do not count towards other limits.
    sign_in_limits.refuse_locked(email, network)
    sign_in_limits.count(sign_in_limits.PASSWORD, email)
    found = auth.authenticate(request, username=email, password=password)
    if not isinstance(found, User):
        sign_in_limits.note_wrong(sign_in_limits.PASSWORD, email)
        sign_in_limits.count_wrong_password(email, network)
        return None
    sign_in_limits.forget(sign_in_limits.PASSWORD, email)
    sign_in_limits.forget_wrong_passwords(email, network)
    return found


def go_on(request: HttpRequest, person: User, *, to: str = "") -> str:
    """Return the next step after the right password: `confirm`, `code` or `in`."""
    if person.email_confirmed_at is None:
        recipients.count_public(person.email)
        signup.send_confirmation(person)
        note_mailed(request, person.email)
        return "confirm"
    if factors.has_second_factor(person):
        with transaction.atomic():
            audit.record("person.gave_password", person, by=person)
        request.session[_PENDING] = {
            "person": person.public_id,
            "password": person.get_session_auth_hash(),
            "at": clock.now().isoformat(),
            "to": sealed_way(to),
        }
        return "code"
    enter(request, person, by="password")
    return "in"


def pending(request: HttpRequest) -> tuple[User, str] | None:
    """Return who gave the right password in the last ten minutes, and their destination."""
    waiting = request.session.get(_PENDING)
    if not waiting:
        return None
    age = clock.now() - datetime.fromisoformat(waiting["at"])
    person = User.objects.filter(public_id=waiting["person"], is_active=True).first()
    if person is None or age > timedelta(minutes=_PENDING_MINUTES) or _is_old(waiting, person):
        del request.session[_PENDING]
        return None
    return person, opened_way(waiting["to"])


def sealed_way(to: str) -> str:
    """Return a destination for the session, sealed because an invitation's URL has its token."""
    return base64.b64encode(vault.seal(to.encode(), _TO)).decode()


def opened_way(sealed: str) -> str:
    """Return the destination, or "" for the home page if it cannot be decrypted."""
    try:
        return vault.open_(base64.b64decode(sealed), _TO).decode()
    except (ValueError, vault.VaultBroken):
        return ""


def _is_old(waiting: dict[str, str], person: User) -> bool:
    """Tell whether the password was changed since it was entered or chosen."""
    return not constant_time_compare(waiting["password"], person.get_session_auth_hash())


def check_code(request: HttpRequest, code: str) -> bool:
    """Complete a pending sign-in with a one-time code or a recovery code."""
    waiting = pending(request)
    if waiting is None:
        return False
    person = waiting[0]
    proof = prove(person, code)
    if proof:
        request.session.pop(_PENDING, None)
        enter(request, person, by=proof)
    return bool(proof)


def prove(person: User, typed: str) -> str:
    """Return how a code authenticates the user, or "". Attempts are counted over all sessions."""
    sign_in_limits.count(sign_in_limits.CODE, person.email)
    proof = factors.prove(person, typed)
    if proof:
        sign_in_limits.forget(sign_in_limits.CODE, person.email)
    else:
        sign_in_limits.note_wrong(sign_in_limits.CODE, person.email)
    return proof


def enter(
    request: HttpRequest, person: User, *, by: str, factor: factors.UsedFactor | None = None
) -> None:
    """Start a session with a new key, discarding the contents of the anonymous session."""
    if by != "provider" and provider_accounts.must_use_provider(person):
        raise provider_accounts.other_way_refused()
    if by != "password" and (factor := factor or factors.second_factor_of(person)):
        person.otp_device = factor  # type: ignore[attr-defined]  # django-otp keeps it in the session
    request.session.flush()
    backend = "django.contrib.auth.backends.ModelBackend"
    auth.login(request, person, backend=backend)
    recipients.forget_reset(person.email)  # signing in has invalidated the link that was sent
    request.session["ip"] = addresses.client_ip(request)
    agent = text.keepable(request.headers.get("User-Agent", ""))
    request.session["agent"] = agent[:300]
    now = clock.now().isoformat()
    request.session["began_at"] = request.session["seen_at"] = now
    if by != "provider":  # which says itself when it asked for the proof
        stepup.stamp(request, by=by)
    with transaction.atomic():
        audit.record("person.signed_in", person, by=person, proof=by)


def confirm_again(request: HttpRequest, person: User, typed: str) -> bool:
    """Re-authenticate the user: by code if they have a second factor, else by password."""
    if factors.has_second_factor(person):
        proof = prove(person, typed)
    else:
        proof = "password" if check_password(request, person.email, typed) else ""
    if proof:
        note_confirmed(request, person, by=proof)
    return bool(proof)


def note_confirmed(
    request: HttpRequest, person: User, *, by: str, factor: factors.UsedFactor | None = None
) -> None:
    """Record that the user of this session proved their identity again."""
    if by != "password":
        django_otp.login(request, factor or factors.second_factor_of(person))
    stepup.stamp(request, by=by)
    with transaction.atomic():
        audit.record("person.confirmed_it_is_them", person, by=person, proof=by)


def note_sign_up(request: HttpRequest, person: User | None) -> None:
    """Remember in the session whom this browser signed up; None, if the address was known.

    Both cases set a cookie, so that it tells nobody which addresses are known.
    """
    request.session[_SIGNED_UP] = {
        "person": person.public_id if person else "",
        "password": person.get_session_auth_hash() if person else "",
        "at": clock.now().isoformat(),
    }


def note_mailed(request: HttpRequest, email: str) -> None:
    """Remember in the session which address, as it was typed, waits for its confirmation."""
    request.session[_MAILED] = email.strip().lower()


def mailed_to(request: HttpRequest) -> str:
    """Return the address that this browser waits to confirm, or ""."""
    return str(request.session.get(_MAILED, ""))


def has_just_signed_up(request: HttpRequest, person: User) -> bool:
    """Tell whether this browser created the account within the last hour, to confirm it now."""
    made = request.session.get(_SIGNED_UP)
    if made is None or person.email_confirmed_at:
        return False
    age = clock.now() - datetime.fromisoformat(made["at"])
    is_theirs = made["person"] == person.public_id and not _is_old(made, person)
    return is_theirs and age <= _SAME_BROWSER


def adopt(request: HttpRequest, factor: factors.UsedFactor, *, by: str) -> None:
    """Mark this session as verified by a factor that was just added in it.

    Only after a password, which the user's first factor replaces, does that confirm who they are.
    """
    django_otp.login(request, factor)
    if stepup.method(request) == "password":
        stepup.stamp(request, by=by)


def stored_key(request: HttpRequest) -> str:
    """Return the key under which this session is stored."""
    return SessionStore.digest(request.session.session_key or "")


def leave(request: HttpRequest) -> None:
    """End this session."""
    if isinstance(request.user, User):
        with transaction.atomic():
            audit.record("person.signed_out", request.user, by=request.user)
    auth.logout(request)
