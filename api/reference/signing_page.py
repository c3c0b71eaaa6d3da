"""The public page about signed calls."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from api.gateway import signing as rules
from api.reference import signing_samples
from console.accounts.page_access import public_page


@public_page()
def signing(request: HttpRequest) -> HttpResponse:
    """Describe what is signed, with code that does it, and what each refusal means."""
    context = {
        "samples": [
            ("Python", signing_samples.PYTHON),
            ("JavaScript, with Node.js", signing_samples.JAVASCRIPT),
        ],
        "tolerance": rules.TOLERANCE_SECONDS,
        "refusals": [rules.invalid(reason) for reason in rules.INVALID]
        + [rules.replayed(reason) for reason in rules.REPLAYED],
    }
    return render(request, "api/signing.html", context)
