"""The downloaded bundle: complete, deterministic, and verifiable offline."""

import io
import json
import os
import re
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from pyhanko.pdf_utils.reader import PdfFileReader

from agreements.pki import certificates, time_stamping
from agreements.sealing import bundle, manifest, pdf_seal
from console.core import clock
from console.core.digests import canonical, sha256_hex
from tests.agreements.rendering.pdf import words
from tests.agreements.sealing import made


def unpacked(folder, made_: bundle.Bundle | None = None):
    with zipfile.ZipFile(io.BytesIO((made_ or made.a_bundle()).zip())) as archive:
        archive.extractall(folder)
    return folder / "PK-2026-00001"


def checked(folder, *arguments: str, path: str = "") -> "subprocess.CompletedProcess[str]":
    """Run verify.sh, with our root by default."""
    named = arguments or (certificates.fingerprint(made.a_seal().root),)
    return subprocess.run(
        ["/bin/sh", str(folder / "verify.sh"), *named],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **({"PATH": path} if path else {})},
    )


def without(place, *missing: str) -> str:
    """Return a PATH without these programs."""
    place.mkdir()
    for folder in os.environ["PATH"].split(":"):
        for program in Path(folder).glob("*"):
            if program.name not in missing and not (place / program.name).is_symlink():
                (place / program.name).symlink_to(program)
    return str(place)


def test_the_same_parts_give_the_same_bytes():
    assert made.a_bundle().zip() == replace(made.a_bundle()).zip()


def test_files_are_stored_in_order_with_fixed_dates():
    with zipfile.ZipFile(io.BytesIO(made.a_bundle().zip())) as archive:
        entries = archive.infolist()
    assert {entry.compress_type for entry in entries} == {zipfile.ZIP_STORED}
    assert {entry.date_time for entry in entries} == {bundle.DAY}
    names = [entry.filename.partition("/")[2] for entry in entries]
    assert names[:4] == ["00-certificate.pdf", "01-CVR.pdf", "02-MSA.pdf", "03-FEE.pdf"]
    assert names[-2:] == ["SHA256SUMS", "SHA256SUMS.sig"]


def test_a_stranger_checks_it_offline_with_stock_tools(tmp_path):
    folder = unpacked(tmp_path)
    said = checked(folder)
    assert said.returncode == 0, said.stdout + said.stderr
    assert "Everything is in order." in said.stdout
    for code in ("01-CVR", "02-MSA", "03-FEE"):
        assert f"{code}.pdf begins with exactly what was offered" in said.stdout


def test_nothing_is_in_order_while_nobody_names_a_root(tmp_path):
    said = checked(unpacked(tmp_path), "")
    assert said.returncode == 2
    assert "verything is in order" not in said.stdout
    assert "proves nothing" in said.stdout


def test_what_is_no_fingerprint_cannot_be_checked(tmp_path):
    for named in ["abc", "g" * 64, "0" * 63, "-h", "$(id)"]:
        said = checked(unpacked(tmp_path), named)
        assert said.returncode == 2
        assert "A fingerprint has 64 characters" in said.stdout


def test_a_fingerprint_may_be_written_as_openssl_writes_it(tmp_path):
    root = certificates.fingerprint(made.a_seal().root).upper()
    pairs = ":".join(root[i : i + 2] for i in range(0, 64, 2))
    assert checked(unpacked(tmp_path), pairs).returncode == 0


@pytest.mark.parametrize("tool", ["openssl", "sha256sum"])
def test_a_missing_tool_ends_it_in_words(tmp_path, tool):
    said = checked(unpacked(tmp_path), path=without(tmp_path / "bin", tool))
    assert said.returncode == 2
    assert f"It needs the program {tool}" in said.stdout
    assert not said.stderr


def test_without_pdfsig_it_says_that_no_second_reader_was_asked(tmp_path):
    folder = unpacked(tmp_path)
    assert "A second reader of PDFs" not in checked(folder).stdout
    said = checked(folder, path=without(tmp_path / "bin", "pdfsig"))
    assert said.returncode == 0
    assert re.search("A second reader of PDFs +not asked", said.stdout)


