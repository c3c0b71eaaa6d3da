"""Public documentation pages under `/docs/`, generated from the ViewSets."""

from collections.abc import Mapping

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from api import call_signatures, pagination, parsers, retention, schema
from api import versioning as versions
from api.checkout import widget
from api.payments import checkout_sessions
from api.problem_reasons import REASONS
from api.problems import CODES
from api.providers.simulated import MAGIC_VALUES
from api.rate_limits import RATE_LIMITS
from api.reference import (
    documentation_search,
    documented_operations,
    event_catalogue,
    members,
    reader,
    sample_calls,
    signing_samples,
    verifier_samples,
)
from apikeys.webhooks import endpoints, enforcement, verification
from apikeys.webhooks.dispatcher import lanes, retries
from console.accounts.page_access import public_page

BY_SLUG = {code.slug: code for code in CODES.values()}


@public_page()
def guide(request: HttpRequest) -> HttpResponse:
    """Explain how to call the API, and list its products."""
    key = reader.key_of(request)
    context = {
        "key": key,
        "keys_url": "" if key else reader.keys_url(request),
        "webhook_timeout": settings.WEBHOOK_TIMEOUT_SECONDS,
        "samples": sample_calls.samples(documented_operations.FIRST, key.public_id if key else ""),
        "sandbox_root": sample_calls.root("sandbox"),
        "live_root": sample_calls.root("live"),
        "latest": versions.LATEST,
        "page_default": pagination.DEFAULT,
        "page_most": pagination.MOST,
        "answers_kept": retention.KEEP_ANSWERS.days,
        "largest_body": parsers.LARGEST // 1024,
        "limits": _limits(),
        "second_family": documented_operations.of_second_family(),
        "tiers": list(RATE_LIMITS.live),
    }
    return _page(request, "guide", context)


@public_page()
def product(request: HttpRequest, product: str) -> HttpResponse:
    """Describe each operation of a product, with sample calls."""
    key = reader.key_of(request)
    described = documented_operations.by_product(key.public_id if key else "")
    found = next((one for one in described if one.product.key == product), None)
    if found is None:
        raise Http404
    return _page(request, "product", {"documented": found, "here": found.product.key, "key": key})


@public_page()
def sandbox(request: HttpRequest) -> HttpResponse:
    """List the sandbox's test values and the operations that only it has."""
    magic = [(one, members.code(one.effect), members.marked(one.words)) for one in MAGIC_VALUES]
    helpers = documented_operations.test_helpers()
    return _page(request, "sandbox", {"magic": magic, "helpers": helpers})


@public_page()
def signing(request: HttpRequest) -> HttpResponse:
    """Explain call signatures, with sample code and the meaning of each refusal."""
    context = {
        "samples": signing_samples.SAMPLES,
        "tolerance": call_signatures.TOLERANCE_SECONDS,
        "refusals": [
            *map(call_signatures.invalid, call_signatures.INVALID),
            *map(call_signatures.replayed, call_signatures.REPLAYED),
        ],
    }
    return _page(request, "signing", context)


@public_page()
def events(request: HttpRequest) -> HttpResponse:
    """List every event type that endpoints can select, with its schema and a sample."""
    return _page(request, "events", {"events": event_catalogue.every()})


@public_page()
def webhooks(request: HttpRequest) -> HttpResponse:
    """Explain deliveries, how to verify them, with sample code, and retries."""
    context = {
        "samples": verifier_samples.SAMPLES,
        "vector": verifier_samples.VECTOR,
        "waits": [_span(seconds) for seconds in retries.WAITS],
        "attempts": {"live": retries.MOST_LIVE, "sandbox": retries.MOST_SANDBOX},
        "breaker": {
            "failures": lanes.BREAKER_OPENS_AFTER,
            "first": lanes.BREAKER_SECONDS,
            "most": lanes.BREAKER_MOST_SECONDS,
        },
        "seconds": settings.WEBHOOK_TIMEOUT_SECONDS,
        "days": settings.WEBHOOK_EVENT_DAYS,
        "overlap": endpoints.OVERLAP.total_seconds() // 3600,
        "probes": enforcement.FULL,
        "probe_count": len(enforcement.in_random_order(enforcement.FULL)),
        "most_a_day": verification.MOST_A_DAY,
        "most_failed": verification.MOST_FAILED,
    }
    return _page(request, "webhooks_guide", context)


