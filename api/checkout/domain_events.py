"""Record and publish the events of checkout domains."""

from typing import Any

from api.checkout.models import CheckoutDomain
from console.accounts.actors import Actor
from console.audit import log as audit
from console.events import outbox as events


def announce(domain: CheckoutDomain, code: str, *, by: Actor, **details: Any) -> None:
    """Record and publish `code`, with the domain's name."""
    details = {"domain": domain.domain, **details}
    audit.record(code, domain, by=by, business=domain.business, **details)
    events.publish(code, domain, business=domain.business.public_id, **details)
