"""What stands in the header of an answer, written out."""

from functools import lru_cache

from django.conf import settings

from api.gateway import versions
from api.gateway.calls import ApiAnswer, Call
from api.gateway.problems import ApiProblem
from console.server.responses import header_lines

# Nothing in the sandbox is real, and each of its answers says so (SBX, purpose.imitation).
_SIMULATED = ("Simulated", "true")

# Few are the challenges and types of content, and each is said again and again.
_kept_lines = lru_cache(maxsize=512)(header_lines)


def of_every_answer() -> dict[str, bytes]:
    """Return what every answer of an environment says."""
    headers = [
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
        ("Referrer-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
    ]
    if settings.SECURE_HSTS_SECONDS:
        age = f"max-age={settings.SECURE_HSTS_SECONDS}; includeSubDomains; preload"
        headers.append(("Strict-Transport-Security", age))
    return {"live": header_lines(headers), "sandbox": header_lines([*headers, _SIMULATED])}


def content_type(kind: str) -> bytes:
    return _kept_lines((("Content-Type", kind),))


def of_refusal(problem: ApiProblem) -> bytes:
    """Return what a refusal says beside its document."""
    return _kept_lines(tuple(problem.headers)) if problem.headers else b""


def of_answer(answer: ApiAnswer) -> bytes:
    """Return what an operation says beside its body."""
    return header_lines(answer.headers) if answer.headers else b""


def of_call(call: Call) -> bytes:
    """Return what is a call's own: its limits, its version and its id."""
    version = versions.of(call).header_lines
    return b"%b%bX-Request-Id: %b\r\n" % (_limits(call), version, call.request_id.encode())


def _limits(call: Call) -> bytes:
    """Write the limits that a call met (draft-ietf-httpapi-ratelimit-headers-10)."""
    limit_states = getattr(call, "limit_states", None)
    if not limit_states:
        return b""
    policies = ", ".join([state.policy.header for state in limit_states])
    said = [f'"{s.policy.name}";r={s.remaining};t={int(s.wait) + 1}' for s in limit_states]
    return f"RateLimit-Policy: {policies}\r\nRateLimit: {', '.join(said)}\r\n".encode()
