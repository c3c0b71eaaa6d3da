"""The offline checker of the log's JSON lines, with all texts and without those of compliance."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.urls import reverse

from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.audit import chain
from console.audit import log as audit
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)
CHECKER = settings.ROOT / "docs" / "check_log.py"
HIDDEN = "hidden text, hash taken from the log"


def checked(path: Path, *heads: str) -> tuple[int, str]:
    """Return the exit code and the output of the checker."""
    command = [sys.executable, "-I", str(CHECKER), str(path), *heads]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def download(tmp_path: Path) -> Any:
    """Return a function that downloads the whole log as one of our staff."""
    people = {role: factories.one_of_staff(role) for role in (Role.AUDITOR, Role.COMPLIANCE)}
    business = factories.a_business()
    with transaction.atomic():
        audit.record("business.suspended", business, by=SYSTEM, reason="They may launder money.")
    for person in people.values():
        factories.signed_in(Client(), person)
    chain.link()

    def file(role: Role) -> Path:
        client = factories.signed_in(Client(), people[role])
        answer: Any = client.get(reverse("governance:log") + "?as=jsonl")
        path = tmp_path / f"{role}.jsonl"
        path.write_bytes(b"".join(answer.streaming_content))
        return path

    return file


def test_the_log_is_in_order_for_whoever_reads_all_of_it_or_not(download):
    head = chain.head()
    of_head = f"{head.count}:{head.hash}"
    code, said = checked(download(Role.COMPLIANCE), of_head)
    assert code == 0, said
    assert f"{head.count} of {head.count} entries" in said

    path = download(Role.AUDITOR)
    code, said = checked(path, of_head)
    assert "launder" not in path.read_text()
    assert code == 0, said
    assert said.count(HIDDEN) == 1
    assert f"{head.count - 1} of {head.count} entries" in said
    assert checked(path, f"{head.count}:{'0' * 64}")[0] == 1


@pytest.mark.parametrize("role", [Role.AUDITOR, Role.COMPLIANCE])
def test_an_edited_or_removed_entry_shows(download, role):
    path = download(role)
    whole = path.read_text()
    path.write_text(whole.replace("Acme", "Emca", 1))
    assert checked(path)[0] == 1
    newest, before, _removed, *others = whole.splitlines(keepends=True)
    path.write_text("".join([newest, before, *others]))
    code, said = checked(path)
    assert (code, "does not have the entry before it" in said) == (0, True)
    path.write_text("no entry\n")
    assert checked(path)[0] == 1
