"""Deployment checks: forbidden settings and database states."""

import pytest
from django.core import checks as django_checks
from django.core.management import CommandError, call_command
from django.db import connection

from console.core import checks, connection_checks, database_privileges
from tests import seal_files
from tests.databases import as_owner

COMPANY = "console.E012"


def ids(found):
    return [message.id for message in found]


@pytest.fixture
def _production(settings, tmp_path):
    settings.SELF_MADE_SEAL = False
    for name, path in seal_files.make(tmp_path / "seal").items():
        setattr(settings, name, path)
    settings.DEMO, settings.HTTPS = False, True
    settings.DATABASE_OWNER_URL = "postgres://owner@localhost/console"
    settings.TRUSTED_PROXIES = ["10.0.0.0/24"]
    settings.WEBHOOK_EGRESS_ALLOW_CIDRS, settings.WEBHOOK_ALLOW_HTTP = [], False
    settings.LIVE_NETWORKS_ALLOW_CIDRS = []
    settings.SUPPORT_EMAIL = "support@example.com"
    settings.EMAIL_HOST, settings.EMAIL_USE_TLS = "mail.example.com", True
    settings.BASE_URL = "https://console.example.com"
    settings.CHECKOUT_ORIGIN = "https://pay.example.com"
    settings.ALLOWED_HOSTS = ["console.example.com", "pay.example.com"]


def ours():
    everything = django_checks.run_checks(include_deployment_checks=True, databases=["default"])
    # The tests use the example company, which has tests of its own.
    return [name for name in ids(everything) if name.startswith("console.") and name != COMPANY]


@pytest.mark.usefixtures("_production")
def test_a_safe_installation_passes():
    assert ours() == []


@pytest.mark.usefixtures("_production")
@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("DEMO", True, ["console.E001"]),
        ("HTTPS", False, ["console.E002"]),
        ("DATABASE_OWNER_URL", "postgres://site@localhost/console", ["console.E003"]),
        ("DATABASE_OWNER_URL", "", []),  # only `prepare` knows it
        ("ALLOWED_HOSTS", ["console.example.com", "*"], ["console.E005"]),
        ("TRUSTED_PROXIES", [], ["console.E006"]),
        ("WEBHOOK_EGRESS_ALLOW_CIDRS", ["127.0.0.0/8"], ["console.E007"]),
        ("WEBHOOK_ALLOW_HTTP", True, ["console.E008"]),
        ("LIVE_NETWORKS_ALLOW_CIDRS", ["127.0.0.0/8"], ["console.E009"]),
        ("CHECKOUT_ORIGIN", "http://pay.example.com", ["console.E013"]),
        ("CHECKOUT_ORIGIN", "https://elsewhere.example.com", ["console.E013"]),
        ("CHECKOUT_ORIGIN", "https://console.example.com:8443", ["console.E013"]),
        ("SUPPORT_EMAIL", "", ["console.I001"]),
        ("BASE_URL", "http://console.example.com", ["console.E020"]),
        ("EMAIL_USE_TLS", False, ["console.E020"]),
        ("BROKER_URL", "redis://broker.example.com/0", ["console.E020"]),
        ("BROKER_URL", "redis://10.0.0.9/0", ["console.E020"]),
        ("BROKER_URL", "rediss://broker.example.com/0", ["console.E020"]),
        ("BROKER_URL", "rediss://broker.example.com/0?ssl_cert_reqs=none", ["console.E020"]),
        ("BROKER_URL", "rediss://broker.example.com/0?ssl_cert_reqs=required", []),
        ("BROKER_URL", "redis+socket:///run/broker.sock", []),
        ("BROKER_URL", "redis://valkey:6379/0", []),  # a container beside this one
        ("SCREENING_URL", "http://yente.example.com", ["console.E020"]),
        ("SCREENING_LISTS", {"un": "http://lists.example.com/un.xml"}, ["console.E020"]),
        ("SCREENING_LISTS", {"un": "https://lists.example.com/un.xml"}, []),
        ("GLEIF_URL", "http://192.0.2.7/api", ["console.E020"]),
        ("DB_POOL", 3, ["console.E022"]),
        ("DB_POOL", 9, []),
    ],
)
def test_a_setting_that_is_not_for_an_installation_is_found(settings, name, value, found):
    setattr(settings, name, value)
    assert ours() == found


