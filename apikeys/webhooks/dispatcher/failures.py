"""Short, stable error messages of failed attempts that reveal nothing about our network."""

import errno
import ssl

import aiohttp

from console.core.egress import DestinationRefused

NOT_ALLOWED = "destination not allowed"
WORKER_LOST = "outcome unknown (worker lost)"
# Messages for OpenSSL's `verify_code`.
_CERTIFICATE = {
    10: "tls: certificate has expired",
    18: "tls: certificate is self-signed",
    19: "tls: certificate is self-signed",
    62: "tls: certificate is for another host",
    64: "tls: certificate is for another host",
}


class NameUnknown(Exception):
    """The host name does not resolve."""


class NameTimeout(Exception):
    """The name lookup timed out."""


def of_status(status: int) -> str:
    """Return the error message for a status other than 2xx."""
    if status == 410:
        return "gone (410)"
    return "redirect not followed" if 300 <= status < 400 else f"http {status}"


def of_exception(error: Exception, total: float) -> str:
    """Return the error message for an attempt that ended without a status line."""
    if isinstance(error, DestinationRefused):
        return NOT_ALLOWED
    if isinstance(error, NameUnknown):
        return "dns: name not found"
    if isinstance(error, NameTimeout):
        return "dns: no answer in time"
    if isinstance(error, aiohttp.ConnectionTimeoutError):
        return "connect timeout"
    if isinstance(error, TimeoutError):
        return f"timeout after {total:g} s"
    return _of_connection(error)


def _of_connection(error: Exception) -> str:
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        code = getattr(error.certificate_error, "verify_code", 0)
        return _CERTIFICATE.get(code, "tls: certificate is not trusted")
    if isinstance(error, (aiohttp.ClientConnectorSSLError, ssl.SSLError)):
        return "tls: no agreement"
    if isinstance(error, aiohttp.ServerDisconnectedError):
        return "connection closed without an answer"
    if isinstance(error, (aiohttp.ClientResponseError, aiohttp.InvalidURL)):
        return "not an http answer"
    refused = isinstance(error, OSError) and error.errno == errno.ECONNREFUSED
    return "connection refused" if refused else "connection failed"
