"""The script, the checker and the page detect every kind of tampering."""

import itertools
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client

from agreements.lifecycle import PackStatus
from agreements.models import Pack
from agreements.pki import certificates, seal_keys, time_stamping
from agreements.sealing import bundle
from agreements.verification.outcomes import Outcome
from console.core import blobs, clock
from console.core.digests import sha256_hex
from tests import factories
from tests.agreements.rendering.pdf import words
from tests.agreements.sealing.forging import World
from tests.agreements.sealing.tampering import TAMPERINGS, Tampering
from tests.proofs import Proven, proof

SCRIPT = bundle.EVIDENCE / "verify.sh"
CHECKER = Path(settings.ROOT, "docs", "check_evidence.py")
IN_ORDER, NOT_IN_ORDER, CANNOT = 0, 1, 2
# One of each kind; `make prove` uses all of them.
FEW = (
    "certificate padded", "document sealed by a stranger", "approval removed",
    "event inserted, chain made anew", "time by a stranger", "name that is a command",
)  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """Return a program's exit status and output."""

    code: int
    said: str

    @property
    def failed(self) -> list[str]:
        return [line for line in self.said.splitlines() if line.endswith("FAILED")]


@pytest.fixture(scope="module")
def executed(django_db_setup, django_db_blocker) -> Iterator[Pack]:
    """One executed pack for all these tests, time-stamped by a simulated authority.

    It has three documents, so that a hundred bundles can be checked.
    """
    patching, few = pytest.MonkeyPatch.context(), factories.few_documents()
    with django_db_blocker.unblock(), transaction.atomic(), patching as patch, few:
        patch.setattr(settings, "TSA_URL", time_stamping.SIMULATED)
        patch.setattr(settings, "DEMO", True)
        yield factories.walk_a_pack(PackStatus.EXECUTED, tier="LOW")
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def honest(executed: Pack, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its bundle, unpacked."""
    place = tmp_path_factory.mktemp("honest")
    with zipfile.ZipFile(BytesIO(blobs.get(executed.bundle_sha256))) as archive:
        archive.extractall(place)
    return place / executed.number


@pytest.fixture(scope="module")
def roots(honest: Path) -> tuple[str, str]:
    """Return our root, and the root of the time-stamping authority."""
    (authority,) = seal_keys.read_certificates(honest / "tsa-chain.pem")
    return certificates.fingerprint(seal_keys.seal().root), certificates.fingerprint(authority)


def run(*command: str | Path, cwd: Path) -> Asked:
    done = subprocess.run(
        command, capture_output=True, text=True, errors="replace", cwd=cwd, check=False, timeout=120
    )
    return Asked(done.returncode, done.stdout + done.stderr)


def script(folder: Path, roots: tuple[str, str]) -> Asked:
    """Run our script, not the forger's copy in the folder."""
    return run("/bin/sh", SCRIPT, *roots, folder, cwd=folder)


def checker(folder: Path, roots: tuple[str, str]) -> Asked:
    return run(sys.executable, "-I", CHECKER, folder, *roots, cwd=folder)


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder with their bytes, and mark everything else."""
    found = sorted(folder.rglob("*"))
    plain = {path for path in found if path.is_file() and not path.is_symlink()}
    return {
        str(path.relative_to(folder)): path.read_bytes() if path in plain else b"" for path in found
    }


def tampered(honest: Path, place: Path, tampering: Tampering) -> World:
    folder = place / "pack" / honest.name
    shutil.copytree(honest, folder)
    stranger = certificates.make_seal("Access Console Payments Limited", clock.now())
    world = World(folder, seal_keys.seal(), stranger)
    tampering.change(world)
    assert contents(folder) != contents(honest), "nothing was tampered with"
    world.sum_up(world.ours if tampering.signed else None)
    return world


def test_an_honest_bundle_is_in_order_for_both(honest, roots):
    for asked in (script(honest, roots), checker(honest, roots)):
        assert asked.code == IN_ORDER, asked.said
        assert not asked.failed


def test_the_certificate_says_how_each_act_was_proven_and_what_was_opened(honest):
    said = " ".join(words((honest / "00-certificate.pdf").read_bytes()).split())
    assert said.count("One-time code of an authenticator app, which only we could check") == 5
    assert "Opened and accepted 3 of 3 documents from" in said


def unnoticed(world: World, tampering: Tampering, roots: tuple[str, str]) -> list[str]:
    """Return which of the two programs missed it, or failed for the wrong reason."""
    by_script, by_checker = script(world.folder, roots), checker(world.folder, roots)
    found = []
    if by_script.code != NOT_IN_ORDER or not any(
        tampering.notices in one for one in by_script.failed
    ):
        found.append(f"verify.sh ended with {by_script.code}: {by_script.failed}")
    if by_checker.code != NOT_IN_ORDER:
        found.append(f"the checker ended with {by_checker.code}: {by_checker.said}")
    if list(world.folder.rglob("pwned")):
        found.append("it ran what it was to read")
    return found


def vouched_for(client: Client, world: World, honest: Path) -> list[str]:
    """Return the files that the page accepts although they are not part of this pack."""
    known = {sha256_hex(path.read_bytes()) for path in honest.rglob("*") if path.is_file()}
    found = []
    for path in sorted(world.folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            data = path.read_bytes()
            if sha256_hex(data) not in known and outcome(client, data) in VOUCHES:
                found.append(path.name)
    return found


VOUCHES = {Outcome.EXECUTED, Outcome.SHARED}
IN_EVERY_PACK = {
    "profile.json",
    "root.pem",
    "ruleset.json",
    "seal.pem",
    "tsa-chain.pem",
    "verify.sh",
}
_addresses = (f"10.1.{a}.{b}" for a, b in itertools.product(range(250), range(1, 250)))


def outcome(client: Client, data: bytes) -> Outcome:
    """Ask the public page about a file, each time from another address."""
    sent = SimpleUploadedFile("file", data, "application/octet-stream")
    page = client.post("/verify/", {"file": sent}, REMOTE_ADDR=next(_addresses))
    (said,) = re.findall(r'data-outcome="([^"]+)"', page.text)
    return Outcome(said)


def test_the_page_knows_every_file_of_an_honest_bundle(client, executed, honest):
    for path in sorted(path for path in honest.rglob("*") if path.is_file()):
        wanted = Outcome.SHARED if path.name in IN_EVERY_PACK else Outcome.EXECUTED
        assert outcome(client, path.read_bytes()) == wanted, path.name
    assert outcome(client, blobs.get(executed.bundle_sha256)) == Outcome.EXECUTED


@proof("R34", "tampered bundles", small=len(FEW), full=len(TAMPERINGS))
def test_no_tampering_goes_unnoticed(client, honest, roots, tmp_path, proven: Proven):
    names = list(TAMPERINGS if proven.size == len(TAMPERINGS) else FEW)
    found: dict[str, list[str]] = {}
    for number, name in enumerate(names):
        world = tampered(honest, tmp_path / str(number), TAMPERINGS[name])
        said = unnoticed(world, TAMPERINGS[name], roots)
        said += [f"/verify/ vouches for {one}" for one in vouched_for(client, world, honest)]
        found |= {name: said} if said else {}
        shutil.rmtree(tmp_path / str(number))
    figure = f"{len(names)} bundles, {len(found)} of them unnoticed"
    proven.reached(
        f"{figure}: {found}" if found else figure, met=len(names) == proven.size and not found
    )
