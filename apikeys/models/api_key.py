"""ApiKey: one key. ProductUse: its last call of each product. KeyNotice: a notice sent about it."""

from datetime import datetime
from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Greatest

from apikeys.lifecycle import HELD, KEY_LIFECYCLE, OPENS, KeyStatus
from apikeys.models.grant import Grant
from console.accounts.models import Business, User
from console.audit.recorded import Recorded, changed
from console.core import clock
from console.core.database_rule import DatabaseRule
from console.core.frozen import SetOnce
from console.core.moves_constraint import MovesConstraint

# What decides whether a call with a secret is accepted, besides `scopes` and `digest`.
_RECORDED = (
    *("status", "expires_at", "networks", "pepper"),
    *("former_digest", "former_pepper", "former_ends_at"),
)


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    def of(self, business: Business) -> Self:
        """Return the keys of a business, working ones first, then newest first."""
        open_first = models.Case(models.When(status__in=HELD, then=0), default=1)
        keys = self.filter(grant__business=business).select_related("grant", "issued_by")
        return keys.order_by(open_first, "-issued_at", "-pk")

    def held(self) -> Self:
        """Return the keys that count towards the limit of a business."""
        return self.filter(status__in=HELD)

    def outlived(self) -> Self:
        """Return the keys that are past their expiry date but not yet marked as expired."""
        return self.filter(status__in=HELD, expires_at__lte=clock.now()).order_by("pk")

    def unused_since(self, moment: datetime) -> Self:
        """Return active keys unused since `moment`, annotated with `idle_since`, their last use."""
        idle = Greatest("issued_at", "last_used_at", "enabled_at")
        return (
            self.filter(status=KeyStatus.ACTIVE)
            .annotate(idle_since=idle)
            .filter(idle_since__lte=moment)
        )

    def without_notice(self, kind: str, counted_from: str) -> Self:
        """Return the keys that lack this notice; `counted_from` is the field it counts from."""
        given = KeyNotice.objects.filter(
            key=models.OuterRef("pk"), kind=kind, counted_from=models.OuterRef(counted_from)
        )
        return self.exclude(models.Exists(given)).order_by("pk")

    def all_locked(self, business: Business) -> Self:
        """Return the current keys of a business that have not ended, locked."""
        keys = self.held().filter(grant__business=business).select_related("grant__business")
        return keys.select_for_update(no_key=True, of=("self",)).order_by("pk")

    def locked(self, key: "ApiKey") -> "ApiKey":
        """Return the current row, locked until the transaction ends."""
        rows = self.select_for_update(no_key=True, of=("self",)).select_related("grant__business")
        return rows.get(pk=key.pk)


class ApiKey(models.Model):
    """An API key: `public_id` is the part before the colon; only a digest of the secret is stored.

    After a rotation, `digest` is the new secret's, `secret_used_at` is its first use, and the
    former secret works until `former_ends_at`. The former digest stays, so calls with the old
    secret get an error that says it was rotated. `enabled_at` is when a disabled key was last
    enabled.
    """

    public_id = models.CharField(max_length=40, unique=True)
    grant = models.ForeignKey(Grant, on_delete=models.PROTECT, related_name="keys")
    name = models.CharField(max_length=60)
    status = models.CharField(max_length=20, choices=KeyStatus, default=KeyStatus.ACTIVE)
    scopes = ArrayField(models.CharField(max_length=40))
    digest = models.BinaryField(max_length=32, unique=True)
    pepper = models.SmallIntegerField()
    issued_at = models.DateTimeField()
    issued_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    once = models.CharField(max_length=64)
    stored_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)
    last_used_ip = models.GenericIPAddressField(null=True)
    enabled_at = models.DateTimeField(null=True)
    networks = ArrayField(models.CharField(max_length=43), default=list)
    rotated_at = models.DateTimeField(null=True)
    grace_seconds = models.IntegerField(default=0)
    secret_used_at = models.DateTimeField(null=True)
    former_digest = models.BinaryField(max_length=32, null=True)
    former_pepper = models.SmallIntegerField(null=True)
    former_ends_at = models.DateTimeField(null=True)

    objects = ApiKeyQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["grant", "status"], name="keys_of_a_grant_by_status")]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=KeyStatus.values), name="key_status_is_known"
            ),
            models.CheckConstraint(
                condition=Q(status__in=HELD, ended_at=None)
                | Q(status__in=sorted(KEY_LIFECYCLE.final), ended_at__isnull=False),
                name="an_ended_key_says_when",
            ),
            models.CheckConstraint(
                condition=Q(expires_at__gt=models.F("issued_at")), name="a_key_has_a_life"
            ),
            models.CheckConstraint(
                condition=~Q(status=KeyStatus.ROTATING)
                | Q(
                    former_digest__isnull=False,
                    former_pepper__isnull=False,
                    former_ends_at__lte=models.F("expires_at"),
                ),
                name="a_rotating_key_has_two_secrets",
            ),
            models.UniqueConstraint(fields=["grant", "once"], name="a_form_makes_one_key"),
            models.CheckConstraint(condition=~Q(scopes=[]), name="a_key_may_do_something"),
            MovesConstraint(arrows=KEY_LIFECYCLE.arrows(), name="key_moves_by_the_table"),
            SetOnce(fields=["id", "public_id", "grant"], name="a_key_is_one_key"),
            DatabaseRule.beside(__file__, "apikeys_refuse_wider_key"),
            DatabaseRule.beside(__file__, "apikeys_require_access"),
            Recorded(
                fields=["scopes", "digest"],
                name="changes_of_keys_are_recorded",
                added=True,
            ),
            Recorded(
                fields=_RECORDED,
                condition=changed(*_RECORDED),
                name="secrets_and_limits_of_keys_are_recorded",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.public_id})"

    @property
    def business(self) -> Business:
        return self.grant.business

    @property
    def environment(self) -> str:
        return self.grant.environment

    @property
    def opens(self) -> bool:
        """Tell whether the key works now."""
        return self.status in OPENS and self.expires_at > clock.now()

    @property
    def secret_set_at(self) -> datetime:
        """When the current secret was created."""
        return self.rotated_at or self.issued_at

    @property
    def until(self) -> datetime:
        return self.ended_at or self.expires_at


class ProductUse(models.Model):
    """When a key last called an operation of a product, taken from the request log."""

    key = models.ForeignKey(ApiKey, on_delete=models.CASCADE, related_name="uses")
    product = models.CharField(max_length=40)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["key", "product"], name="one_last_use_of_a_product")
        ]

    def __str__(self) -> str:
        return f"{self.key} used {self.product}"


class KeyNotice(models.Model):
    """A notice about a key, sent once for each `counted_from`."""

    key = models.ForeignKey(ApiKey, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=20)
    counted_from = models.DateTimeField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["key", "kind", "counted_from"], name="a_key_notice_is_given_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.key}"
