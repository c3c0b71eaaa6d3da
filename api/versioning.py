"""API version of a call: a date, newest first."""

from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from functools import cached_property
from typing import Any

from django.conf import settings
from rest_framework.request import Request
from rest_framework.versioning import BaseVersioning

from api.problems import ApiProblem, Fault
from console.core import clock

LATEST = settings.API_VERSION
# Documentation of the versions.
PAGE = "/docs/versions/"


@dataclass(frozen=True)
class ApiVersion:
    """A version by its date. A deprecated one still works until its sunset."""

    date: str
    deprecated_at: datetime | None = None
    sunset_at: datetime | None = None

    @property
    def is_over(self) -> bool:
        return self.sunset_at is not None and self.sunset_at <= clock.now()

    @cached_property
    def headers(self) -> tuple[tuple[str, str], ...]:
        """Return the response headers of this version (RFC 9745 and RFC 8594)."""
        said = [("Service-Version", self.date)]
        links = []
        if self.deprecated_at:
            said.append(("Deprecation", f"@{int(self.deprecated_at.timestamp())}"))
            links.append("deprecation")
        if self.sunset_at:
            said.append(("Sunset", format_datetime(self.sunset_at, usegmt=True)))
            links.append("sunset")
        if links:
            page = f"{settings.BASE_URL.rstrip('/')}{PAGE}"
            link = ", ".join(f'<{page}>; rel="{rel}"; type="text/html"' for rel in links)
            said.append(("Link", link))
        return tuple(said)


VERSIONS: dict[str, ApiVersion] = {version.date: version for version in (ApiVersion(LATEST),)}


class HeaderVersioning(BaseVersioning):
    """`Service-Version` selects the version, by default the business's pinned version."""

    def determine_version(self, request: Request, *args: Any, **kwargs: Any) -> str:
        key: Any = request.auth
        asked = request.META.get("HTTP_SERVICE_VERSION") or key.grant.api_version or LATEST
        chosen = VERSIONS.get(asked)
        if chosen is None:
            raise _refused("unknown_version", "Send a supported Service-Version.")
        if chosen.is_over:
            raise _refused(
                "version_sunset",
                "This version has ended. Use a newer one.",
                reason="version_sunset",
            )
        return chosen.date


def headers(version: str | None) -> tuple[tuple[str, str], ...]:
    """Return the version headers of a response."""
    return VERSIONS[version or LATEST].headers


def _refused(word: str, detail: str, **members: Any) -> ApiProblem:
    served = [version.date for version in VERSIONS.values() if not version.is_over]
    fault = Fault("/headers/Service-Version", word, detail, served)
    return ApiProblem("VALIDATION_ERROR", detail, status=400, errors=[fault], **members)
