"""deploy/access-console: root runs manage.py as the service's user, who owns what it writes."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509
from django.db import connection
from django.test import Client, override_settings

from agreements.pki import certificates, seal_keys
from console.launch.postgres import SITE
from console.launch.setup import ROOT
from tests.launch import private_root
from tests.launch.deployed import DEPLOY, filled

pytestmark = pytest.mark.check

SERVICE = 64_990
CHECKOUT = "/opt/access-console"
WRAPPER = f"{CHECKOUT}/deploy/access-console"


@pytest.fixture
def data(transactional_db: None) -> Iterator[Path]:
    """Yield a data folder of the service's user, who can also reach the database."""
    cluster = Path(os.environ["CLUSTER_DIR"])
    folder = cluster / "of-the-service"
    folder.mkdir(mode=0o700)
    os.chown(folder, SERVICE, SERVICE)
    closed = [cluster, cluster / "run"]
    for path in closed:
        path.chmod(0o711)
    next((cluster / "run").glob(".s.PGSQL.*[0-9]")).chmod(0o777)
    yield folder
    for path in closed:
        path.chmod(0o700)
    shutil.rmtree(folder)


def site(data: Path) -> dict[str, str]:
    """Return the example settings with this test's database and data folder."""
    at = connection.settings_dict
    url = f"postgres://{SITE}:{at['PASSWORD']}@/{at['NAME']}?host={at['HOST']}"
    return filled() | {
        "DATABASE_URL": url,
        "DATABASE_OWNER_URL": "",
        "DATA_DIR": str(data),
        "SELF_MADE_SEAL": "1",
    }


@pytest.fixture
def etc(tmp_path: Path, data: Path) -> Path:
    """Return an /etc with the service's user and its settings in three files."""
    there = shutil.copytree("/etc", tmp_path / "etc", symlinks=True)
    for name, rest in (("passwd", f"{SERVICE}::/nonexistent:/usr/sbin/nologin"), ("group", "")):
        with (there / name).open("a") as file:
            file.write(f"access-console:x:{SERVICE}:{rest}\n")
    folder = there / "access-console"
    folder.mkdir()
    (folder / "console.env").touch()
    (folder / "site.env").write_text("".join(f"{k}='{v}'\n" for k, v in site(data).items()))
    (folder / "site.env").chmod(0o600)
    return there


@private_root.needs_mounts
def test_a_seal_is_withdrawn_as_the_services_user(tmp_path: Path, data: Path, etc: Path) -> None:
    def say(*words: str) -> str:
        done = private_root.run(tmp_path, WRAPPER, *words, checkout=CHECKOUT, etc=etc)
        assert done.returncode == 0, done.stderr
        return done.stdout

    said = say("setup_seal")
    assert "Made a seal" in said
    (lost,) = (data / "pki").glob("[0-9]*")
    certificate = x509.load_pem_x509_certificate((lost / "seal.pem").read_bytes())
    fingerprint = certificates.fingerprint(certificate)
    said = say("withdraw_seal", fingerprint, "--since", "2026-11-20", "--reason", "A disk was lost")

    assert said == "The seal is withdrawn. Another is in its place.\n"
    assert {path.stat().st_uid for path in data.rglob("*")} == {SERVICE}
    with override_settings(PKI_DIR=data / "pki"):
        listed = Client().get("/verify/withdrawn.json")
        assert fingerprint in listed.text
        assert seal_keys.seal().certificate != certificate


@private_root.needs_mounts
def test_root_itself_writes_nothing_there(data: Path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "setup_seal"],
        cwd=ROOT,
        env=os.environ | site(data),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert f"DATA_DIR {data} belongs to user {SERVICE}" in done.stderr
    assert "deploy/access-console" in done.stderr
    assert not list(data.iterdir())


@private_root.needs_mounts
def test_others_than_root_are_told_whom_it_is_for() -> None:
    words = ["setpriv", "--reuid=65534", "--clear-groups", "sh", "-s"]
    script = (DEPLOY / "access-console").read_bytes()
    done = subprocess.run(words, input=script, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"Run this as root")


RECIPES = [*(ROOT / "docs").glob("operations.md"), DEPLOY / "README.md"]


@pytest.mark.parametrize("page", RECIPES, ids=lambda page: page.name)
def test_every_recipe_uses_it(page: Path) -> None:
    text = page.read_text()
    assert "`manage.py " not in text
    assert ".venv/bin/python" not in text
