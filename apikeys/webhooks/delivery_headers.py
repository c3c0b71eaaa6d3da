"""Headers of every request to an endpoint, for deliveries and probes."""

from urllib.parse import urlsplit

from django.conf import settings


def constant() -> dict[str, str]:
    """Return the headers that all requests share, so a probe looks like a delivery."""
    return {
        "Content-Type": "application/json",
        "User-Agent": "Service-Webhooks/1",
        "Accept-Encoding": "identity",
        "WebHook-Request-Origin": urlsplit(settings.BASE_URL).hostname or "",
    }
