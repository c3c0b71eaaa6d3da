"""The headers that every request to an endpoint has, a delivery's and a probe's alike."""

from urllib.parse import urlsplit

from django.conf import settings


def constant() -> dict[str, str]:
    """Return the headers that are the same in all of them; a probe looks like a delivery."""
    return {
        "Content-Type": "application/json",
        "User-Agent": "Service-Webhooks/1",
        "Accept-Encoding": "identity",
        "WebHook-Request-Origin": urlsplit(settings.BASE_URL).hostname or "",
    }
