"""Seal keys: created once, renewed in time, or read from settings."""

import stat
from dataclasses import replace
from datetime import timedelta
from io import StringIO

import pytest
import time_machine
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.urls import reverse

from agreements import checks
from agreements.pki import certificates, revocation, seal_keys, time_stamping
from agreements.pki.revocation import RevocationList
from agreements.sealing import pdf_seal, self_check
from agreements.verification import inspection, verdicts
from agreements.verification.outcomes import Outcome
from agreements.verification.trust import trust
from api.demo.company import EXAMPLE
from console.accounts.roles import Role
from console.audit import history
from console.core import clock
from tests import factories, seal_files
from tests.agreements.sealing import made


@pytest.fixture(autouse=True)
def home(settings, tmp_path):
    settings.PKI_DIR = tmp_path / "pki"
    settings.SEAL_KEY_FILE = settings.SEAL_CERT_FILE = settings.SEAL_ROOT_FILE = ""
    settings.TSA_URL = settings.TSA_ROOT_FILE = settings.SEAL_LIST_FILE = ""
    return settings.PKI_DIR


@pytest.fixture
def own_seal(home):
    """A seal that this machine made."""
    assert seal_keys.set_up(EXAMPLE["legal_name"])


def test_without_a_seal_it_says_what_to_do():
    with pytest.raises(seal_keys.SealMissing, match="setup_seal"):
        seal_keys.seal()
    assert self_check.problems() == ["There is no seal yet. Run `access-console setup_seal`."]


def test_operators_read_what_is_wrong_where_they_look_after_the_work(client):
    operator = factories.signed_in(client, factories.one_of_staff(Role.OPERATOR))
    self_check.refresh()
    assert "There is no seal yet." in operator.get(reverse("governance:work")).text
    factories.checked_seal()
    page = operator.get(reverse("governance:work")).text
    assert "There is no seal yet." not in page
    assert "sealed under a development root" in page


def test_set_up_makes_a_seal_once(own_seal):
    first = seal_keys.seal()
    assert not seal_keys.set_up(EXAMPLE["legal_name"])
    assert seal_keys.seal() == first
    assert self_check.problems() == []


def test_only_the_owner_may_read_the_files(home, own_seal):
    modes = {stat.S_IMODE(path.stat().st_mode) for path in home.rglob("*") if path.is_file()}
    assert modes == {0o600}
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


def test_the_roots_key_is_written_nowhere(home, own_seal):
    assert len(list(home.rglob("seal.key"))) == len(list(home.rglob("root.pem"))) == 1
    assert not list(home.rglob("root.key"))
    assert seal_keys.seal().key.public_key() != seal_keys.seal().root.public_key()


def test_a_seal_about_to_lapse_is_not_used_and_is_renewed_beside_the_old_root(own_seal):
    old = pdf_seal.seal_pdf(made.a_document(), with_=pdf_seal.tools())
    with time_machine.travel(clock.now() + timedelta(days=710), tick=False):
        assert "about to lapse" in self_check.problems()[0]
        assert seal_keys.set_up(EXAMPLE["legal_name"])
        assert self_check.problems() == []
        assert len(seal_keys.roots()) == 2
    assert inspection.inspect(old, trust(), clock.now()).root


def use(settings, paths):
    for name, path in paths.items():
        setattr(settings, name, path)


def files_of(seal, folder) -> dict[str, str]:
    folder.mkdir()
    texts = {
        "SEAL_KEY_FILE": certificates.key_bytes(seal.key, serialization.Encoding.PEM),
        "SEAL_CERT_FILE": seal.chain_pem,
        "SEAL_ROOT_FILE": certificates.pem(seal.root),
    }
    for name, data in texts.items():
        (folder / name).write_bytes(data)
    return {name: str(folder / name) for name in texts}