@pytest.mark.usefixtures("_production")
@pytest.mark.parametrize(
    ("name", "value"), [("SELF_MADE_SEAL", True), ("SEAL_LIST_FILE", ""), ("SEAL_CERT_FILE", "")]
)
def test_a_host_that_makes_its_own_seal_or_list_is_refused(settings, name, value):
    setattr(settings, name, value)
    if name == "SEAL_CERT_FILE":
        settings.SEAL_KEY_FILE = ""
    assert ours() == ["console.E015"]


@pytest.mark.usefixtures("_production")
def test_the_database_and_the_bucket_on_other_hosts_need_tls(settings, monkeypatch):
    database = settings.DATABASES["default"]
    for host, mode, found in (
        ("db.example.com", "prefer", ["console.E020"]),
        ("db.example.com", "verify-full", []),
        ("/run/postgresql", "disable", []),
    ):
        monkeypatch.setitem(database, "HOST", host)
        monkeypatch.setitem(database, "OPTIONS", {**database["OPTIONS"], "sslmode": mode})
        assert ids(connection_checks.tls_to_other_hosts(None)) == found
    options = {"endpoint_url": "http://s3.example.com"}
    settings.STORAGES = settings.STORAGES | {"documents": {"BACKEND": "", "OPTIONS": options}}
    assert ids(connection_checks.tls_to_other_hosts(None)) == ["console.E020"]


@pytest.mark.usefixtures("_production")
@pytest.mark.parametrize(
    ("name", "like"),
    [
        ("SCREENING_LIST", "SCREENING_LISTS"),
        ("ALOWED_HOSTS", "ALLOWED_HOSTS"),
        ("DB_POLL", "DB_POOL"),
        ("EMAIL_HOST_PASWORD", "EMAIL_HOST_PASSWORD"),
        ("SEAL_KEYFILE", "SEAL_KEY_FILE"),
    ],
)
def test_a_misspelt_setting_is_refused(monkeypatch, name, like):
    monkeypatch.setenv(name, "1")
    (found,) = connection_checks.known_names(None)
    assert (found.id, found.hint) == ("console.E021", f"Did you mean {like}?")
    monkeypatch.delenv(name)
    monkeypatch.setenv("SCREENING_KEY_FILE", "/run/secrets/key")
    assert connection_checks.known_names(None) == []


@pytest.mark.usefixtures("_production", "forbidden_namespaces")
def test_a_system_that_forbids_isolation_is_reported():
    assert ours() == ["console.I002"]


@pytest.mark.django_db(transaction=True)
def test_a_role_that_owns_the_tables_is_refused():
    connection.close()
    connection.settings_dict["USER"] = "owner"
    try:
        (found,) = checks.the_site_owns_nothing(None, databases=["default"])
    finally:
        connection.close()
        connection.settings_dict["USER"] = "site"
    assert found.id == "console.E004"


@pytest.mark.django_db
def test_before_the_first_start_a_sentence_says_that_tables_are_missing():
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL search_path = nowhere")
    with pytest.raises(CommandError, match="lacks tables"):
        call_command("check", deploy=True, databases=["default"])


def test_nothing_is_asked_of_a_database_that_was_not_named():
    assert checks.the_site_owns_nothing(None) == []


@pytest.mark.usefixtures("_production")
def test_a_site_that_may_create_tables_after_a_restore_is_refused():
    with as_owner() as owner:
        owner.execute(f'GRANT TEMPORARY ON DATABASE "{owner.info.dbname}" TO PUBLIC')
    try:
        assert ours() == ["console.E019"]
    finally:
        with as_owner() as owner:
            database_privileges.apply(owner)
    assert ours() == []
