"""Sample code that verifies a delivery, in two languages: documented, downloadable and tested.

Each defines one function that takes the signing secret, the value of `Service-Signature`, the raw
body and the time in seconds, and returns whether the delivery is authentic and recent.
"""

from dataclasses import dataclass

PYTHON = '''\
"""Verify the signature of a delivery. Needs nothing but Python."""

import hashlib
import hmac
import re
import time

TOLERANCE = 300  # seconds


def verify(secret: str, header: str | None, body: bytes, now: float | None = None) -> bool:
    """Tell whether a delivery is ours and recent.

    `header` is the value of Service-Signature; `body` the bytes as they came, before any parsing.
    """
    times, signatures = [], []
    for part in (header or "").split(","):
        name, _, value = part.strip().partition("=")
        if name == "t":
            times.append(value)
        elif name == "v1":
            signatures.append(value)
    if len(times) != 1 or not re.fullmatch("0|[1-9][0-9]{0,14}", times[0]):
        return False
    if abs((time.time() if now is None else now) - int(times[0])) > TOLERANCE:
        return False
    signed = times[0].encode() + b"." + body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest().encode()
    matches = [hmac.compare_digest(expected, one.encode("utf-8", "replace")) for one in signatures]
    return any(matches)
'''

JAVASCRIPT = r"""
// Verify the signature of a delivery. Needs WebCrypto: Node.js 20, workers, browsers.

const TOLERANCE = 300; // seconds

// Tells whether a delivery is ours and recent. `header` is the value of Service-Signature;
// `body` the bytes as they came (Uint8Array), before any parsing.
export async function verify(secret, header, body, now = Date.now() / 1000) {
  const times = [];
  const signatures = [];
  for (const part of (header ?? "").split(",")) {
    const [, name, value] = /^\s*([^=]*)=?(.*?)\s*$/s.exec(part);
    if (name === "t") times.push(value);
    if (name === "v1" && /^[0-9a-f]{64}$/.test(value)) signatures.push(value);
  }
  if (times.length !== 1 || !/^(0|[1-9][0-9]{0,14})$/.test(times[0])) return false;
  if (Math.abs(now - Number(times[0])) > TOLERANCE) return false;

  const bytes = new TextEncoder();
  const start = bytes.encode(`${times[0]}.`);
  const signed = new Uint8Array(start.length + body.length);
  signed.set(start);
  signed.set(body, start.length);
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const raw = bytes.encode(secret);
  const key = await crypto.subtle.importKey("raw", raw, hmac, false, ["verify"]);
  for (const one of signatures) {
    const given = Uint8Array.from(one.match(/../g), (pair) => parseInt(pair, 16));
    // Compares in constant time.
    if (await crypto.subtle.verify("HMAC", key, given, signed)) return true;
  }
  return false;
}
""".lstrip()


@dataclass(frozen=True)
class VerifierSample:
    """Code in one language, with its file name for downloads."""

    language: str
    file: str
    content_type: str
    code: str


SAMPLES = (
    VerifierSample("Python", "verify_webhook.py", "text/x-python; charset=utf-8", PYTHON),
    VerifierSample(
        "JavaScript", "verify_webhook.mjs", "text/javascript; charset=utf-8", JAVASCRIPT
    ),
)


@dataclass(frozen=True)
class Vector:
    """A sample signature for comparison."""

    secret: str
    time: int
    body: str
    v1: str


VECTOR = Vector(
    secret="whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIj",  # noqa: S106  # a sample
    time=1_788_004_800,
    body="{}",
    v1="86ac1c557fefd473a509d929d3aa92efeceab943505284333a034d226a7735d8",
)
