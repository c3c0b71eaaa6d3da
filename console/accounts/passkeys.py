"""Passkeys (WebAuthn): adding, checking and removing them.

Each use requires user verification, so a passkey is a second factor even without a password.
The origin and the relying party come from `BASE_URL`, so no other host of ours can use a passkey.
"""

import json
from urllib.parse import urlsplit

import webauthn
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _
from webauthn.helpers import (
    bytes_to_base64url,
    decode_credential_public_key,
    decoded_public_key_to_cryptography,
    exceptions,
    parse_authentication_credential_json,
    parse_client_data_json,
)
from webauthn.helpers.structs import (
    AuthenticationCredential,
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)
from webauthn.registration.verify_registration_response import VerifiedRegistration

from console.accounts import access, factors, sessions
from console.accounts.models import Passkey, User
from console.audit import log as audit
from console.core import clock
from console.core.digests import sha256_hex
from console.core.refusals import Refused
from console.events import outbox as events

_VERIFIED = UserVerificationRequirement.REQUIRED
_LONGEST_ID = 1023  # bytes (WebAuthn, 7.1, step 25)
# What the library raises for an answer that is malformed, or wrong.
_WRONG = (
    exceptions.WebAuthnException,
    UnsupportedAlgorithm,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    RecursionError,
)


class WrongPasskey(Refused):
    """The browser's answer is not a new passkey for this user and this session."""


class LastFactor(Refused):
    """Staff must keep a second factor."""

    code = "last_factor"


def origin() -> str:
    """Return the origin for which passkeys work here."""
    parts = urlsplit(settings.BASE_URL)
    return f"{parts.scheme}://{parts.netloc}"


def _relying_party() -> str:
    return urlsplit(settings.BASE_URL).hostname or ""


def creation_options(person: User, challenge: bytes) -> str:
    """Return the options with which a browser makes a passkey, as JSON."""
    options = webauthn.generate_registration_options(
        rp_id=_relying_party(),
        rp_name=settings.OTP_TOTP_ISSUER,
        user_id=person.public_id.encode(),
        user_name=person.email,
        user_display_name=person.name,
        challenge=challenge,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=_VERIFIED
        ),
        exclude_credentials=_descriptors(person),
    )
    return webauthn.options_to_json(options)


def request_options(person: User | None, challenge: bytes) -> str:
    """Return the options with which a browser uses a passkey of this user, or anybody's."""
    options = webauthn.generate_authentication_options(
        rp_id=_relying_party(),
        challenge=challenge,
        allow_credentials=_descriptors(person) if person else None,
        user_verification=_VERIFIED,
    )
    return webauthn.options_to_json(options)


def accepted_signal(person: User) -> str:
    """Return which passkeys of the user we accept, as JSON, so that their browser hides others.

    It is the argument of `PublicKeyCredential.signalAllAcceptedCredentials` (WebAuthn 3).
    """
    accepted = [bytes_to_base64url(one.id) for one in _descriptors(person)]
    user_id = bytes_to_base64url(person.public_id.encode())
    return json.dumps(
        {"rpId": _relying_party(), "userId": user_id, "allAcceptedCredentialIds": accepted}
    )


def unknown_signal(credential: str) -> str:
    """Return the ID of the passkey that was used, as JSON, if nobody has it; otherwise "".

    It is the argument of `PublicKeyCredential.signalUnknownCredential`.
    """
    try:
        used = parse_authentication_credential_json(credential).raw_id
    except _WRONG:
        return ""
    if not 0 < len(used) <= _LONGEST_ID or Passkey.objects.filter(credential_id=used).exists():
        return ""
    return json.dumps({"rpId": _relying_party(), "credentialId": bytes_to_base64url(used)})


def _descriptors(person: User) -> list[PublicKeyCredentialDescriptor]:
    rows = person.passkeys.order_by("pk").values_list("credential_id", flat=True)
    return [PublicKeyCredentialDescriptor(id=bytes(credential_id)) for credential_id in rows]


@transaction.atomic
def add(
    person: User,
    credential: str,
    challenge: bytes | None,
    *,
    name: str,
    by: User,
    keep_session: str = "",
) -> tuple[Passkey, list[str]]:
    """Add the passkey that a browser made. Return it, with recovery codes if there were none.

    All other sessions end, because they began without it.
    """
    User.objects.locked(person)  # serialise changes to this user's factors
    verified = _verified(credential, challenge)
    if Passkey.objects.filter(credential_id=verified.credential_id).exists():
        raise WrongPasskey(_("That passkey has already been added."))
    passkey = Passkey.objects.create(
        user=person,
        name=name,
        credential_id=verified.credential_id,
        public_key=verified.credential_public_key,
        sign_count=verified.sign_count,
        held_until=clock.now() + factors.HELD_AFTER_ADDING,
    )
    key_sha256 = sha256_hex(public_key(passkey))
    audit.record(
        "person.added_passkey", person, by=by,
        passkey=passkey.public_id, name=name, key_sha256=key_sha256,
    )  # fmt: skip
    events.publish("person.added_passkey", person)
    sessions.end_sessions(person, by=by, keep=keep_session)
    has_codes = person.recovery_codes.filter(used_at=None).exists()
    return passkey, [] if has_codes else factors.new_recovery_codes(person)


