"""Every environment variable of the settings stands in README's table, and the other way round."""

import ast
import re

import pytest

from tests.guards.tree import ROOT

READERS = {"text", "flag", "number", "words", "folder", "keys", "networks", "addresses", "choice"}


def read_in(source: str) -> set[str]:
    """Return the variables that a settings module reads."""
    return {
        str(node.args[0].value)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and ast.unparse(node.func.value) == "env"
        and node.func.attr in READERS
        and isinstance(node.args[0], ast.Constant)
    }


def read_past(source: str) -> list[int]:
    """Return the lines that read the environment without its typed reader."""
    return [
        number
        for number, line in enumerate(source.splitlines(), 1)
        if re.search(r"\bos\.(environ|getenv)\b", line)
    ]


def listed_in(readme: str) -> set[str]:
    """Return the variables of README's table of settings."""
    section = readme.partition("\n## Settings")[2].partition("\n## ")[0]
    return set(re.findall(r"^\| `([A-Z_]+)`", section, re.MULTILINE))


SETTINGS = (ROOT / "console/settings.py").read_text()


def test_the_table_is_the_settings():
    assert len(read_in(SETTINGS)) > 25
    assert read_in(SETTINGS) ^ listed_in((ROOT / "README.md").read_text()) == set()


def test_the_settings_have_one_reader():
    assert read_past(SETTINGS) == []


EXAMPLES = ("console", "site", "owner")
# What only those who must know it may read, by the file that holds it.
SECRETS = {
    "site": {
        *("DATABASE_URL", "BROKER_URL", "SECRET_KEY", "VAULT_KEYS", "KEY_PEPPER"),
        *("EMAIL_HOST_USER", "EMAIL_HOST_PASSWORD"),
    },
    "owner": {"DATABASE_OWNER_URL"},
}


def named_in(name):
    example = (ROOT / f"deploy/{name}.env.example").read_text()
    return set(re.findall(r"^([A-Z_]+)=", example, re.MULTILINE))


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_of_an_installation_name_settings_that_exist(name):
    assert named_in(name) - read_in(SETTINGS) == set()


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
