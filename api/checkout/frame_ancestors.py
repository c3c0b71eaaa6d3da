"""Which sites may show a business's payment page in a frame."""

from api.sandbox.models import CheckoutSession


def of_session(session: CheckoutSession) -> list[str]:
    """Return the origins that may frame the session's page, for its `frame-ancestors`."""
    return []
