"""Using a passkey in a session: to sign in, as second factor, and to confirm it is you.

Each challenge belongs to one session and one purpose, is valid for five minutes, and works once.
These functions take the request, because they change its session.
"""

import secrets
from datetime import datetime, timedelta

from django.http import HttpRequest

from console.accounts import limits, passkeys, signin, throttle
from console.accounts.models import User
from console.core import addresses, clock

SIGN_IN, CODE, CONFIRM, ADD = "sign_in", "code", "confirm", "add"
USES = (SIGN_IN, CODE, CONFIRM)
VALID_FOR = timedelta(minutes=5)
_KEY = "passkey_challenge"


def creation_options(request: HttpRequest, person: User) -> str:
    """Return the options to make a passkey, with a new challenge for this session."""
    return passkeys.creation_options(person, _issue(request, ADD))


def request_options(request: HttpRequest, purpose: str) -> str:
    """Return the options to use a passkey, with a new challenge for this session."""
    throttle.take("passkey", addresses.network(request), limits.SIGN_IN_PER_ADDRESS)
    return passkeys.request_options(_owner(request, purpose), _issue(request, purpose))


def challenge_to_add(request: HttpRequest) -> bytes | None:
    """Return this session's challenge for a new passkey, once; None if there is none."""
    return _take(request, ADD)


def use(request: HttpRequest, purpose: str) -> bool:
    """Sign in, or confirm it is you, with the passkey that was sent. Return False if it is wrong.

    For `CODE` it must belong to the user who gave the password, for `CONFIRM` to the session's.
    """
    owner, challenge = _owner(request, purpose), _take(request, purpose)
    if owner is None and purpose != SIGN_IN:
        return False
    passkey = passkeys.check(request.POST.get("credential", ""), challenge, owner=owner)
    if passkey is None:
        return False
    do = signin.note_confirmed if purpose == CONFIRM else signin.enter
    do(request, passkey.user, by="passkey", factor=passkey)
    return True


def _owner(request: HttpRequest, purpose: str) -> User | None:
    """Return whose passkey is asked for, or None if it is anybody's."""
    if purpose == CODE:
        waiting = signin.pending(request)
        return waiting[0] if waiting else None
    return request.user if purpose == CONFIRM and isinstance(request.user, User) else None


def _issue(request: HttpRequest, purpose: str) -> bytes:
    challenge = secrets.token_bytes(32)
    at = clock.now().isoformat()
    request.session[_KEY] = {"challenge": challenge.hex(), "purpose": purpose, "at": at}
    return challenge


def _take(request: HttpRequest, purpose: str) -> bytes | None:
    """Return the challenge and forget it; None if it is for something else, or too old."""
    kept = request.session.pop(_KEY, None)
    if not kept or kept["purpose"] != purpose:
        return None
    is_old = clock.now() - datetime.fromisoformat(kept["at"]) > VALID_FOR
    return None if is_old else bytes.fromhex(kept["challenge"])
