"""Deployment checks: forbidden settings and database states."""

import pytest
from django.core import checks as django_checks
from django.db import connection

from console.core import checks, database_privileges
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