@public_page()
def checkout(request: HttpRequest) -> HttpResponse:
    """Explain how to take payments on our page, in the shop's own page or on its own."""
    create = documented_operations.of_call("POST", "/checkout-sessions")
    helper = "/test-helpers/checkout-sessions/{id}/payments"
    context = {
        "create": create,
        "pay": documented_operations.of_call("POST", helper),
        "snippet": widget.snippet(),
        "example": widget.EXAMPLE,
        "checkout_origin": settings.CHECKOUT_ORIGIN,
        "lasts": checkout_sessions.DEFAULT.total_seconds() // 60,
        "most_parts": checkout_sessions.MOST_PARTS,
    }
    return _page(request, "checkout_guide", context)


@public_page()
def verifier(request: HttpRequest, file: str) -> HttpResponse:
    """Download the sample code that verifies deliveries."""
    found = next((one for one in verifier_samples.SAMPLES if one.file == file), None)
    if found is None:
        raise Http404
    kept = {"Content-Disposition": f'attachment; filename="{found.file}"'}
    return HttpResponse(found.code, content_type=found.content_type, headers=kept)


@public_page()
def search(request: HttpRequest) -> HttpResponse:
    """Find topics, operations, errors and events by words."""
    words = request.GET.get("q", "").strip()[:100]
    context = {
        "words": words,
        "hits": documentation_search.found(words),
        "most": documentation_search.MOST,
    }
    return _page(request, "search", context)


@public_page()
def version_list(request: HttpRequest) -> HttpResponse:
    """List the API versions and when each ends."""
    context = {"versions": versions.VERSIONS.values(), "latest": versions.LATEST}
    return _page(request, "versions", context)


@public_page()
def problems(request: HttpRequest) -> HttpResponse:
    """List every error code, with its status and what to do."""
    return _page(request, "problems", {"codes": CODES.values()})


@public_page()
def problem(request: HttpRequest, slug: str) -> HttpResponse:
    """Explain an error code: its meaning, what to do, and which operations return it."""
    code = BY_SLUG.get(slug)
    if code is None:
        raise Http404
    context = {
        "code": code,
        "reasons": REASONS.get(code.name, {}),
        "here": "problems",
        "operations": documented_operations.of_code(code),
        "document": documented_operations.json_text(schema.example_of(code)),
    }
    return _page(request, "problem", context)


def _page(request: HttpRequest, name: str, context: Mapping[str, object]) -> HttpResponse:
    """Render a documentation page, with the navigation of all pages."""
    menu = {"here": name, "products": documented_operations.by_product()}
    return render(request, f"api/{name}.html", {**menu, **context})


def _limits() -> list[tuple[str, list[str]]]:
    """Return each rate limit by name, with its rate and burst in the sandbox and for each tier."""
    columns = [RATE_LIMITS.sandbox, *RATE_LIMITS.live.values()]
    rows = [(name, [limits[name] for limits in columns]) for name in RATE_LIMITS.sandbox]
    # The same for everybody.
    same = (RATE_LIMITS.refusals, RATE_LIMITS.auth_failures)
    rows += [(one.name, [one] * len(columns)) for one in same]
    return [(name, [f"{one.rate:g} ({one.burst})" for one in row]) for name, row in rows]


def _span(seconds: int) -> str:
    """Format a number of seconds in its largest whole unit."""
    for size, unit in ((3600, "h"), (60, "min")):
        if seconds >= size and seconds % size == 0:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"
