"""Which sites may show a business's payment page in a frame."""

from api.checkout import checkout_settings
from api.checkout.lifecycle import DomainStatus
from api.checkout.models import CheckoutDomain
from api.payments.models import CheckoutSession
from apikeys.lifecycle import Environment

LOCALHOST = ("http://localhost:*", "http://*.localhost:*")


def of_session(session: CheckoutSession) -> list[str]:
    """Return the origins that may frame the session's page, for its `frame-ancestors`.

    Read from the database for each request, so a change counts at once.
    """
    verified = CheckoutDomain.objects.of(session.business).filter(status=DomainStatus.VERIFIED)
    origins = [f"https://{domain}" for domain in verified.values_list("domain", flat=True)]
    is_sandbox = session.environment == Environment.SANDBOX
    if is_sandbox and checkout_settings.of(session.business).allows_localhost:
        origins += LOCALHOST
    return origins
