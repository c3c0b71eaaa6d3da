"""Settings: invalid ones prevent start-up, and DATABASE_URL applies to every connection."""

import base64
import runpy
import ssl
import sys
from urllib.parse import quote

import pytest
from django.core.exceptions import ImproperlyConfigured

from console import env
from console.launch.check import PRODUCTION
from console.launch.setup import ROOT
from tests.guards import test_settings


@pytest.fixture
def settings_with(monkeypatch):
    """Return the settings of an installation with one variable changed."""
    for name, value in PRODUCTION.items():
        monkeypatch.setenv(name, value)

    def read(name, value):
        monkeypatch.setenv(name, value)
        return runpy.run_path(str(ROOT / "console/settings.py"))

    return read


KEY = base64.b64encode(b"k" * 32).decode()
KEYS = {
    "no number": KEY,
    "a word for a number": f"one:{KEY}",
    "the number 0": f"0:{KEY}",
    "a number that no byte holds": f"256:{KEY}",
    "one number twice": f"1:{KEY},1:{KEY}",
    "no key": "1:",
    "too short": f"1:{base64.b64encode(b'k' * 31).decode()}",
    "too long": f"1:{base64.b64encode(b'k' * 33).decode()}",
    "no base64": f"1:{'-' * 44}",
    "a comma behind": f"1:{KEY},",
}


@pytest.mark.parametrize("value", KEYS.values(), ids=KEYS)
def test_malformed_keys_refuse_to_start_and_are_not_repeated(monkeypatch, value):
    monkeypatch.setenv("KEY_PEPPER", value)
    with pytest.raises(ImproperlyConfigured, match="KEY_PEPPER must list keys of 32 bytes") as said:
        env.keys("KEY_PEPPER")
    assert KEY not in str(said.value)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("SECRET_KEY", " ", "Set SECRET_KEY"),
        ("VAULT_KEYS", "", "Set VAULT_KEYS"),
        ("KEY_PEPPER", "", "Set KEY_PEPPER"),
        ("DATABASE_URL", "", "Set DATABASE_URL"),
        ("TSA_URL", "simulated", "TSA_URL says 'simulated'"),
        ("CHECK_PROVIDERS", "registry=simulated-register", "which exists with DEMO=1 only"),
        ("CHECK_PROVIDERS", "registers", "CHECK_PROVIDERS must list each kind once"),
        ("TSA_URL", "https://a.example, b.example", "TSA_URL says 'b.example'"),
        ("BASE_URL", "console.example.com", "BASE_URL says 'console.example.com'"),
        ("TRUSTED_PROXIES", "10.0.0.1/24", "TRUSTED_PROXIES names no network"),
        ("TRUSTED_PROXIES", "the proxy", "TRUSTED_PROXIES names no network"),
        ("EMAIL_PORT", "²", "EMAIL_PORT is '²'"),
        ("LOG_LEVEL", "loud", "LOG_LEVEL is 'LOUD'"),
        ("DNS_SERVER", "9.9.9.9", "DNS_SERVER says '9.9.9.9'"),
        ("SENTRY_DSN", "key", "SENTRY_DSN says 'key'"),
        ("OIDC_ISSUER", "http://login.example.com", "OpenID providers have https://"),
        ("WORKERS", "0", "say 1 or more"),
        ("WEB_CONCURRENCY", "0", "say 1 or more"),
        ("SECRET_KEY_FILE", "/etc/hostname", "Set SECRET_KEY or SECRET_KEY_FILE, not both"),
        ("SCREENING_KEY_FILE", "/nonexistent", "which cannot be read: No such file"),
        ("SCREENING_KEY_FILE", "/usr", "which cannot be read: Is a directory"),
        ("SCREENING_KEY_FILE", sys.executable, "which cannot be read: it is not text"),
        ("CA_FILE", "/nonexistent", "CA_FILE names /nonexistent, which cannot be read"),
        ("CA_FILE", str(ROOT / "README.md"), "which is no PEM file"),
    ],
)
def test_a_setting_that_makes_no_sense_refuses_to_start(settings_with, name, value, words):
    with pytest.raises(ImproperlyConfigured, match=words):
        settings_with(name, value)


