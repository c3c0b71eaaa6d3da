"""Packs that earlier code executed still verify: one bundle for each version of the manifest.

Each was made by the code of its day and is kept as it was, with its root.
"""

import json
import subprocess
import sys
import zipfile
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography import x509
from django.conf import settings

from agreements.pki import certificates
from agreements.verification import inspection
from agreements.verification.findings import Trust

BUNDLES = sorted((Path(__file__).parent / "executed").glob("*.zip"))
ROOT = "root.pem"


@pytest.fixture(scope="module", params=BUNDLES, ids=lambda path: path.stem)
def unpacked(request, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp(request.param.stem)
    with zipfile.ZipFile(request.param) as archive:
        archive.extractall(folder)
    (inside,) = folder.iterdir()
    return inside


def test_there_is_one_for_each_version_of_the_manifest(unpacked):
    kept = {path.stem.rpartition("-")[2] for path in BUNDLES}
    said = json.loads((unpacked / "manifest.json").read_bytes())["_type"].rpartition(".")[2]
    assert kept == {"v1", "v2"}
    assert said in kept


def test_every_sealed_file_is_whole_and_leads_to_the_root_beside_it(unpacked):
    root = x509.load_pem_x509_certificate((unpacked / ROOT).read_bytes())
    trust = Trust((certificates.der(root),))
    files = sorted(unpacked.glob("*.pdf"))
    for file in files:
        found = inspection.inspect(file.read_bytes(), trust, datetime.now(UTC))
        assert (found.fault, found.root) == ("", certificates.fingerprint(root)), file.name
    assert len(files) > 10


def test_every_sum_is_right(unpacked):
    lines = (unpacked / "SHA256SUMS").read_text().splitlines()
    for line in lines:
        expected, name = line.split("  ", 1)
        assert sha256((unpacked / name).read_bytes()).hexdigest() == expected
    assert len(lines) > 10


def test_its_own_script_says_that_everything_is_in_order(unpacked):
    root = x509.load_pem_x509_certificate((unpacked / ROOT).read_bytes())
    said = subprocess.run(
        ["sh", "verify.sh", certificates.fingerprint(root)],
        cwd=unpacked, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert said.returncode == 0, said.stdout + said.stderr


@pytest.mark.parametrize("unpacked", BUNDLES[-1:], ids=["the format it knows"], indirect=True)
def test_the_checker_agrees(unpacked):
    root = x509.load_pem_x509_certificate((unpacked / ROOT).read_bytes())
    checker = Path(settings.ROOT, "docs", "check_evidence.py")
    said = subprocess.run(
        [sys.executable, checker, unpacked, certificates.fingerprint(root)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert said.returncode == 0, said.stdout + said.stderr
