"""DATABASE_URL: what it says of TLS and the rest reaches every connection, or refuses to start."""

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connections

from api.gateway.database import Database
from console import env


def test_options_of_the_address_are_kept():
    found = env.database(
        "postgres://site:p%40ss@db.example.com:5433/console?sslmode=verify-full"
        "&sslrootcert=/etc/ssl/db.pem&target_session_attrs=read-write"
    )
    assert (found["HOST"], found["PORT"], found["PASSWORD"]) == ("db.example.com", "5433", "p@ss")
    assert found["OPTIONS"] == {
        "sslmode": "verify-full",
        "sslrootcert": "/etc/ssl/db.pem",
        "target_session_attrs": "read-write",
    }


def test_a_sockets_folder_is_the_host():
    found = env.database("postgres://site@/console?host=/run/db&port=5433")
    assert (found["HOST"], found["PORT"], found["OPTIONS"]) == ("/run/db", "5433", {})


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("postgres://site@db/console?slmode=verify-full", "slmode, which PostgreSQL does not know"),
        ("postgres://site@db/console?sslmode=", "sslmode once, with a value"),
        ("postgres://site@db/console?sslmode=require&sslmode=disable", "sslmode once"),
        ("postgres://site@db:port/console", "a port that is none"),
        ("mysql://site@db/console", "must begin with postgres://"),
    ],
)
def test_what_cannot_be_honoured_refuses_to_start(url, words):
    with pytest.raises(ImproperlyConfigured, match=words):
        env.database(url)


def test_the_api_connects_with_the_same_options(monkeypatch):
    at = connections["default"].settings_dict
    monkeypatch.setitem(at, "OPTIONS", {**at["OPTIONS"], "options": "-c work_mem=5MB"})
    with Database().connect() as link:
        assert link.execute("SHOW work_mem").fetchone() == ("5MB",)
        assert link.execute("SHOW statement_timeout").fetchone() == ("5s",)
        assert link.info.parameter_status("application_name") == "gateway"
