"""All ways to verify a pack agree: a file, its fingerprint, the zip and the offer."""

import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography import x509
from django.test import Client
from django.urls import reverse

from agreements.models import Pack
from agreements.pki import certificates, revocation, seal_keys
from console.accounts.roles import Role
from console.core import blobs, clock
from console.core.digests import sha256_hex
from tests import factories
from tests.agreements.verification.asking import PAGE, brought, files_of, looked_up

EXECUTED = "Our register shows it as executed, as of"
WITHDRAWN = "You can no longer rely on the seal"
CANNOT_TELL = "We cannot tell"
# Identical in all packs with one seal, so they reveal nothing about a pack.
SHARED = ("profile.json", "root.pem", "ruleset.json", "seal.pem", "verify.sh")


@pytest.fixture
def own_list(settings, tmp_path) -> Path:
    """A revocation list that a test may change, apart from that of all tests."""
    settings.PKI_DIR = shutil.copytree(settings.PKI_DIR, tmp_path / "pki")
    return tmp_path / "pki"


def asked(client: Client, pack: Pack) -> dict[str, str]:
    """Return the answer to every question that the pack can be verified with.

    The certificate and one document are the only PDFs, since checking each takes a while.
    """
    everything = files_of(pack) | {"bundle.zip": blobs.get(pack.bundle_sha256)}
    files = {name: data for name, data in everything.items() if name not in SHARED}
    spared = [name for name in files if name.endswith(".pdf")][2:]
    assert pack.revision is not None
    return {
        **{name: brought(client, files[name], name) for name in files if name not in spared},
        **{f"sha256 of {name}": looked_up(client, sha256_hex(files[name])) for name in files},
        "offer": looked_up(client, pack.revision.offer_sha256),
        "signed set": looked_up(client, pack.revision.signed_set_sha256),
    }


def saying(answers: dict[str, str], words: str) -> set[str]:
    return {question for question, page in answers.items() if words in page}


def withdraw_the_seal(since=None) -> None:
    used = certificates.fingerprint(seal_keys.seal().certificate)
    revocation.withdraw(used, since or clock.now() - timedelta(days=9), "A laptop was stolen")


def test_every_question_is_told_that_it_is_executed_and_as_of_when(client, executed):
    answers = asked(client, executed)
    assert len(answers) > 40
    assert saying(answers, EXECUTED) == set(answers)
    assert not saying(answers, "in force")
    # Only the holder of a file is told whose it is, not the holder of a fingerprint.
    held = {one for one in answers if not one.startswith("sha256")} - {"offer", "signed set"}
    assert saying(answers, executed.number) == saying(answers, "Kettle & Kiosk Ltd") == held
    # Only documents are reported as executed by both parties.
    said = {one.removeprefix("sha256 of ") for one in saying(answers, "both parties executed")}
    assert said == {one.file_name for one in executed.revision.documents.all()}


def test_every_question_is_told_that_the_seal_is_withdrawn(client, executed, own_list):
    withdraw_the_seal()
    answers = asked(client, executed)
    assert saying(answers, WITHDRAWN) == set(answers)
    assert not saying(answers, EXECUTED)


def test_every_question_is_told_that_we_cannot_tell(client, executed, own_list):
    (own_list / "withdrawn.sig").unlink()
    answers = asked(client, executed)
    assert saying(answers, CANNOT_TELL) == set(answers)
    assert not saying(answers, EXECUTED)


def test_operators_are_told_that_the_list_cannot_be_read(client, own_list):
    operator = factories.signed_in(client, factories.one_of_staff(Role.OPERATOR))
    assert "list of withdrawn seals" not in operator.get(reverse("governance:work")).text
    (own_list / "withdrawn.sig").unlink()
    assert "list of withdrawn seals" in operator.get(reverse("governance:work")).text


def test_we_cannot_tell_without_our_roots(client, executed, own_list):
    files = files_of(executed)
    (root,) = own_list.glob("[0-9]*/root.pem")
    root.unlink()
    root.mkdir()
    assert client.get(PAGE).status_code == 200
    assert CANNOT_TELL in brought(client, files["00-certificate.pdf"])


def test_a_list_that_cannot_be_read_is_not_found(client, own_list):
    (own_list / "withdrawn.json").unlink()
    (own_list / "withdrawn.json").symlink_to("/proc/self/mem")  # not even root can read this file
    assert client.get(f"{PAGE}withdrawn.json").status_code == 404
    assert client.get(f"{PAGE}withdrawn.pem").status_code == 200


@pytest.mark.parametrize("name", SHARED)
def test_a_file_that_is_the_same_in_many_packs_names_none(client, executed, name):
    data = files_of(executed)[name]
    for page in (brought(client, data, name), looked_up(client, sha256_hex(data))):
        assert "Many packs contain this file" in page
        assert executed.number not in page
        assert "Kettle" not in page
        assert "<dt>Executed" not in page


def test_the_certificate_of_a_withdrawn_seal_is_told_apart(client, executed, own_list):
    withdraw_the_seal()
    files = files_of(executed)
    assert WITHDRAWN in looked_up(client, sha256_hex(files["seal.pem"]))
    assert WITHDRAWN not in looked_up(client, sha256_hex(files["verify.sh"]))


def test_each_kind_of_file_has_a_sentence_of_its_own(client, executed):
    files, said = files_of(executed), {}
    for name in ("00-certificate.pdf", "manifest.json", "acts/01.json", "approvals/01-legal.json"):
        match = next(one for one in files if one == name or one.startswith(name[:12]))
        said[name] = brought(client, files[match]).split('class="meaning">')[1].split("</p>")[0]
    assert len(set(said.values())) == len(said)


def test_an_answer_takes_the_same_queries_whatever_is_asked(
    client, executed, django_assert_max_num_queries
):
    files = files_of(executed)
    hashes = [*(sha256_hex(data) for data in files.values()), "00" * 32]
    for sha256 in hashes:
        with django_assert_max_num_queries(8):
            looked_up(client, sha256)


# The public list --------------------------------------------------------------------------------


def test_anybody_can_check_the_list_of_withdrawn_seals(client, own_list):
    withdraw_the_seal()
    parts = {}
    for kind, served_as in (
        ("json", "application/json"),
        ("sig", "application/octet-stream"),
        ("pem", "application/x-pem-file"),
    ):
        answer = client.get(f"/verify/withdrawn.{kind}")
        assert answer.status_code == 200
        assert answer.headers["Content-Type"] == served_as
        assert answer.headers["Content-Disposition"].startswith("attachment")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        parts[kind] = answer.content
    certificate = x509.load_pem_x509_certificate(parts["pem"])
    assert certificates.is_signed(parts["json"], parts["sig"], certificate)
    former = seal_keys.seal().certificate
    assert certificates.fingerprint(former) in str(parts["json"])


def test_no_other_file_is_served_beside_it(client, own_list):
    for kind in ("key", "txt", "json.bak"):
        assert client.get(f"/verify/withdrawn.{kind}").status_code == 404
    (own_list / "withdrawn.json").unlink()
    assert client.get("/verify/withdrawn.json").status_code == 404


def test_the_page_leads_to_the_list(client):
    page = client.get(PAGE).text
    for kind in ("json", "sig", "pem"):
        assert f"/verify/withdrawn.{kind}" in page
