"""The seal of a machine: made once, renewed in time, or read from settings."""

import stat
from datetime import timedelta
from io import StringIO

import pytest
import time_machine
from cryptography.hazmat.primitives import serialization
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command

from agreements import certificates, inspecting, pki, sealing, self_check, time_stamping
from agreements.trust import trust
from console.core import clock
from tests.agreements.seal import made


@pytest.fixture(autouse=True)
def home(settings, tmp_path):
    settings.PKI_DIR = tmp_path / "pki"
    settings.SEAL_KEY_FILE = settings.SEAL_CERT_FILE = settings.SEAL_ROOT_FILE = ""
    settings.TSA_URL = settings.TSA_ROOT_FILE = ""
    return settings.PKI_DIR


def test_without_a_seal_it_says_what_to_do():
    with pytest.raises(pki.SealMissing, match="setup_seal"):
        pki.seal()
    assert self_check.problems() == ["There is no seal yet. Run `manage.py setup_seal`."]
    with pytest.raises(self_check.SealingNotReady):
        self_check.require()


def test_set_up_makes_a_seal_once():
    assert pki.set_up()
    first = pki.seal()
    assert not pki.set_up()
    assert pki.seal() == first
    assert self_check.problems() == []


def test_the_command_says_the_root(home):
    said = StringIO()
    call_command("setup_seal", stdout=said)
    assert certificates.fingerprint(pki.seal().root) in said.getvalue()


def test_only_the_owner_may_read_the_files(home):
    pki.set_up()
    modes = {stat.S_IMODE(path.stat().st_mode) for path in home.rglob("*") if path.is_file()}
    assert modes == {0o600}
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


def test_the_roots_key_is_written_nowhere(home):
    pki.set_up()
    assert len(list(home.rglob("*.key"))) == 1
    assert pki.seal().key.public_key() != pki.seal().root.public_key()


def test_a_seal_about_to_lapse_is_not_used_and_is_renewed_beside_the_old_root():
    pki.set_up()
    old = sealing.seal_pdf(made.a_paper())
    with time_machine.travel(clock.now() + timedelta(days=710), tick=False):
        assert "about to lapse" in self_check.problems()[0]
        assert pki.set_up()
        assert self_check.problems() == []
        assert len(pki.roots()) == 2
    assert inspecting.inspect(old.data, trust(), clock.now()).root


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


def test_the_seal_of_settings_is_used_and_the_development_root_then_is_not_ours(settings, tmp_path):
    pki.set_up()
    developed = sealing.seal_pdf(made.a_paper())
    theirs = certificates.make_seal("Acme", clock.now())
    for name, path in files_of(theirs, tmp_path / "given").items():
        setattr(settings, name, path)
    assert not pki.set_up()
    assert pki.seal().certificate == theirs.certificate
    assert self_check.problems() == []
    assert not inspecting.inspect(developed.data, trust(), clock.now()).root


def test_a_key_and_a_certificate_that_do_not_belong_together_are_refused(settings, tmp_path):
    one, other = (certificates.make_seal("Acme", clock.now()) for _ in range(2))
    paths = files_of(one, tmp_path / "one") | {
        "SEAL_CERT_FILE": files_of(other, tmp_path / "other")["SEAL_CERT_FILE"]
    }
    for name, path in paths.items():
        setattr(settings, name, path)
    with pytest.raises(pki.SealMissing, match="belong together"):
        pki.seal()


def test_half_of_the_settings_are_refused(settings):
    settings.SEAL_KEY_FILE = "somewhere"
    with pytest.raises(pki.SealMissing, match="together"):
        pki.seal()


def test_simulated_time_is_for_the_demo_alone(settings):
    settings.TSA_URL = "simulated"
    settings.DEMO = False
    with pytest.raises(ImproperlyConfigured):
        time_stamping.service()
    settings.DEMO = True
    assert time_stamping.state_of(time_stamping.service()) == "simulated"


def test_without_a_setting_nobody_states_the_time():
    assert time_stamping.service() is None
    assert time_stamping.state_of(None) == "none"