def test_the_seal_of_settings_is_used_and_the_development_root_then_is_not_ours(
    settings, tmp_path, own_seal
):
    developed = pdf_seal.seal_pdf(made.a_document(), with_=pdf_seal.tools())
    theirs = certificates.make_seal("Acme", clock.now())
    use(settings, files_of(theirs, tmp_path / "given"))
    assert not seal_keys.set_up(EXAMPLE["legal_name"])
    assert seal_keys.seal().certificate == theirs.certificate
    assert self_check.problems() == []
    assert not inspection.inspect(developed, trust(), clock.now()).root


def test_a_key_and_a_certificate_that_do_not_belong_together_are_refused(settings, tmp_path):
    one, other = (certificates.make_seal("Acme", clock.now()) for _ in range(2))
    paths = files_of(one, tmp_path / "one") | {
        "SEAL_CERT_FILE": files_of(other, tmp_path / "other")["SEAL_CERT_FILE"]
    }
    use(settings, paths)
    with pytest.raises(seal_keys.SealMissing, match="belong together"):
        seal_keys.seal()


def test_a_key_on_another_curve_is_refused(settings, tmp_path, monkeypatch):
    """`docs/check_evidence.py` would find every pack under it not in order."""
    with monkeypatch.context() as patch:
        patch.setattr(ec, "SECP256R1", ec.SECP384R1)
        seal = certificates.make_seal("Acme", clock.now())
    use(settings, files_of(seal, tmp_path / "given"))
    with pytest.raises(seal_keys.SealMissing, match="P-256"):
        seal_keys.seal()


def test_half_of_the_settings_are_refused(settings):
    settings.SEAL_KEY_FILE = "somewhere"
    with pytest.raises(seal_keys.SealMissing, match="together"):
        seal_keys.seal()


def test_simulated_time_is_for_the_demo_alone(settings):
    assert time_stamping.state_of(time_stamping.service()) == "none"
    settings.TSA_URL = "simulated"
    settings.DEMO = False
    with pytest.raises(ImproperlyConfigured):
        time_stamping.service()
    settings.DEMO = True
    assert time_stamping.state_of(time_stamping.service()) == "simulated"


# Revocation --------------------------------------------------------------------------------------


def test_a_new_machine_has_an_empty_list_that_is_checked():
    assert not revocation.current().checked
    seal_keys.set_up(EXAMPLE["legal_name"])
    assert revocation.current() == RevocationList(checked=True)


def test_a_withdrawn_seal_is_used_no_more_and_another_takes_its_place(own_seal):
    lost = seal_keys.seal()
    sealed = pdf_seal.seal_pdf(made.a_document(), with_=pdf_seal.tools())
    since = clock.now() - timedelta(days=1)
    revocation.withdraw(certificates.fingerprint(lost.certificate), since, "A laptop was stolen")
    assert self_check.problems() == ["The seal was withdrawn. Put a new one in place."]
    assert seal_keys.set_up(EXAMPLE["legal_name"])
    assert self_check.problems() == []
    found = inspection.inspect(sealed, trust(), clock.now())
    registered = replace(made.a_register(sealed)(found.sha256), seal_sha256=found.certificate)
    verdict = verdicts.judge(
        found.sha256, registered, revocation.current(), at=clock.now(), found=found
    )
    assert verdict.outcome == Outcome.KEY_WITHDRAWN


def test_without_the_list_nothing_is_sealed(home, own_seal):
    """A seal may depend on it; that cannot be ruled out."""
    (home / "withdrawn.sig").unlink()
    assert "cannot be read" in self_check.problems()[0]
    with pytest.raises(seal_keys.SealMissing, match="list of withdrawn seals"):
        pdf_seal.seal_pdf(made.a_document(), with_=pdf_seal.tools())
    assert not seal_keys.set_up(EXAMPLE["legal_name"])


def test_no_older_seal_takes_the_place_of_one_that_cannot_be_read(home, own_seal):
    with time_machine.travel(clock.now() + timedelta(days=710), tick=False):
        assert seal_keys.set_up(EXAMPLE["legal_name"])
        newest = max(home.glob("[0-9]*"))
        (newest / "root.pem").unlink()
        assert "cannot be read" in self_check.problems()[0]
        with pytest.raises(CommandError, match="files cannot be read"):
            call_command("setup_seal")


