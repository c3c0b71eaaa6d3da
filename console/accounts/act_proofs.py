"""Proof of one act: a signature, approval or countersignature, by passkey or one-time code.

A passkey signs the hash of the statement of the act, so its answer proves what its owner agreed to.
A code, or the company account of our staff, proves only to us that they were there.
These functions take the request, because they change its session.
"""

import hashlib
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TypeVar

from django import forms
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.accounts import (
    factors,
    limits,
    page_access,
    passkeys,
    sign_in_limits,
    signin,
    stepup,
    throttle,
)
from console.accounts.factors import UsedFactor
from console.accounts.forms import CodeField
from console.accounts.http import ConsoleRequest
from console.accounts.models import Session, User
from console.core import addresses, clock, digests, text
from console.core.page_policies import PagePolicy

T = TypeVar("T")

ACT = "console.act.v1"
VALID_FOR = timedelta(minutes=5)
# Pages open at once, each with an act of its own.
_MOST_OPEN = 5
_OPEN = "open_acts"
# Query parameter with which a page asks for the options of a passkey.
ASKED = "passkey"


@dataclass(frozen=True)
class Act:
    """What somebody agrees to: `subject` by its `sha256`, as `role`, on `terms_sha256` if any."""

    act: str
    subject: str
    sha256: str
    role: str = ""
    terms_sha256: str = ""

    def statement(self, person: User, asked: Mapping[str, str]) -> bytes:
        """Return the canonical JSON whose SHA-256 is the challenge for a passkey."""
        return digests.canonical(ACT, {**vars(self), "person": person.public_id, **asked})


@dataclass(frozen=True)
class Proof:
    """How a person proved an act: the method and the session, and from where.

    `assertion` is what their passkey signed and with which key, in hexadecimal digits.
    """

    method: str
    session: str
    address: str = ""
    device: str = ""
    factor: UsedFactor | None = None
    assertion: Mapping[str, str] = field(default_factory=dict)

    def said(self) -> dict[str, object]:
        """Return what the file of the act says of its proof."""
        said: dict[str, object] = {
            "method": self.method,
            "session": self.session,
            "address": self.address,
            "device": self.device,
        }
        return said | ({"assertion": dict(self.assertion)} if self.assertion else {})


class ProofForm(forms.Form):
    """A one-time code, or the answer of a passkey."""

    code = CodeField(
        label=gettext_lazy("One-time code"),
        help_text=gettext_lazy(
            "The six digits that your authenticator app shows now. Each code works once."
        ),
        max_length=40,
        required=False,
    )
    code.widget.attrs |= {
        "autocomplete": "one-time-code",
        "inputmode": "numeric",
        "spellcheck": "false",
        "data-code": "",
    }
    credential = forms.CharField(required=False, max_length=20_000, widget=forms.HiddenInput)


def ways_of(request: ConsoleRequest) -> dict[str, bool]:
    """Return how this user can prove an act here, for the page that asks."""
    by_provider = stepup.by_provider(request)
    return {
        "has_app": not by_provider and factors.authenticator_of(request.user) is not None,
        "has_passkey": request.user.passkeys.exists(),
        "by_provider": by_provider,
        "provider_confirmed": by_provider and _has_confirmed_there(request),
    }


def options(request: ConsoleRequest, act: Act) -> HttpResponse:
    """Return the options with which the browser signs this act with a passkey, as JSON."""
    throttle.take("passkey", addresses.network(request), limits.SIGN_IN_PER_ADDRESS)
    asked = {
        "nonce": secrets.token_hex(32),
        "origin": passkeys.origin(),
        "asked_at": clock.iso(clock.now()),
    }
    request.session[_OPEN] = [*_open(request), asked][-_MOST_OPEN:]
    said = passkeys.request_options(request.user, _challenge(act, request.user, asked))
    return HttpResponse(said, content_type="application/json")