def test_authorities_of_the_machine_are_not_believed(tmp_path, monkeypatch):
    """A root trusted by the machine is not trusted unless the reader names it."""
    folder, guest = unpacked(tmp_path), certificates.make_seal("Guest", clock.now())
    (folder / "seal.pem").write_bytes(certificates.pem(guest.certificate))
    trusted = tmp_path / "trusted"
    trusted.mkdir()
    (trusted / "guest.pem").write_bytes(certificates.pem(guest.root))
    subprocess.run(["openssl", "rehash", trusted], check=True)
    monkeypatch.setenv("SSL_CERT_DIR", str(trusted))
    said = checked(folder)
    assert re.search("The seal's certificate was issued under that root +FAILED", said.stdout)


def test_it_says_simulated_where_the_time_is(tmp_path):
    said = checked(unpacked(tmp_path, made.a_bundle(codes=("MSA",), simulated_time=True)))
    assert said.returncode == 0
    assert "SIMULATED, no evidence" in said.stdout


def test_a_time_is_unproven_until_its_authority_is_named(tmp_path):
    """The reader must name the authority; here, the simulated one acts as a real one."""
    seal, pack = made.a_seal(), made.a_bundle(codes=("MSA",), simulated_time=True)
    stated = replace(pack.manifest, time_state="trusted")
    rendered = pdf_seal.seal_pdf(
        made.a_certificate(stated, pack.evidence.events), with_=pdf_seal.Tools(seal)
    )
    token = time_stamping.token(time_stamping.simulated(), stated.data())
    pack = replace(pack, manifest=stated, certificate=rendered, token=token)
    folder, root = unpacked(tmp_path, pack), certificates.fingerprint(seal.root)

    said = checked(folder, root)
    assert (said.returncode, "unproven: you named no authority" in said.stdout) == (0, True)
    said = checked(folder, root, time_stamping.simulated().tsa_cert.sha256.hex())
    assert said.returncode == 0
    assert re.search("The authority that you named states the time, .* ok", said.stdout)
    for other in ((root, "00" * 32), ("00" * 32,)):
        assert checked(folder, *other).returncode == 1


def test_the_manifest_is_its_own_canonical_form():
    data = made.a_bundle().manifest.data()
    read = json.loads(data)
    assert canonical(read["_type"], read["body"]) == data


def test_every_fingerprint_of_the_manifest_is_that_of_a_file():
    files = made.a_bundle().files()
    assert files["SHA256SUMS"] == manifest.sums(
        {name: data for name, data in files.items() if not name.startswith("SHA256SUMS")}
    )
    for document in made.a_bundle().manifest.sealed:
        data = files[document.file]
        assert sha256_hex(data) == document.sealed_sha256
        assert sha256_hex(data[: document.reviewed_bytes]) == document.unsigned_sha256
        assert sha256_hex(files[document.html_file]) == document.html_sha256


def test_the_manifests_signature_is_the_seals():
    data, signature = made.a_bundle().manifest.data(), made.a_bundle().files()["manifest.sig"]
    assert certificates.is_signed(data, signature, made.a_seal().certificate)
    assert not certificates.is_signed(data + b" ", signature, made.a_seal().certificate)
    assert not certificates.is_signed(data, b"\x30\x00", made.a_seal().certificate)


def test_a_manifest_refuses_a_file_name_that_is_not_a_code():
    document = made.a_document()
    with pytest.raises(AssertionError):
        made.a_manifest({"../MSA.pdf": (document, document)}).data()


def test_the_certificate_holds_the_manifest_and_says_who_signed():
    data = made.a_bundle().certificate
    files = PdfFileReader(io.BytesIO(data)).root["/Names"]["/EmbeddedFiles"]["/Names"]
    inside = {str(files[i]): files[i + 1]["/EF"]["/F"].data for i in range(0, len(files), 2)}
    assert made.a_bundle().manifest.data() in inside.values()
    said = words(data)
    for stated in ("Adunni Okafor", "Ines Marques", "PK-2026-00001", "Nigeria", "RC 1482736"):
        assert stated in said


def test_a_hostile_name_stays_a_name():
    document = made.a_document()
    stated = made.a_manifest({"01-MSA.pdf": (document, document)})
    hostile = "<img src=http://127.0.0.1/x> {{ 7*7 }} & Sons"
    rendered = made.a_certificate(stated, business=hostile)
    sealed = pdf_seal.seal_pdf(rendered, with_=pdf_seal.Tools(made.a_seal()))
    pdf_seal.check_sealed(rendered, sealed, made.our_trust())
