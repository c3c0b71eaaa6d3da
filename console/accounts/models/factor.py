"""Authenticator: a one-time-code app. RecoveryCode: the way in without it."""

import time
from typing import Any

from django.db import models
from django.db.models import Q
from django_otp.models import Device, ThrottlingMixin, TimestampMixin
from django_otp.oath import TOTP

from console.accounts.models.person import User
from console.core import ids, vault

PURPOSE = "totp"
_STEP = 30


class Authenticator(TimestampMixin, ThrottlingMixin, Device):  # type: ignore[misc]  # untyped
    """A time-based one-time-code app (RFC 6238). Its seed is encrypted, a code is good once.

    Until `held_until` it countersigns nothing, because a recovery code led to it.
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
        ]

    def __str__(self) -> str:
        return f"authenticator {self.public_id}"

    @property
    def seed(self) -> bytes:
        return vault.open_(bytes(self.sealed_seed), PURPOSE)

    def get_throttle_factor(self) -> float:
        return 1

    def verify_token(self, token: Any) -> bool:
        """Accept a code of this half minute, once; a failure makes the next try wait longer.

        People outside our staff may be a few seconds late: the code of the half minute before
        counts too, while none newer was used. Lock the row before calling (`factors.check_code`).
        """
        allowed, _ = self.verify_is_allowed()
        if not allowed or not _is_code(token):
            return False
        totp = TOTP(self.seed, step=_STEP)
        totp.time = time.time()
        for totp.drift in (0,) if self._is_of_staff() else (0, -1):
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


class RecoveryCode(models.Model):
    """One way in without the authenticator. Stored as a keyed digest, good once."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="recovery_codes")
    hashed = models.CharField(max_length=200)
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"recovery code of {self.user_id}"