def provider_first(request: ConsoleRequest) -> HttpResponseBase | None:
    """Lead to the provider, and from there to the act, if this session confirms there."""
    is_needed = stepup.by_provider(request) and not _has_confirmed_there(request)
    if not is_needed or request.POST.get("credential"):
        return None
    return page_access.confirm_first(request, PagePolicy("person", ("POST",)))


def perform(
    request: ConsoleRequest, form: ProofForm, act: Act, do: Callable[[Proof], T]
) -> T | None:
    """Check the proof and do the act, in one transaction. Return None, with an error, without one.

    If `do` refuses, the code can be used again.
    """
    if not form.is_valid():
        return None
    if not form.cleaned_data["credential"]:
        sign_in_limits.count(sign_in_limits.CODE, request.user.email)
    with transaction.atomic():
        proof = _proof(request, form, act)
        return do(_placed(request, proof)) if proof else None


def _proof(request: ConsoleRequest, form: ProofForm, act: Act) -> Proof | None:
    person, code = request.user, form.cleaned_data["code"]
    if credential := form.cleaned_data["credential"]:
        return _by_passkey(request, form, act, credential)
    if stepup.by_provider(request):
        return _by_provider(request, form)
    if not code:
        form.add_error("code", _("Enter the code, or use a passkey"))
        return None
    app = factors.authenticator_of(person)
    if app is None or not factors.check_code(person, code):
        sign_in_limits.note_wrong(sign_in_limits.CODE, person.email)
        form.add_error(
            "code",
            _(
                "That code did not work. Enter the six digits that your app shows now. If you have "
                "already used them, wait for the next ones."
            ),
        )
        return None
    sign_in_limits.forget(sign_in_limits.CODE, person.email)
    return Proof("code", "", factor=app)


def _by_passkey(
    request: ConsoleRequest, form: ProofForm, act: Act, credential: str
) -> Proof | None:
    person, signed = request.user, passkeys.challenge_in(credential)
    asked = next((x for x in _open(request) if _challenge(act, person, x) == signed), None)
    if asked is None:
        said = _(
            "Your passkey answered a question that is older than 5 minutes, was used already, or "
            "is about something else. Press the button again."
        )
        form.add_error(None, said)
        return None
    request.session[_OPEN] = [one for one in _open(request) if one != asked]
    passkey = passkeys.check(credential, signed, owner=person)
    if passkey is None:
        form.add_error(None, _("We could not check that passkey. Try again, or use another way."))
        return None
    return Proof(
        "passkey", "", factor=passkey, assertion=asked | passkeys.assertion(credential, passkey)
    )


def _by_provider(request: ConsoleRequest, form: ProofForm) -> Proof | None:
    """Accept a confirmation at the provider for one act."""
    if not _has_confirmed_there(request):
        form.add_error(None, _("Confirm it is you with your company account, then try again."))
        return None
    stepup.spend(request)
    return Proof("provider", "")


def _has_confirmed_there(request: HttpRequest) -> bool:
    is_fresh = stepup.is_fresh(request, stepup.SIGNING_MINUTES)
    return stepup.method(request) == "provider" and is_fresh


def _placed(request: ConsoleRequest, proof: Proof) -> Proof:
    session = Session.objects.filter(pk=signin.stored_key(request)).first()
    return replace(
        proof,
        session=session.public_id if session else "",
        address=addresses.client_ip(request),
        device=text.keepable(request.headers.get("User-Agent", ""))[:300],
    )


def _challenge(act: Act, person: User, asked: Mapping[str, str]) -> bytes:
    return hashlib.sha256(act.statement(person, asked)).digest()


def _open(request: HttpRequest) -> list[dict[str, str]]:
    """Return what this session was asked in the last five minutes and has not answered."""
    since = clock.now() - VALID_FOR
    kept: list[dict[str, str]] = request.session.get(_OPEN, [])
    return [one for one in kept if datetime.fromisoformat(one["asked_at"]) >= since]
