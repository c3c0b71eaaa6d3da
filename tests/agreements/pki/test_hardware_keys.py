"""Seals with a key in a PKCS#11 device, for which SoftHSM stands."""

import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pkcs11
import pytest
import time_machine
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from agreements.pki import certificates, seal_keys
from agreements.pki.certificates import DeviceUnavailable, Seal
from agreements.pki.hardware_keys import DeviceKey
from agreements.sealing import pdf_seal, self_check
from agreements.verification.trust import trust
from console.core import clock
from tests.agreements.sealing import made

PLACES = ("/usr/lib/softhsm/libsofthsm2.so", "/usr/lib64/pkcs11/libsofthsm2.so")
PIN = "2468"


@pytest.fixture(scope="module")
def device(tmp_path_factory) -> Iterator[Seal]:
    """A token with the key of a seal, whose files are in the same folder without the key."""
    folder: Path = tmp_path_factory.mktemp("device")
    (folder / "tokens").mkdir()
    (folder / "softhsm2.conf").write_text(f"directories.tokendir = {folder}/tokens\n")
    with pytest.MonkeyPatch.context() as patch:
        # The module reads it when it is first used in this process.
        patch.setenv("SOFTHSM2_CONF", str(folder / "softhsm2.conf"))
        seal = certificates.make_seal("Acme Ltd", clock.now())
        assert isinstance(seal.key, ec.EllipticCurvePrivateKey)
        key = folder / "key.pem"
        key.write_bytes(certificates.key_bytes(seal.key, serialization.Encoding.PEM))
        (folder / "seal.pem").write_bytes(seal.chain_pem)
        (folder / "root.pem").write_bytes(certificates.pem(seal.root))
        told = ("--token", "console", "--pin", PIN)
        tool = ("softhsm2-util",)
        for words in (
            ("--init-token", "--free", "--label", "console", "--so-pin", "1357", "--pin", PIN),
            ("--import", str(key), *told, "--label", "seal", "--id", "01"),
        ):
            subprocess.run([*tool, *words], check=True, capture_output=True)
        key.unlink()
        yield replace(seal, key=DeviceKey.of(f"{_module()};console;seal", PIN))


def _module() -> str:
    return next(place for place in PLACES if Path(place).exists())


@pytest.fixture
def named(device, settings, tmp_path):
    """Settings that name the device's key."""
    for name, data in (("seal", device.chain_pem), ("root", certificates.pem(device.root))):
        (tmp_path / f"{name}.pem").write_bytes(data)
    settings.SEAL_CERT_FILE, settings.SEAL_ROOT_FILE = (
        str(tmp_path / f"{name}.pem") for name in ("seal", "root")
    )
    settings.SEAL_PKCS11, settings.SEAL_PKCS11_PIN = f"{_module()};console;seal", PIN
    return settings


def test_a_document_is_sealed_with_a_key_that_nobody_can_read(named, device):
    sealed = pdf_seal.seal_pdf(made.a_document(), with_=replace(pdf_seal.tools(), time=None))

    pdf_seal.check_sealed(made.a_document(), sealed, trust())
    assert isinstance(seal_keys.seal().key, DeviceKey)
    assert PIN not in repr(seal_keys.seal())
    assert self_check.problems(with_time=False) == []
    signature = seal_keys.seal().sign(b"a manifest")
    assert certificates.is_signed(b"a manifest", signature, device.certificate)


def test_threads_take_turns(device):
    with ThreadPoolExecutor(8) as at_once:
        signed = list(at_once.map(device.sign, [b"%d" % n for n in range(24)]))
    for number, signature in enumerate(signed):
        assert certificates.is_signed(b"%d" % number, signature, device.certificate)


@pytest.mark.parametrize(
    "wrong",
    [("SEAL_PKCS11", "console;none"), ("SEAL_PKCS11", "none;seal"), ("SEAL_PKCS11_PIN", "1111")],
)
def test_a_device_that_does_not_sign_is_a_problem_in_words(named, wrong):
    name, value = wrong
    setattr(named, name, f"{_module()};{value}" if name == "SEAL_PKCS11" else value)
    seal_keys._load.cache_clear()
    (said,) = self_check.problems(with_time=False)
    assert "The seal's device does not sign" in said


def test_a_wrong_pin_is_tried_once(named, monkeypatch):
    tried, library = list[str](), pkcs11.lib

    def tells(module: str) -> Any:
        tried.append(module)
        return library(module)

    monkeypatch.setattr(pkcs11, "lib", tells)
    wrong = DeviceKey.of(named.SEAL_PKCS11, "3333")
    for _ in range(3):
        with pytest.raises(DeviceUnavailable, match="does not sign"):
            wrong.sign(b"a manifest")
    assert tried == [_module()]


def test_notices_do_not_need_the_device(named, device):
    named.SEAL_PKCS11 = f"{_module()};gone;seal"
    with time_machine.travel(device.certificate.not_valid_after_utc - timedelta(days=60)):
        assert any("expires on" in said for said in self_check.notices())


def test_a_malformed_setting_is_a_problem_in_words(named):
    named.SEAL_PKCS11 = "softhsm"
    assert "module;token label;key label" in self_check.problems(with_time=False)[0]


def test_a_device_that_is_lost_while_sealing_is_no_outage_of_the_time(device):
    gone = replace(device, key=DeviceKey.of(f"{_module()};gone;seal", PIN))
    with pytest.raises(DeviceUnavailable):
        pdf_seal.seal_pdf(made.a_document(), with_=pdf_seal.Tools(gone))
