"""What users prove their identity with: Authenticator, Passkey, ProviderAccount, RecoveryCode."""

import time
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django_otp.models import Device, ThrottlingMixin, TimestampMixin
from django_otp.oath import TOTP

from console.accounts.models.person import User
from console.audit.recorded import Recorded, RecordedAs, changed
from console.core import ids, vault
from console.core.frozen import SetOnce

PURPOSE = "totp"
_STEP = 30


def _added_and_removed(rows: str) -> RecordedAs:
    """Return the constraint that an entry about the user says each row added or removed."""
    name = f"{rows}_are_recorded"
    return RecordedAs(fields=[], added=True, removed=True, about="user_id", name=name)


class Authenticator(TimestampMixin, ThrottlingMixin, Device):  # type: ignore[misc]  # untyped
    """A TOTP authenticator app (RFC 6238). The seed is encrypted, and each code works once.

    Until `held_until` it cannot countersign, because the user had another second factor or a
    provider account.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="authenticators")
    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("otp"))
    sealed_seed = models.BinaryField()
    last_step = models.BigIntegerField(default=-1)
    held_until = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user"], condition=Q(confirmed=True), name="one_authenticator_per_person"
            ),
            _added_and_removed("authenticators"),
            Recorded(
                fields=["user", "sealed_seed", "confirmed", "held_until", "created_at"],
                about="user_id",
                condition=changed(
                    "user_id", "sealed_seed", "confirmed", "held_until", "created_at"
                ),
                name="changes_of_authenticators_are_recorded",
            ),
        ]

    def __str__(self) -> str:
        return f"authenticator {self.public_id}"

    @property
    def seed(self) -> bytes:
        return vault.open_(bytes(self.sealed_seed), PURPOSE)

    def get_throttle_factor(self) -> float:
        return 1

    def verify_token(self, token: Any) -> bool:
        """Accept the current 30-second code, once. Each failure makes the next attempt wait longer.

        For users outside our staff the previous and the next code also work, because a phone's
        clock may be up to half a minute off, unless a newer one has been used (RFC 6238, 5.2).
        Lock the row before calling (`factors.check_code`).
        """
        allowed, _ = self.verify_is_allowed()
        if not allowed or not _is_code(token):
            return False
        totp = TOTP(self.seed, step=_STEP)
        totp.time = time.time()
        for totp.drift in (0,) if self._is_of_staff() else (0, -1, 1):
            if totp.t() > self.last_step and totp.verify(int(token)):
                return self._accept(totp.t())
        self.throttle_increment()
        return False

    def _accept(self, step: int) -> bool:
        self.last_step = step
        self.throttle_reset(commit=False)
        self.set_last_used_timestamp(commit=False)
        self.save()
        return True

    def _is_of_staff(self) -> bool:
        return bool(self.user.membership_set.filter(business=None).exists())


def _is_code(token: Any) -> bool:
    return isinstance(token, str) and len(token) == 6 and token.isascii() and token.isdigit()


class Passkey(TimestampMixin, Device):  # type: ignore[misc]  # untyped
    """A WebAuthn credential with its public key. Until `held_until` it cannot countersign."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="passkeys")
    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("psk"))
    credential_id = models.BinaryField(max_length=1023, unique=True)
    public_key = models.BinaryField()
    sign_count = models.BigIntegerField()
    held_until = models.DateTimeField()

    class Meta:
        constraints = [
            SetOnce(
                fields=["public_id", "user", "credential_id", "public_key"],
                name="a_passkey_is_one_passkey",
                deletable=True,
            ),
            _added_and_removed("passkeys"),
            Recorded(
                fields=["held_until", "created_at"],
                about="user_id",
                condition=changed("held_until", "created_at"),
                name="holds_of_passkeys_are_recorded",
            ),
        ]

    def __str__(self) -> str:
        return f"passkey {self.public_id}"


class ProviderAccount(TimestampMixin, Device):  # type: ignore[misc]  # untyped
    """A staff member's account at the OpenID provider, and the roles that its groups gave."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="provider_account")
    issuer = models.CharField(max_length=500)
    subject = models.CharField(max_length=255)
    roles = ArrayField(models.CharField(max_length=30), default=list)
    held_until = None

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["issuer", "subject"], name="one_account_per_subject"),
            SetOnce(
                fields=["user", "issuer", "subject"],
                name="a_provider_account_is_of_one_person",
                deletable=True,
            ),
            _added_and_removed("provider_accounts"),
        ]

    def __str__(self) -> str:
        return f"provider account of {self.user_id}"


class RecoveryCode(models.Model):
    """A single-use code for users without their app or passkey, stored as a keyed digest.

    Codes made before there was a column for it do not say when.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="recovery_codes")
    hashed = models.CharField(max_length=200)
    made_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            SetOnce(
                fields=["user", "hashed", "made_at", "used_at"],
                name="a_recovery_code_is_used_once",
                deletable=True,
            ),
            _added_and_removed("recovery_codes"),
        ]

    def __str__(self) -> str:
        return f"recovery code of {self.user_id}"
