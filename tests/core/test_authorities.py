"""`CA_FILE`: the sign-on and the bucket accept certificates of an authority of one's own."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from console import env
from console.accounts import provider_client
from console.core.bucket_store import BucketStore
from tests.core import receiving
from tests.core.receiving import Listening


@pytest.fixture
def authority(tmp_path: Path) -> Path:
    return receiving.certificate(tmp_path, host="localhost")


@pytest.fixture
def server(authority: Path) -> Iterator[Listening]:
    """Answer HEAD with 404, and everything else with what an OpenID provider says of itself."""

    def behave(one: socket.socket) -> None:
        head = receiving.request_of(one)
        said = json.dumps({"issuer": f"https://localhost:{there.port}"}).encode()
        found = b"404 Not Found" if head.startswith(b"HEAD") else b"200 OK"
        one.sendall(b"HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n" % (found, len(said)))
        if not head.startswith(b"HEAD"):
            one.sendall(said)

    with receiving.listening(receiving.over_tls(behave, authority)) as there:
        yield there


def test_the_provider_of_our_staff(settings, monkeypatch, server, authority):
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):  # of this machine, which would win
        monkeypatch.delenv(name, raising=False)
    settings.OIDC_ISSUER = f"https://localhost:{server.port}"
    provider_client._client_of.cache_clear()
    with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
        provider_client.client()
    settings.CA_FILE = str(authority)
    provider_client._client_of.cache_clear()
    assert provider_client.client().server_metadata["issuer"] == settings.OIDC_ISSUER
    provider_client._client_of.cache_clear()


def test_the_bucket(monkeypatch, server, authority):
    address = f"s3://bucket?endpoint=https://localhost:{server.port}&region=eu-1"
    monkeypatch.setenv("DOCUMENT_STORE", address)
    plain, own = (
        BucketStore(**env.document_store("DOCUMENT_STORE", key="a:b", authorities=one)["OPTIONS"])
        for one in ("", str(authority))
    )
    with pytest.raises(OSError, match="SSL"):
        plain.exists("a")
    assert not own.exists("a")
