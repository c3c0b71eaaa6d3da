"""The checkers and their description: public, named in every bundle, and independent of us."""

import ast
import sys

import pytest
from django.conf import settings

from agreements.sealing.instruction_views import FILES
from tests.agreements.sealing import made

CHECKER = settings.ROOT / "docs" / "check_evidence.py"


@pytest.mark.parametrize("name", FILES)
def test_anybody_gets_them_as_text(client, db, name):
    page = client.get(f"/verify/{name}")
    assert page.status_code == 200
    assert page.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    assert page.content == FILES[name].read_bytes()


@pytest.mark.parametrize("name", ["evidence", "check_evidence.pyc", "..%2fREADME.md", "root.key"])
def test_nothing_else_is_served_there(client, db, name):
    assert client.get(f"/verify/{name}").status_code == 404


def test_every_bundle_names_them():
    said = made.a_bundle(codes=("MSA",)).files()["READ-ME.txt"].decode()
    for name in FILES:
        assert f"https://access-console.example/verify/{name}" in said


def test_the_checker_is_short_and_has_nothing_of_ours():
    text = CHECKER.read_text("utf-8")
    assert len(text.splitlines()) <= 195
    names = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(str(node.module))
    assert names
    assert names <= sys.stdlib_module_names


def test_the_description_names_every_file():
    text = (settings.ROOT / "docs" / "evidence.md").read_text("utf-8")
    for name in made.a_bundle(codes=("MSA",), simulated_time=True).files():
        folder, _, inner = name.rpartition("/")
        general = {"acts": "NN.json", "approvals": "NN-role.json", "html": "NN-CODE.html"}
        shown = f"{folder}/{general[folder]}" if folder else name.replace("01-MSA", "NN-CODE")
        assert f"`{shown}`" in text, name
        assert inner
