"""Time-stamping service of a seal: none, RFC 3161 authorities, or the demo's simulated one.

    service()              the pyHanko TimeStamper that TSA_URL configures, or None
    state_of(service)      "trusted", "simulated" or "none": what a seal made with it can claim
    token(service, data)   a detached time-stamp response for a file (`manifest.tsr`)
    chain_of(token)        the certificates in it (`tsa-chain.pem`)
    roots()                the authorities whose time we trust, from TSA_ROOT_FILE

TSA_URL is empty, one or more URLs to try in order, or the word `simulated`, which only the demo
accepts. If no authority responds there is no token, and none is simulated instead.
"""

import asyncio
import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeVar

from asn1crypto import keys, pem, tsp, x509
from cryptography.hazmat.primitives import serialization
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from agreements.pki import certificates
from console.core import clock

if TYPE_CHECKING:
    from pyhanko.sign.timestamps import TimeStamper

    from agreements.pki.time_stampers import Authorities, Simulated

TimeState = Literal["trusted", "simulated", "pending", "none"]

SIMULATED = "simulated"
T = TypeVar("T")


class TimeUnavailable(Exception):
    """Raised when no time-stamping authority responded; try again later."""


def service() -> "TimeStamper | None":
    """Return the service that the setting configures."""
    if not settings.TSA_URL:
        return None
    if settings.TSA_URL != SIMULATED:
        return _authorities(tuple(settings.TSA_URL.replace(",", " ").split()))
    if not settings.DEMO:
        raise ImproperlyConfigured("TSA_URL=simulated is for DEMO=1 alone.")
    return simulated()


def state_of(service: "TimeStamper | None") -> TimeState:
    """Return what a seal made with this service can claim about its time."""
    if service is None:
        return "none"
    from agreements.pki.time_stampers import Simulated

    return "simulated" if isinstance(service, Simulated) else "trusted"


def token(service: "TimeStamper | None", data: bytes) -> bytes:
    """Return a time-stamp response for the data (DER), or empty without a service."""
    if service is None:
        return b""
    digest = hashlib.sha256(data).digest()
    try:
        stamped = by_itself(lambda: asyncio.run(service.async_timestamp(digest, "sha256")))
    except OSError as error:
        raise TimeUnavailable(f"No time stamp: {error}") from error
    answer = tsp.TimeStampResp({"status": {"status": "granted"}, "time_stamp_token": stamped})
    return bytes(answer.dump())


def answers(service: "TimeStamper") -> bool:
    """Tell whether the service responds now."""
    try:
        return bool(token(service, b"Is anybody there?"))
    except TimeUnavailable:
        return False


def chain_of(token: bytes) -> bytes:
    """Return the certificates of the authority that stated a time, as PEM with their names.

    These are the certificates in the response and the roots that we trust. To verify the time, one
    of them must be named.
    """
    signed = tsp.TimeStampResp.load(token)["time_stamp_token"]["content"]
    inside = [one.chosen for one in signed["certificates"]]
    chain = {one.sha256: one for one in (*inside, *map(x509.Certificate.load, roots()))}.values()
    return b"".join(
        f"# {one.subject.human_friendly}\n".encode() + pem.armor("CERTIFICATE", one.dump())
        for one in chain
    )


def roots() -> tuple[bytes, ...]:
    """Return the certificates (DER) of the authorities whose time we trust."""
    if not settings.TSA_ROOT_FILE:
        return ()
    from agreements.pki import seal_keys

    return tuple(
        certificates.der(one) for one in seal_keys.read_certificates(settings.TSA_ROOT_FILE)
    )


@lru_cache(maxsize=1)
def simulated() -> "Simulated":
    """Return this process's simulated service."""
    from agreements.pki.time_stampers import Simulated

    made = certificates.make_simulated_time_stamper(clock.now())
    return Simulated(
        x509.Certificate.load(certificates.der(made.certificate)),
        keys.PrivateKeyInfo.load(certificates.key_bytes(made.key, serialization.Encoding.DER)),
    )


def by_itself(work: Callable[[], T]) -> T:
    """Run work that starts an event loop in its own thread, as the caller may already have one."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(work).result()


@lru_cache(maxsize=4)
def _authorities(urls: tuple[str, ...]) -> "Authorities":
    from agreements.pki.time_stampers import Authorities

    return Authorities(urls)
