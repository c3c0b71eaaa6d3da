"""Every environment variable is described, and the deployment examples set no others."""

import re

import pytest

from console.core.management.commands.settings import variables
from tests.guards.tree import ROOT


def read_past(source: str) -> list[int]:
    """Return the numbers of lines that bypass the typed environment reader."""
    return [
        number
        for number, line in enumerate(source.splitlines(), 1)
        if re.search(r"\bos\.(environ|getenv)\b", line)
    ]


SETTINGS = (ROOT / "console/settings.py").read_text()
NAMES = {one.name for one in variables(SETTINGS)}


def test_every_variable_is_described():
    assert len(NAMES) > 25
    assert [one.name for one in variables(SETTINGS) if not one.about.endswith(".")] == []


def test_the_settings_have_one_reader():
    assert read_past(SETTINGS) == []


EXAMPLES = ("console", "site", "owner")
# Secrets, by the only environment file that may contain them.
SECRETS = {
    "site": {
        *("DATABASE_URL", "BROKER_URL", "SECRET_KEY", "VAULT_KEYS", "KEY_PEPPER"),
        *("EMAIL_HOST_USER", "EMAIL_HOST_PASSWORD", "DOCUMENT_STORE_KEY", "SEAL_PKCS11_PIN"),
        *("OIDC_CLIENT_SECRET", "COMPANIES_HOUSE_KEY", "SCREENING_KEY"),
    },
    "owner": {"DATABASE_OWNER_URL"},
}


def named_in(name):
    example = (ROOT / f"deploy/{name}.env.example").read_text()
    return set(re.findall(r"^([A-Z_0-9]+)=", example, re.MULTILINE))


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_of_an_installation_name_settings_that_exist(name):
    assert named_in(name) - NAMES == set()


def test_each_secret_stands_in_the_file_of_those_who_must_know_it():
    assert {name: named_in(name) for name in SECRETS} == SECRETS
    assert named_in("console") & set.union(*SECRETS.values()) == set()


def test_only_prepare_reads_the_owners_file():
    read = {
        unit.name: set(
            re.findall(r"^EnvironmentFile=.*/(\w+)\.env$", unit.read_text(), re.MULTILINE)
        )
        for unit in (ROOT / "deploy").glob("*.service")
    }
    assert read == {
        "access-console-prepare.service": {"console", "site", "owner"},
        "access-console@.service": {"console", "site"},
    }


def test_no_part_can_read_the_environment_of_prepare():
    unit = (ROOT / "deploy/access-console@.service").read_text().splitlines()
    # Both run as the same user, so only another user namespace separates them.
    assert {"User=access-console", "PrivateUsers=yes"} <= set(unit)
