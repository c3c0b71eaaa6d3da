"""Probes answer to any host over plain HTTP, and say what is wrong without telling secrets."""

import socket
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.db import OperationalError
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpResponse
from structlog.testing import capture_logs

from console.governance import health_notices
from console.observability import probes
from onboarding.checks import connected
from tests.services import Services

WELL = {"database": "ok", "migrations": "ok", "storage": "ok"}


@pytest.fixture(autouse=True)
def _without_memory(monkeypatch):
    """Ask anew each time."""
    monkeypatch.setattr(probes, "_KEEP", -1.0)


@pytest.mark.parametrize("host", ["10.0.0.7:8000", "", "evil.example", "[::1]"])
@pytest.mark.parametrize("path", ["/livez", "/readyz"])
def test_any_host_is_answered_over_plain_http(client, settings, host, path):
    settings.SECURE_SSL_REDIRECT = settings.HTTPS = True
    with capture_logs() as lines:
        answer = client.get(path, headers={"host": host})
    assert answer.status_code == 200
    assert lines == []


def test_a_process_that_is_well_says_so(client):
    said = client.get("/readyz").json()
    assert said | WELL == said


@pytest.mark.parametrize(
    ("peer", "forwarded"),
    [
        ("198.51.100.7", None),
        ("10.0.0.9", "127.0.0.1"),
        ("127.0.0.1", "198.51.100.7"),
        ("127.0.0.1", "127.0.0.1, 198.51.100.7"),
        ("127.0.0.1", "nonsense"),
        ("2001:db8::7", None),
    ],
)
@pytest.mark.parametrize("applied", [True, False])
def test_strangers_learn_only_whether_it_is_ready(
    client, settings, monkeypatch, peer, forwarded, applied
):
    settings.TRUSTED_PROXIES = ["127.0.0.1/32"]
    if not applied:
        monkeypatch.setattr(MigrationRecorder, "applied_migrations", lambda _: {})
    headers = {"x-forwarded-for": forwarded} if forwarded else {}
    with capture_logs() as lines:
        answer = client.get("/readyz", headers=headers, REMOTE_ADDR=peer)
    assert answer.status_code == (200 if applied else 503)
    assert answer.json() == {"ready": applied}
    assert ("migrations" in str(lines)) is not applied


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"])
def test_this_host_gets_the_reasons(client, peer):
    assert client.get("/readyz", REMOTE_ADDR=peer).json()["database"] == "ok"


def test_migrations_that_are_missing_are_counted(client, monkeypatch):
    monkeypatch.setattr(MigrationRecorder, "applied_migrations", lambda _: {})
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert "migrations are not applied" in answer.json()["migrations"]


def test_a_database_that_goes_away_meanwhile_is_named(client, monkeypatch):
    def gone():
        raise OperationalError

    monkeypatch.setitem(probes._warnings, "sanctions lists", gone)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["database"] == "The database does not answer (OperationalError)."


def test_a_store_that_cannot_be_written_to_is_named_without_its_path(client, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "a-file"
    settings.MEDIA_ROOT.write_bytes(b"")
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["database"] == "ok"
    assert "cannot be written to (Not a directory)" in answer.json()["storage"]
    assert str(tmp_path) not in answer.text


def test_files_that_are_read_without_isolation_are_named(client, forbidden_namespaces):
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert "forbids user namespaces" in answer.json()["isolation"]


def test_one_thread_asks_while_others_get_the_last_answer(rf, monkeypatch):
    asked, answered = Event(), Event()

    def slow():
        asked.set()
        answered.wait(30)
        return WELL, True

    monkeypatch.setattr(probes, "report", slow)
    middleware = probes.ProbesMiddleware(lambda _: HttpResponse())
    with ThreadPoolExecutor(1) as thread:
        first = thread.submit(middleware, rf.get("/readyz"))
        assert asked.wait(30)
        # Nothing is known yet.
        assert middleware(rf.get("/readyz")).status_code == 503
        answered.set()
        assert first.result().status_code == 200


def test_lists_that_cannot_be_used_are_named_where_they_are_used(client, settings):
    settings.CHECK_PROVIDERS = {"screening": "lists"}
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["sanctions lists"] == "No sanctions list has been imported."
    assert "No sanctions list has been imported." in health_notices.told()
    settings.CHECK_PROVIDERS = {"screening": "reviewer"}
    assert "No sanctions list has been imported." not in health_notices.told()
    assert connected.unusable_lists() == ""
    assert client.get("/readyz").json()["sanctions lists"] == "ok"


@pytest.mark.services
def test_a_server_without_database_lives_and_is_not_ready(services: Services):
    password = "canary-of-a-password"
    nowhere = f"postgres://site:{password}@/none?host=/nonexistent"
    services.start("web", DATABASE_URL=nowhere)
    live, ready = (raw(services.port, path) for path in ("/livez", "/readyz"))
    assert b" 200 " in live
    assert b" 503 " in ready
    assert b"The database does not answer (OperationalError)." in ready
    assert password.encode() not in ready
    assert b"nonexistent" not in ready


def raw(port: int, path: str) -> bytes:
    """Ask without a Host header, as some probes do."""
    with socket.create_connection(("127.0.0.1", port)) as link:
        link.sendall(f"GET {path} HTTP/1.0\r\n\r\n".encode())
        return b"".join(iter(lambda: link.recv(4096), b""))
