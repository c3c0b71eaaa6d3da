"""Grant: what a business may hold keys for. ApiKey: one key. RequestLog: a row for each request."""

from datetime import datetime
from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import Q

from apikeys.lifecycle import (
    GRANT_LIFECYCLE,
    HELD,
    KEY_LIFECYCLE,
    OPENS,
    Environment,
    GrantStatus,
    KeyStatus,
)
from console.accounts.models import Business, User
from console.catalogue.definitions import PRODUCTS, Product
from console.core import clock, ids
from console.core.moves import MovesConstraint


class GrantQuerySet(models.QuerySet["Grant"]):
    """Grants, as the verbs ask for them."""

    def of(self, business: Business) -> Self:
        return self.filter(business=business).order_by("environment")

    def with_keys(self) -> Self:
        """Each grant with `held`, its keys that still count, and `used_at`, their last use."""
        held = models.Count("keys", filter=Q(keys__status__in=HELD))
        return self.annotate(held=held, used_at=models.Max("keys__last_used_at"))

    def all_locked(self, business: Business) -> Self:
        """The grants of a business as they are now, held until the transaction ends."""
        return self.of(business).select_for_update(no_key=True, of=("self",))

    def locked(self, grant: "Grant") -> "Grant":
        """Return the row as it is now, held until the transaction ends."""
        return self.select_for_update(no_key=True, of=("self",)).get(pk=grant.pk)


class Grant(models.Model):
    """The environment, products and limits within which a business may create keys.

    A key can never exceed its grant: what the grant loses, every key loses with it. `tier` is the
    risk tier at the time it opened and chooses the rate limits; `api_version` is the version that
    the business is pinned to, set with its first key.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("grt"))
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="grants")
    environment = models.CharField(max_length=10, choices=Environment)
    status = models.CharField(max_length=20, choices=GrantStatus, default=GrantStatus.CLOSED)
    products = ArrayField(models.CharField(max_length=40), default=list)
    tier = models.CharField(max_length=10, blank=True)
    api_version = models.CharField(max_length=10, blank=True)
    opened_at = models.DateTimeField(null=True)

    objects = GrantQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["business", "environment"], name="one_grant_per_environment"
            ),
            models.CheckConstraint(
                condition=Q(status__in=GrantStatus.values, environment__in=Environment.values),
                name="grant_status_is_known",
            ),
            models.CheckConstraint(
                condition=Q(status=GrantStatus.CLOSED) | Q(opened_at__isnull=False),
                name="an_open_grant_says_since_when",
            ),
            MovesConstraint(arrows=GRANT_LIFECYCLE.arrows(), name="grant_moves_by_the_table"),
        ]

    def __str__(self) -> str:
        return f"{self.environment} grant of {self.business}"

    @property
    def is_open(self) -> bool:
        return self.status == GrantStatus.OPEN

    def offers(self) -> list[Product]:
        """The products that keys of this grant may use, in the order of the catalogue."""
        return [product for key, product in PRODUCTS.items() if key in self.products]

    def scopes(self) -> frozenset[str]:
        return frozenset(scope for product in self.offers() for scope in product.scopes)


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    """Keys, as people and verbs ask for them."""

    def of(self, business: Business) -> Self:
        """The keys of a business, those that still work first, then the newest."""
        open_first = models.Case(models.When(status__in=HELD, then=0), default=1)
        keys = self.filter(grant__business=business).select_related("grant", "issued_by")
        return keys.order_by(open_first, "-issued_at", "-pk")

    def held(self) -> Self:
        """Keys that count against the most that a business may have."""
        return self.filter(status__in=HELD)

    def outlived(self) -> Self:
        """Keys whose time has run out and that do not say so yet."""
        return self.filter(status__in=HELD, expires_at__lte=clock.now()).order_by("pk")

    def all_locked(self, business: Business) -> Self:
        """The keys that a business holds, as they are now, held until the transaction ends."""
        keys = self.held().filter(grant__business=business).select_related("grant__business")
        return keys.select_for_update(no_key=True, of=("self",)).order_by("pk")

    def locked(self, key: "ApiKey") -> "ApiKey":
        """Return the row as it is now, held until the transaction ends."""
        rows = self.select_for_update(no_key=True, of=("self",)).select_related("grant__business")
        return rows.get(pk=key.pk)


class ApiKey(models.Model):
    """A credential. `public_id` is the half before the colon; the secret is only a digest."""

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

    objects = ApiKeyQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["grant", "status"], name="keys_of_a_grant_by_status")]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=KeyStatus.values), name="key_status_is_known"
            ),
            models.CheckConstraint(
                condition=Q(status__in=HELD, ended_at=None)
                | Q(status__in=KEY_LIFECYCLE.final, ended_at__isnull=False),
                name="an_ended_key_says_when",
            ),
            models.CheckConstraint(
                condition=Q(expires_at__gt=models.F("issued_at")), name="a_key_has_a_life"
            ),
            models.UniqueConstraint(fields=["grant", "once"], name="a_form_makes_one_key"),
            models.CheckConstraint(condition=~Q(scopes=[]), name="a_key_may_do_something"),
            MovesConstraint(arrows=KEY_LIFECYCLE.arrows(), name="key_moves_by_the_table"),
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
        """Tell whether it works now."""
        return self.status in OPENS and self.expires_at > clock.now()

    @property
    def until(self) -> datetime:
        return self.ended_at or self.expires_at


class RequestLog(models.Model):
    """One request and how it was answered. Never a body, a query string or a secret."""

    at = models.DateTimeField()
    request_id = models.CharField(max_length=40)
    # No constraint: the log is written in bulk, and outlives what it points to.
    business = models.ForeignKey(
        Business, null=True, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False
    )
    key_id = models.CharField(max_length=40, blank=True)
    environment = models.CharField(max_length=10)
    method = models.CharField(max_length=10)
    path = models.CharField(max_length=200)
    status = models.SmallIntegerField()
    code = models.CharField(max_length=40, blank=True)
    ip = models.GenericIPAddressField(null=True)
    version = models.CharField(max_length=10, blank=True)
    agent = models.CharField(max_length=120, blank=True)
    microseconds = models.IntegerField()

    class Meta:
        indexes = [
            models.Index(fields=["business", "-at", "-id"], name="request_log_of_business"),
            models.Index(fields=["request_id"], name="request_log_by_id"),
            BrinIndex(fields=["at"], name="request_log_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.method} {self.path} {self.status}"
