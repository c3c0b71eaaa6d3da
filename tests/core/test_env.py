"""DATABASE_URL: what it says of TLS and the rest reaches every connection, or refuses to start."""

import asyncio

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connections

from apikeys.webhooks.dispatcher import database as dispatcher_database
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


@pytest.mark.parametrize("more", [{}, {"application_name": "ours", "connect_timeout": "7"}])
def test_what_the_address_says_wins_over_our_own(monkeypatch, more):
    at = connections["default"].settings_dict
    monkeypatch.setitem(at, "OPTIONS", {**at["OPTIONS"], **more})

    async def of_deliver():
        async with await dispatcher_database.connect() as link:
            return link.info.get_parameters()

    assert more.items() <= asyncio.run(of_deliver()).items()


def test_a_service_file_names_the_database(monkeypatch, tmp_path):
    """`?service=` leaves the name of the database to the file: an empty one would win over it."""
    at = connections["default"].settings_dict
    file = tmp_path / "services"
    file.write_text(f"[console]\ndbname={at['NAME']}\n")
    monkeypatch.setenv("PGSERVICEFILE", str(file))
    monkeypatch.setitem(at, "OPTIONS", {"service": "console"})
    name = at["NAME"]
    monkeypatch.setitem(at, "NAME", "")