SECRETS = {
    **dict.fromkeys(("SECRET_KEY", "OIDC_CLIENT_SECRET", "EMAIL_HOST_PASSWORD"), "a secret"),
    **dict.fromkeys(("SEAL_PKCS11_PIN", "COMPANIES_HOUSE_KEY", "SCREENING_KEY"), "a secret"),
    **dict.fromkeys(("VAULT_KEYS", "KEY_PEPPER"), f"1:{KEY}"),
    **dict.fromkeys(("DATABASE_URL", "DATABASE_OWNER_URL"), "postgres://site:pw@db/console"),
    "BROKER_URL": "redis://:pw@broker/0",
    "DOCUMENT_STORE_KEY": "key:secret",
    "EMAIL_HOST_USER": "console",
}


def test_every_secret_is_read_from_a_file(settings_with, monkeypatch, tmp_path):
    for name in SECRETS:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv(f"{name}_FILE", str(tmp_path / name))
        (tmp_path / name).write_text(SECRETS[name] + "\n")
    by_file = settings_with("DEMO", "0")
    for name in SECRETS:
        monkeypatch.delenv(f"{name}_FILE")
        monkeypatch.setenv(name, SECRETS[name])
    by_name = settings_with("DEMO", "0")
    kept = [one for one in by_name if one.isupper() or one == "_DOCUMENT_KEY"]
    assert {one: by_file[one] for one in kept} == {one: by_name[one] for one in kept}
    assert by_file["SECRET_KEY"] == "a secret"
    assert set(SECRETS) == set.union(*test_settings.SECRETS.values())


def test_a_file_of_authorities_is_for_the_bucket_and_the_broker(settings_with, monkeypatch):
    own = ssl.get_default_verify_paths().openssl_cafile
    monkeypatch.setenv("DOCUMENT_STORE", "s3://bucket")
    monkeypatch.setenv("BROKER_URL", "rediss://broker.example.com/0?ssl_cert_reqs=required")
    read = settings_with("CA_FILE", own)
    assert read["STORAGES"]["documents"]["OPTIONS"]["verify"] == own
    assert read["BROKER_URL"].endswith(f"required&ssl_ca_certs={quote(own, safe='')}")
    read = settings_with("BROKER_URL", "rediss://broker.example.com/0?ssl_ca_certs=/a.pem")
    assert read["BROKER_URL"].endswith("?ssl_ca_certs=/a.pem")


def test_the_providers_name_is_kept_as_it_is_set(settings_with):
    assert settings_with("OIDC_ISSUER", "https://a.example/")["OIDC_ISSUER"] == "https://a.example/"
    assert settings_with("OIDC_ISSUER", "off")["OIDC_ISSUER"] == ""


def test_the_demo_may_simulate_the_time(settings_with, monkeypatch):
    monkeypatch.setenv("DEMO", "1")
    assert settings_with("TSA_URL", "simulated")["TSA_URL"] == "simulated"


def test_several_keys_are_read_newest_first(settings_with):
    read = settings_with("VAULT_KEYS", f"2:{base64.b64encode(b'n' * 32).decode()}, 1:{KEY}")
    assert list(read["VAULT_KEYS"].items()) == [(2, b"n" * 32), (1, b"k" * 32)]


def test_a_blank_line_is_an_absent_setting(settings_with):
    """A blank DATA_DIR would mean the current directory."""
    assert settings_with("DATA_DIR", "")["DATA_DIR"] == ROOT / "var"
    assert settings_with("DEMO", "")["DEMO"] is False
    assert settings_with("PORT", "")["PORT"] == 8000
    assert settings_with("ALLOWED_HOSTS", "")["ALLOWED_HOSTS"][0] == ".localhost"


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


@pytest.mark.parametrize("value", ["red", "#fff", "#12345g", "0b5cad", "#0b5cad;}", "#ffd500"])
def test_a_colour_that_is_none_or_too_light_prevents_the_start(settings_with, value):
    with pytest.raises(ImproperlyConfigured, match="CONSOLE_COLOUR"):
        settings_with("CONSOLE_COLOUR", value)


@pytest.mark.parametrize("value", ["#0b5cad", "#0B5CAD", "#767676", "#000000"])
def test_a_colour_that_is_readable_on_white_is_taken(settings_with, value):
    assert settings_with("CONSOLE_COLOUR", value)["CONSOLE_COLOUR"] == value.lower()


def test_a_logo_that_is_no_svg_prevents_the_start(settings_with, tmp_path):
    logo = tmp_path / "logo.svg"
    for written in (None, b"GIF89a", bytes([0xFF, 0xD8, 0xFF])):
        if written is not None:
            logo.write_bytes(written)
        with pytest.raises(ImproperlyConfigured, match="CONSOLE_LOGO"):
            settings_with("CONSOLE_LOGO", str(logo))
