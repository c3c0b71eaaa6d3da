"""Look for the proof of a domain, in DNS and in a file, outside any transaction."""

from contextlib import suppress
from datetime import timedelta

from django.db import transaction
from django.db.models import Q

from api.checkout import domains
from api.checkout.lifecycle import DomainMethod, DomainStatus
from api.checkout.models import CheckoutDomain
from console.accounts.actors import SYSTEM, Actor
from console.accounts.limits import HOUR, Rate
from console.accounts.throttle import take
from console.core import clock, dns_records, outbound
from console.core.outbound import Patience
from console.core.refusals import Refused, Stale

EVERY = timedelta(days=30)
LARGEST_FILE = 4096
# A page waits for both, so they take five seconds at most.
_DNS_SECONDS = 2.0
_FILE = Patience(lookup=1.0, connect=2.0, total=3.0, refused=1.0)
# A check sends requests to a host that somebody else named.
_CHECKS_PER_BUSINESS = Rate(tries=40, seconds=HOUR)


def check(domain: CheckoutDomain, *, by: Actor) -> CheckoutDomain:
    """Look for the proof now, and save the result."""
    # A transaction of its own, so that none waits for the network.
    with transaction.atomic():
        domain = domains.locked(domain, by)
    if domain.is_expired:
        raise Stale("The token has expired. Request a new one.")
    if by is not SYSTEM:
        take("checkout-domain", domain.business.public_id, _CHECKS_PER_BUSINESS)
    return domains.settle(domain, _found(domain), by=by)


def check_due() -> None:
    """Check verified domains every 30 days, and every night while the proof is missing."""
    due = Q(checked_at__lt=clock.now() - EVERY) | Q(missed_at__isnull=False)
    verified = CheckoutDomain.objects.filter(due, status=DomainStatus.VERIFIED)
    for domain in list(verified.order_by("checked_at")):
        # A run that starts again after an interruption repeats no check of today.
        if domain.checked_at and domain.checked_at.date() < clock.now().date():
            # Somebody may remove it, or its token may expire, while others are checked.
            with suppress(Refused):
                check(domain, by=SYSTEM)


def _found(domain: CheckoutDomain) -> DomainMethod | None:
    if domain.takes_dns and domain.txt_value in dns_records.txt(domain.txt_name, _DNS_SECONDS):
        return DomainMethod.DNS
    answer = outbound.get(domain.file_url, patience=_FILE)
    is_file = answer.status == 200 and len(answer.body) <= LARGEST_FILE
    if is_file and answer.body.strip() == domain.token.encode():
        return DomainMethod.FILE
    return None
