"""How each domain of a business is shown: its proof, and by which methods it can be given."""

from dataclasses import dataclass

from api.checkout import domain_names
from api.checkout.lifecycle import DomainStatus
from api.checkout.models import CheckoutDomain
from console.accounts.models import Business


@dataclass(frozen=True)
class DomainLine:
    """A domain, and whether a DNS record can prove control of it."""

    domain: CheckoutDomain
    takes_dns: bool

    @property
    def is_verified(self) -> bool:
        return self.domain.status == DomainStatus.VERIFIED

    @property
    def needs_proof(self) -> bool:
        """Tell whether to show the record and the file, because we look for them."""
        missing = not self.is_verified or self.domain.missed_at is not None
        return missing and not self.domain.is_expired


def lines_of(business: Business) -> list[DomainLine]:
    """Return the domains of a business by name."""
    return [
        DomainLine(domain, domain_names.takes_dns(domain.domain))
        for domain in CheckoutDomain.objects.of(business)
    ]