@pytest.mark.parametrize(
    "name", ["SEAL_KEY_FILE", "SEAL_CERT_FILE", "SEAL_ROOT_FILE", "SEAL_LIST_FILE", "TSA_ROOT_FILE"]
)
def test_the_deploy_check_refuses_a_file_that_cannot_be_read(settings, tmp_path, name):
    theirs = certificates.make_seal("Acme", clock.now())
    use(settings, files_of(theirs, tmp_path / "given"))
    assert checks.files_of_settings_are_readable(None) == []
    setattr(settings, name, "/nonexistent")
    (found,) = checks.files_of_settings_are_readable(None)
    assert found.id == "console.E011"
    assert "cannot be read" in found.msg


def logged(code: str) -> list[tuple[str, str, str]]:
    """Return the log entries with that code: actor, seal and reason."""
    found = history.lines(history.fitting(history.HistoryQuery(code=code)))
    return [(one.actor, one.subject_id, one.body["details"]["because"]) for one in found]


def in_use() -> str:
    return certificates.fingerprint(seal_keys.seal().certificate)


def test_making_a_seal_is_said_with_its_root_and_in_the_log_once():
    said = StringIO()
    for because in ("The first start.", "An update."):
        call_command("setup_seal", because=because, stdout=said)
    assert said.getvalue().count(certificates.fingerprint(seal_keys.seal().root)) == 2
    assert logged("seal.made") == [("System", in_use(), "The first start.")]
    assert logged("seal.found") == []


def test_a_seal_that_the_log_does_not_know_is_in_it_once(own_seal):
    for _ in range(2):
        call_command("setup_seal", because="An update.", stdout=StringIO())
    assert logged("seal.made") == []
    assert logged("seal.found") == [("System", in_use(), "An update.")]


def test_withdrawing_a_seal_is_in_the_log_and_so_is_the_one_in_its_place(own_seal):
    lost, said = in_use(), StringIO()
    call_command("withdraw_seal", lost, since="2026-11-20", reason="Lost", stdout=said)
    assert said.getvalue() == "The seal is withdrawn. Another is in its place.\n"
    assert revocation.current().withdrawn[lost].reason == "Lost"
    assert logged("seal.withdrawn") == [("System", lost, "Lost")]
    assert logged("seal.made") == [("System", in_use(), "Another was withdrawn: Lost")]
    assert in_use() != lost


def test_what_was_not_withdrawn_is_not_in_the_log(home, own_seal):
    (home / "withdrawn.sig").unlink()
    with pytest.raises(CommandError):
        call_command("withdraw_seal", in_use(), since="2026-11-20", reason="Lost")
    assert logged("seal.withdrawn") == []


def test_a_list_that_was_lost_is_not_replaced_by_an_empty_one(home, own_seal):
    revocation.withdraw(in_use(), clock.now(), "Lost")
    (home / "withdrawn.json").unlink()
    seal_keys.set_up(EXAMPLE["legal_name"])
    assert not revocation.current().checked


def test_a_seal_of_settings_has_a_list_of_withdrawn_seals_too(settings, tmp_path):
    theirs = certificates.make_seal("Acme", clock.now())
    use(settings, files_of(theirs, tmp_path / "given"))
    seal_keys.set_up(EXAMPLE["legal_name"])
    assert revocation.current() == RevocationList(checked=True)


def test_a_list_of_settings_is_extended_where_its_key_is(settings, tmp_path):
    use(settings, seal_files.make(tmp_path / "seal"))
    settings.SELF_MADE_SEAL = False
    call_command("setup_seal", stdout=StringIO())
    lost = in_use()
    assert logged("seal.found")[0][1] == lost
    said = StringIO()
    call_command("withdraw_seal", lost, since="2026-11-20", reason="Lost", stdout=said)
    assert said.getvalue() == "The seal is withdrawn.\n"
    assert revocation.current().withdrawn[lost].reason == "Lost"
    assert "was withdrawn" in self_check.problems()[0]

    (tmp_path / "seal/withdrawn.key").unlink()
    with pytest.raises(CommandError, match="key of the list is not here"):
        call_command("withdraw_seal", "0" * 64, since="2026-11-20", reason="Lost")
    assert list(revocation.current().withdrawn) == [lost]