def _verified(credential: str, challenge: bytes | None) -> VerifiedRegistration:
    try:
        if challenge:
            verified = webauthn.verify_registration_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=_relying_party(),
                expected_origin=origin(),
                require_user_verification=True,
            )
            # Without an attestation, the library does not look at the key before it is used.
            key = decode_credential_public_key(verified.credential_public_key)
            decoded_public_key_to_cryptography(key)
            if len(verified.credential_id) <= _LONGEST_ID:
                return verified
    except _WRONG:
        pass
    raise WrongPasskey(_("We could not check the passkey of your browser. Try again."))


def challenge_in(credential: str) -> bytes:
    """Return the challenge that a browser's answer is for, unchecked; empty if unreadable."""
    try:
        used = parse_authentication_credential_json(credential)
        return parse_client_data_json(used.response.client_data_json).challenge
    except _WRONG:
        return b""


def assertion(credential: str, passkey: Passkey) -> dict[str, str]:
    """Return what a passkey signed in an answer that was checked, with its public key, in hex."""
    answer = parse_authentication_credential_json(credential).response
    parts = {
        "authenticator_data": answer.authenticator_data,
        "client_data": answer.client_data_json,
        "signature": answer.signature,
        "public_key": public_key(passkey),
    }
    return {"passkey": passkey.public_id} | {name: data.hex() for name, data in parts.items()}


def public_key(passkey: Passkey) -> bytes:
    """Return the public key as SubjectPublicKeyInfo in DER."""
    decoded = decode_credential_public_key(bytes(passkey.public_key))
    key = decoded_public_key_to_cryptography(decoded)
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


@transaction.atomic
def check(credential: str, challenge: bytes | None, *, owner: User | None) -> Passkey | None:
    """Return the passkey that signed the challenge, or None. With `owner`, it must be theirs."""
    if not challenge:
        return None
    try:
        used = parse_authentication_credential_json(credential)
        passkey = _locked(used, owner)
        if passkey is None:
            return None
        verified = webauthn.verify_authentication_response(
            credential=used,
            expected_challenge=challenge,
            expected_rp_id=_relying_party(),
            expected_origin=origin(),
            credential_public_key=bytes(passkey.public_key),
            credential_current_sign_count=passkey.sign_count,
            require_user_verification=True,
        )
    except _WRONG:
        return None
    passkey.sign_count, passkey.last_used_at = verified.new_sign_count, clock.now()
    passkey.save(update_fields=["sign_count", "last_used_at"])
    return passkey


def _locked(used: AuthenticationCredential, owner: User | None) -> Passkey | None:
    """Return the passkey with this id and user handle, of an active user, locked."""
    rows = Passkey.objects.select_for_update(no_key=True, of=("self",)).select_related("user")
    found: Passkey | None = rows.filter(
        credential_id=used.raw_id, user__is_active=True, user__email_confirmed_at__isnull=False
    ).first()
    if found is None or (owner is not None and found.user_id != owner.pk):
        return None
    handle = used.response.user_handle
    # Without an owner, the authenticator must say whose passkey it is (WebAuthn, 7.2, step 6).
    says_whose = handle == found.user.public_id.encode()
    return found if says_whose or (owner is not None and handle is None) else None


@transaction.atomic
def remove(person: User, public_id: str, *, by: User, keep_session: str = "") -> bool:
    """Remove a passkey, and end all other sessions. Staff keep at least one second factor.

    Without any second factor, recovery codes have no use, so they are deleted.
    """
    User.objects.locked(person)  # serialise changes to this user's factors
    passkey = person.passkeys.filter(public_id=public_id).first()
    if passkey is None:
        return False
    factors.delete_passkey(passkey, by=by)
    if not factors.has_second_factor(person):
        if access.is_staff(person):
            raise LastFactor(
                _("Staff need a second factor. Set up another one, then remove this passkey.")
            )
        person.recovery_codes.all().delete()
    sessions.end_sessions(person, by=by, keep=keep_session)
    return True
