"""The executed pack as anybody gets it: complete, the same every time, and checkable offline."""

import io
import json
import subprocess
import zipfile
from dataclasses import replace
from functools import cache

import pytest
from pyhanko.pdf_utils.reader import PdfFileReader

from agreements import bundle, certificates, manifest, sealing
from console.core.digests import canonical, sha256_hex
from tests.agreements.seal import made


@cache
def a_bundle() -> bundle.Bundle:
    return made.a_bundle()


def unpacked(folder, made_: bundle.Bundle | None = None):
    with zipfile.ZipFile(io.BytesIO((made_ or a_bundle()).zip())) as archive:
        archive.extractall(folder)
    return folder / "PK-2026-00001"


def checked(folder, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["sh", str(folder / "verify.sh"), *arguments], capture_output=True, text=True, check=False
    )


def test_the_same_parts_give_the_same_bytes():
    assert a_bundle().zip() == replace(a_bundle()).zip()


def test_files_are_stored_in_order_with_fixed_dates():
    with zipfile.ZipFile(io.BytesIO(a_bundle().zip())) as archive:
        entries = archive.infolist()
    assert {entry.compress_type for entry in entries} == {zipfile.ZIP_STORED}
    assert {entry.date_time for entry in entries} == {bundle.DAY}
    names = [entry.filename.partition("/")[2] for entry in entries]
    assert names[:4] == ["00-certificate.pdf", "01-CVR.pdf", "02-MSA.pdf", "03-FEE.pdf"]
    assert names[-1] == "SHA256SUMS"


def test_a_stranger_checks_it_offline_with_stock_tools(tmp_path):
    folder = unpacked(tmp_path)
    said = checked(folder, certificates.fingerprint(made.a_seal().root))
    assert said.returncode == 0, said.stdout + said.stderr
    assert "Everything is in order." in said.stdout
    for code in ("01-CVR", "02-MSA", "03-FEE"):
        assert f"{code}.pdf begins with exactly what was read" in said.stdout


def test_it_says_simulated_where_the_time_is(tmp_path):
    said = checked(unpacked(tmp_path, made.a_bundle(codes=("MSA",), simulated_time=True)))
    assert said.returncode == 0
    assert "SIMULATED, no evidence" in said.stdout


def test_another_root_is_noticed(tmp_path):
    said = checked(unpacked(tmp_path), "00" * 32)
    assert said.returncode == 1


def resummed(folder) -> None:
    """What a forger does as well: write the sums anew."""
    files = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "SHA256SUMS"
    }
    (folder / "SHA256SUMS").write_bytes(manifest.sums(files))


@pytest.mark.parametrize("file", ["01-CVR.pdf", "03-FEE.pdf", "manifest.json", "manifest.sig"])
def test_a_changed_file_is_noticed_even_with_new_sums(tmp_path, file):
    folder = unpacked(tmp_path)
    data = bytearray((folder / file).read_bytes())
    data[len(data) // 2] ^= 1
    (folder / file).write_bytes(data)
    resummed(folder)
    said = checked(folder)
    assert said.returncode == 1
    assert "FAILED" in said.stdout


def test_a_paper_too_many_or_too_few_is_noticed(tmp_path):
    folder = unpacked(tmp_path)
    (folder / "04-XXX.pdf").write_bytes((folder / "02-MSA.pdf").read_bytes())
    resummed(folder)
    assert checked(folder).returncode == 1
    (folder / "04-XXX.pdf").unlink()
    (folder / "03-FEE.pdf").unlink()
    resummed(folder)
    assert checked(folder).returncode == 1


def test_papers_that_changed_places_are_noticed(tmp_path):
    folder = unpacked(tmp_path)
    one, two = folder / "02-MSA.pdf", folder / "03-FEE.pdf"
    first, second = one.read_bytes(), two.read_bytes()
    one.write_bytes(second)
    two.write_bytes(first)
    resummed(folder)
    assert checked(folder).returncode == 1


def test_the_manifest_is_its_own_canonical_form():
    data = a_bundle().manifest.data()
    read = json.loads(data)
    assert canonical(read["_type"], read["body"]) == data


def test_every_fingerprint_of_the_manifest_is_that_of_a_file():
    files = a_bundle().files()
    for paper in a_bundle().manifest.sealed:
        data = files[paper.file]
        assert sha256_hex(data) == paper.sealed_sha256
        assert sha256_hex(data[: paper.reviewed_bytes]) == paper.unsigned_sha256


def test_the_manifests_signature_is_the_seals():
    data, signature = a_bundle().manifest.data(), a_bundle().signature
    assert certificates.is_signed(data, signature, made.a_seal().certificate)
    assert not certificates.is_signed(data + b" ", signature, made.a_seal().certificate)
    assert not certificates.is_signed(data, b"\x30\x00", made.a_seal().certificate)


def test_a_manifest_refuses_a_file_name_that_is_not_a_code():
    paper = made.a_paper()
    with pytest.raises(AssertionError):
        made.a_manifest({"../MSA.pdf": (paper, paper)}).data()


def test_the_certificate_holds_the_manifest_and_says_who_signed(tmp_path):
    data = a_bundle().certificate
    files = PdfFileReader(io.BytesIO(data)).root["/Names"]["/EmbeddedFiles"]["/Names"]
    inside = {str(files[i]): files[i + 1]["/EF"]["/F"].data for i in range(0, len(files), 2)}
    assert a_bundle().manifest.data() in inside.values()
    (tmp_path / "c.pdf").write_bytes(data)
    said = subprocess.run(
        ["pdftotext", str(tmp_path / "c.pdf"), "-"], capture_output=True, text=True, check=True
    ).stdout
    for words in ("Adunni Okafor", "Ines Marques", "PK-2026-00001", "Nigeria", "RC 1482736"):
        assert words in said


def test_the_certificate_is_drawn_the_same_twice():
    stated = a_bundle().manifest
    assert made.a_certificate(stated) == made.a_certificate(stated)


def test_a_hostile_name_stays_a_name():
    paper = made.a_paper()
    stated = made.a_manifest({"01-MSA.pdf": (paper, paper)})
    hostile = "<img src=http://127.0.0.1/x> {{ 7*7 }} & Sons"
    drawn = made.a_certificate(stated, business=hostile)
    sealed = sealing.seal_pdf(drawn, with_=sealing.Tools(made.a_seal()))
    sealing.check_sealed(drawn, sealed.data, made.our_trust())
