"""CheckoutDomain: a site of a business that may show its payments. CheckoutSettings: the rest."""

import base64
import secrets
from datetime import datetime, timedelta
from typing import Self

from django.db import models
from django.db.models import Q

from api.checkout import domain_names
from api.checkout.domain_names import A_LABELS, LONGEST
from api.checkout.lifecycle import DOMAIN_LIFECYCLE, DomainMethod, DomainStatus
from console.accounts.models import Business
from console.audit.recorded import Recorded, RecordedAs, changed
from console.core import clock, ids
from console.core.frozen import SetOnce
from console.core.moves_constraint import MovesConstraint
from console.core.refusals import WrongStatus

# A token that proves nothing for this long stops working.
TOKEN_LIFE = timedelta(days=7)
# What decides which payments a site may show, and what proves it.
_RECORDED = ("status", "token", "token_expires_at", "verified_at")
TXT_LABEL = "_service-challenge"
FILE_PATH = "/.well-known/service-domain-verification.txt"


def new_token() -> str:
    """Return 160 random bits in base32."""
    return base64.b32encode(secrets.token_bytes(20)).decode().lower()


class CheckoutDomainQuerySet(models.QuerySet["CheckoutDomain"]):
    """Queries for domains."""

    def of(self, business: Business) -> Self:
        return self.filter(business=business).order_by("domain")

    def locked(self, domain: "CheckoutDomain") -> "CheckoutDomain":
        """Return the current row, locked until the transaction ends; refuse if it was removed."""
        rows = self.select_for_update(no_key=True, of=("self",)).select_related("business")
        found = rows.filter(pk=domain.pk).first()
        if found is None:
            raise WrongStatus("This domain was removed.", reason="domain_removed")
        return found


class CheckoutDomain(models.Model):
    """A domain of a business, as A-labels, and the token that proves control of it.

    Several businesses may verify one domain, each with its own token. `missed_at` is when the proof
    was first not found, since it was last found.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("dom"))
    business = models.ForeignKey(
        Business, on_delete=models.PROTECT, related_name="checkout_domains"
    )
    domain = models.CharField(max_length=LONGEST)
    token = models.CharField(max_length=32, unique=True, default=new_token)
    token_expires_at = models.DateTimeField(null=True)
    status = models.CharField(max_length=20, choices=DomainStatus, default=DomainStatus.UNVERIFIED)
    method = models.CharField(max_length=10, choices=DomainMethod, blank=True)
    created_at = models.DateTimeField()
    verified_at = models.DateTimeField(null=True)
    checked_at = models.DateTimeField(null=True)
    missed_at = models.DateTimeField(null=True)

    objects = CheckoutDomainQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(
                fields=["checked_at"],
                condition=Q(status=DomainStatus.VERIFIED),
                name="domains_to_check_again",
            )
        ]
        constraints = [
            models.UniqueConstraint(fields=["business", "domain"], name="a_domain_is_added_once"),
            models.CheckConstraint(
                condition=Q(domain__regex=A_LABELS), name="a_domain_is_a_labels"
            ),
            models.CheckConstraint(
                condition=Q(
                    status=DomainStatus.VERIFIED,
                    method__in=DomainMethod.values,
                    verified_at__isnull=False,
                    checked_at__isnull=False,
                    token_expires_at=None,
                )
                | Q(
                    status__in=[DomainStatus.UNVERIFIED, DomainStatus.REVOKED],
                    token_expires_at__isnull=False,
                ),
                name="a_verified_domain_says_how_and_when",
            ),
            MovesConstraint(arrows=DOMAIN_LIFECYCLE.arrows(), name="domain_moves_by_the_table"),
            SetOnce(
                fields=["id", "public_id", "business", "domain", "created_at"],
                name="a_domain_is_one_domain",
                deletable=True,
            ),
            Recorded(fields=_RECORDED, condition=changed(*_RECORDED), name="domains_are_recorded"),
            RecordedAs(fields=[], removed=True, name="removed_domains_are_recorded"),
        ]

    def __str__(self) -> str:
        return self.domain

    @property
    def is_expired(self) -> bool:
        """Tell whether the token stopped working before it proved anything."""
        return self.token_expires_at is not None and self.token_expires_at <= clock.now()

    @property
    def is_verified(self) -> bool:
        return self.status == DomainStatus.VERIFIED

    @property
    def needs_proof(self) -> bool:
        """Tell whether to show the record and the file, because we look for them."""
        missing = not self.is_verified or self.missed_at is not None
        return missing and not self.is_expired

    @property
    def takes_dns(self) -> bool:
        return domain_names.takes_dns(self.domain)

    @property
    def txt_name(self) -> str:
        return f"{TXT_LABEL}.{self.domain}"

    @property
    def txt_value(self) -> str:
        return f"token={self.token}"

    @property
    def file_url(self) -> str:
        return f"https://{self.domain}{FILE_PATH}"

    def renew(self, now: datetime) -> None:
        """Set a new token, which must prove control within TOKEN_LIFE."""
        self.token, self.token_expires_at = new_token(), now + TOKEN_LIFE


class CheckoutSettings(models.Model):
    """What a business sets for its payment pages. A missing row means the defaults."""

    business = models.OneToOneField(
        Business, on_delete=models.PROTECT, related_name="checkout_settings"
    )
    allows_localhost = models.BooleanField(default=False)
    # The SHA-256 of a stored PNG file that we wrote, or "".
    logo = models.CharField(max_length=64, blank=True)

    class Meta:
        indexes = [models.Index(fields=["logo"], condition=~Q(logo=""), name="settings_by_logo")]
        constraints = [
            SetOnce(fields=["business"], name="checkout_settings_are_of_one_business"),
            RecordedAs(
                fields=["logo", "allows_localhost"],
                about="business_id",
                of="accounts_business",
                condition=changed("logo", "allows_localhost"),
                name="changes_of_checkout_settings_are_recorded",
            ),
            RecordedAs(
                fields=[],
                added=True,
                about="business_id",
                of="accounts_business",
                condition="NEW.logo <> '' OR NEW.allows_localhost",
                name="checkout_settings_are_recorded",
            ),
        ]

    def __str__(self) -> str:
        return f"of {self.business_id}"
