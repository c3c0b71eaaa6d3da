"""A check provider as a package of its own: an identity service that answers over HTTPS.

`IDENTITY_URL`, `IDENTITY_KEY` and `IDENTITY_CALLBACK_SECRET` (`whsec_...`) configure it.

    POST {IDENTITY_URL}/identity-verifications/{id}  {"name", "born", "country", "business"}
    GET  {IDENTITY_URL}/identity-verifications/{id}

Both answer {"status": "confirmed", "mismatch", "not_found" or "pending"}. The same id is the same
verification. When a pending one is decided, the service posts {"id"} to the console at
/callbacks/checks/example-identity/, signed as Standard Webhooks does.
"""

import base64
import hmac
import json
import os
import re
import time
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from console.core import outbound
from console.core.digests import sha256_hex
from onboarding.checks.providers import AnswersLater, CheckResult, Inquiry, ProviderDown
from onboarding.lifecycle import CheckStatus

_WAIT, _TOLERANCE_SECONDS = timedelta(minutes=10), 300
_RESULTS = {
    "confirmed": CheckResult(CheckStatus.PASSED, "The service confirmed the person."),
    "mismatch": CheckResult(CheckStatus.FAILED, "The document belongs to somebody else."),
    "not_found": CheckResult(CheckStatus.NEEDS_REVIEW, "The service does not know the person."),
}


class IdentityService:
    """Asks one service about a signatory."""

    name = "example-identity"
    simulated = False

    def __init__(self) -> None:
        # A missing variable refuses the start, instead of the first check.
        self.url = os.environ["IDENTITY_URL"].rstrip("/")
        self.headers = {"Authorization": f"Bearer {os.environ['IDENTITY_KEY']}"}
        secret = os.environ["IDENTITY_CALLBACK_SECRET"].removeprefix("whsec_")
        self.callback_key = base64.b64decode(secret, validate=True)

    def look(self, inquiry: Inquiry) -> CheckResult | AnswersLater:
        person = {"name": inquiry.name, "born": inquiry.born, "country": inquiry.country}
        body = json.dumps(person | {"business": inquiry.business_name}, sort_keys=True).encode()
        identifier = sha256_hex(body)[:32]  # it may be asked more than once, for one verification
        headers = self.headers | {"Content-Type": "application/json"}
        return _result(identifier, outbound.post(self._url(identifier), body, headers))

    def result(self, reference: str, inquiry: Inquiry) -> CheckResult | AnswersLater:
        return _result(reference, outbound.get(self._url(reference), self.headers))

    def reference_in(self, headers: Mapping[str, str], body: bytes) -> str | None:
        sent, named = headers.get("webhook-timestamp", ""), headers.get("webhook-id", "")
        if (
            not re.fullmatch("[0-9]{1,12}", sent)
            or abs(time.time() - int(sent)) > _TOLERANCE_SECONDS
        ):
            return None
        digest = hmac.digest(self.callback_key, f"{named}.{sent}.".encode() + body, "sha256")
        right = b"v1," + base64.b64encode(digest)
        given = headers.get("webhook-signature", "").encode().split()
        if not any(hmac.compare_digest(right, one) for one in given):
            return None
        identifier = _object(body).get("id")
        return identifier if re.fullmatch("[0-9a-f]{32}", str(identifier)) else None

    def _url(self, identifier: str) -> str:
        return f"{self.url}/identity-verifications/{identifier}"


def _result(identifier: str, answer: outbound.OutboundAnswer) -> CheckResult | AnswersLater:
    status = _object(answer.body).get("status") if answer.succeeded else None
    if status == "pending":
        return AnswersLater(identifier, _WAIT)
    if not isinstance(status, str) or status not in _RESULTS:
        raise ProviderDown("The identity service did not answer.")
    found = _RESULTS[status]
    return CheckResult(found.status, found.says, {"service": "example-identity"}, identifier)


def _object(body: bytes) -> dict[str, Any]:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