def test_a_renewal_keeps_the_list_that_settings_name(settings, tmp_path):
    use(settings, seal_files.make(tmp_path / "seal"))
    renewed = seal_files.make(tmp_path / "renewed")
    assert list(renewed) == ["SEAL_KEY_FILE", "SEAL_CERT_FILE", "SEAL_ROOT_FILE"]
    assert {path.name for path in (tmp_path / "renewed").iterdir()} == {
        *("seal.key", "seal.pem", "root.pem")
    }


def test_a_folder_that_cannot_be_made_is_a_problem_in_words(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(CommandError, match="The files cannot be written"):
        seal_files.make(tmp_path / "file" / "seal")


def test_the_files_of_a_seal_are_made_in_a_new_folder_only(tmp_path):
    named = seal_files.make(tmp_path / "seal")
    assert {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "seal").iterdir()} == {0o600}
    before = {path: path.read_bytes() for path in (tmp_path / "seal").iterdir()}
    with pytest.raises(CommandError, match="is not empty"):
        seal_files.make(tmp_path / "seal")
    assert {path: path.read_bytes() for path in (tmp_path / "seal").iterdir()} == before
    assert len(named) == 5


@pytest.mark.parametrize("name", ["withdrawn.json", "withdrawn.sig", "withdrawn.pem"])
def test_a_list_is_not_believed_when_one_of_its_files_is_spoiled(home, name, own_seal):
    (home / name).write_bytes(b"\xff")
    assert revocation.current() == RevocationList()


@pytest.mark.parametrize("text", [b"", b"[]", b'{"body": {}}', b'{"body": {"seals": [1]}}'])
def test_a_list_that_says_nothing_sensible_is_not_believed_even_when_signed(home, text, own_seal):
    key = serialization.load_pem_private_key((home / "withdrawn.key").read_bytes(), None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    (home / "withdrawn.json").write_bytes(text)
    (home / "withdrawn.sig").write_bytes(key.sign(text, ec.ECDSA(hashes.SHA256())))
    assert revocation.current() == RevocationList()


@pytest.mark.parametrize("arguments", [("abc", "2026-11-20"), ("00" * 32, "yesterday")])
def test_the_command_says_what_is_wrong(arguments, own_seal):
    with pytest.raises(CommandError):
        call_command("withdraw_seal", arguments[0], since=arguments[1], reason="Lost")


def test_a_forged_list_is_not_obeyed(home, own_seal):
    used = certificates.fingerprint(seal_keys.seal().certificate)
    revocation.withdraw(used, clock.now(), "A lie")
    data = (home / "withdrawn.json").read_bytes()
    (home / "withdrawn.json").write_bytes(data.replace(b"A lie", b"A lid"))
    assert revocation.current() == RevocationList()
    with pytest.raises(revocation.ListBroken):
        revocation.withdraw(used, clock.now(), "Again")


def test_an_outage_of_the_time_is_a_problem_that_stops_nobody_from_countersigning(
    settings, own_seal
):
    settings.TSA_URL = "http://127.0.0.1:9/tsa"
    assert "No time stamp" in self_check.problems()[0]
    assert self_check.problems(with_time=False) == []


def test_the_hourly_look_writes_what_is_wrong_once_an_hour(caplog):
    with time_machine.travel(clock.now() + timedelta(days=1), tick=False) as now:
        self_check.watch()
        self_check.watch()
        assert caplog.messages.count("cannot_seal") == 1
        now.shift(timedelta(hours=2))
        self_check.watch()
        assert caplog.messages.count("cannot_seal") == 2
