"""What passkeys signed for the acts of a pack, made, tampered with, and checked three ways.

Each bundle is consistent and sealed by us, so only the passkeys tell that something is wrong.
"""

import hashlib
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

from agreements.pki import certificates
from agreements.sealing import bundle
from agreements.verification import assertions
from console.core import digests
from console.core.digests import canonical
from tests.agreements.sealing import made

SCRIPT = bundle.EVIDENCE / "verify.sh"
CHECKER = settings.ROOT / "docs" / "check_evidence.py"
OF_TODAY = Path(__file__).parent / "bundle_v1.zip"
ORIGIN = "https://console.example:8443"
KEYS: dict[str, Any] = {
    "ec": ec.generate_private_key(ec.SECP256R1()),
    "rsa": rsa.generate_private_key(65537, 2048),
    "ed": ed25519.Ed25519PrivateKey.generate(),
}


def signed_by(key: Any, data: bytes) -> bytes:
    if isinstance(key, rsa.RSAPrivateKey):
        return key.sign(data, padding.PKCS1v15(), hashes.SHA256())
    if isinstance(key, ed25519.Ed25519PrivateKey):
        return key.sign(data)
    signature: bytes = key.sign(data, ec.ECDSA(hashes.SHA256()))
    return signature


def by_passkey(body: dict[str, Any], key: Any, *, flags: int = 0x05, **other: Any) -> Any:
    """Add a passkey's proof to an act; with `other` members, it signed another act."""
    asked = {"nonce": "ab" * 32, "origin": ORIGIN, "asked_at": "2026-11-21T09:29:00Z"}
    proven = body | {"method": "passkey", "assertion": asked}
    challenge = hashlib.sha256(assertions.statement(proven | other)).digest()
    told = f'{{"type":"webauthn.get","challenge":"{assertions._base64url(challenge)}",'
    client = f'{told}"origin":"{ORIGIN}","crossOrigin":false}}'.encode()
    data = hashlib.sha256(b"console.example").digest() + bytes([flags]) + bytes(4)
    parts = {
        "authenticator_data": data,
        "client_data": client,
        "signature": signed_by(key, data + hashlib.sha256(client).digest()),
        "public_key": key.public_key().public_bytes(
            Encoding.DER, PublicFormat.SubjectPublicKeyInfo
        ),
    }
    said = asked | {"passkey": "psk_1"} | {name: one.hex() for name, one in parts.items()}
    return proven | {"assertion": said}


def honest(kind: str, body: dict[str, Any]) -> dict[str, Any]:
    """Prove the acts with keys of each kind, and one with a code."""
    if body.get("role") == "compliance":
        return body | {"method": "code", "address": "192.0.2.7", "device": 'A "browser" {1}'}
    kinds = {"commercial": "rsa", "legal": "ed"}
    return dict(by_passkey(body, KEYS[kinds.get(str(body.get("role")), "ec")]))


def tampered(whose: str, **how: Any) -> made.Prove:
    """Return proofs of which one is of something else; `as_if` edits the act afterwards."""
    as_if = how.pop("as_if", lambda body: body)

    def prove(kind: str, body: dict[str, Any]) -> dict[str, Any]:
        if str(body.get("role", "signatory")) != whose:
            return honest(kind, body)
        return dict(as_if(by_passkey(body, how.get("key", KEYS["ec"]), **said)))

    said = {name: value for name, value in how.items() if name != "key"}
    return prove


def member(name: str, value: str) -> Any:
    return lambda body: body | {"assertion": body["assertion"] | {name: value}}


OTHER = KEYS["rsa"].public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
TAMPERINGS = {
    "changed challenge": ("Signature 1", tampered("signatory", as_if=member("nonce", "cd" * 32))),
    "other pack": ("Signature 1", tampered("signatory", offer_sha256="0f" * 32)),
    "other key": ("Signature 1", tampered("signatory", as_if=member("public_key", OTHER.hex()))),
    "other act": (
        "Decision 4 (countersignatory)",
        tampered("countersignatory", role="legal", verdict="approved"),
    ),
    "other role": ("Decision 3 (legal)", tampered("legal", role="compliance")),
    "other person": (
        "Decision 3 (legal)", tampered("legal", person={"id": "usr_other", "name": "Other"}),
    ),
    "other products": (
        "Decision 2 (commercial)",
        tampered("commercial", products={"approved": ["cards", "payouts"], "refused": {}}),
    ),
    "other site": (
        "Signature 1", tampered("signatory", as_if=member("origin", "https://evil.example")),
    ),
    "user not verified": ("Signature 1", tampered("signatory", flags=0x01)),
    "nobody there": ("Decision 3 (legal)", tampered("legal", flags=0x04)),
    "signature cut": ("Signature 1", tampered("signatory", as_if=member("signature", "3006"))),
    "no key": ("Signature 1", tampered("signatory", as_if=member("public_key", ""))),
    "called a code": ("Signature 1", tampered("signatory", as_if=lambda b: b | {"method": "code"})),
}  # fmt: skip


def checked(folder: Path, files: dict[str, bytes]) -> tuple[Any, Any]:
    """Return what the script and the checker say of these files."""
    for name, data in files.items():
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_bytes(data)
    root = certificates.fingerprint(made.a_seal().root)
    return _asked(folder, root)


def _asked(folder: Path, root: str) -> tuple[Any, Any]:
    programs: tuple[list[str | Path], ...] = (
        ["/bin/sh", SCRIPT, root, "", folder],
        [sys.executable, "-I", CHECKER, folder, root],
    )
    return tuple(  # type: ignore[return-value]
        subprocess.run(one, capture_output=True, text=True, check=False) for one in programs
    )


def test_both_checkers_accept_proofs_of_each_kind(tmp_path):
    script, checker = checked(
        tmp_path / "pack", made.a_bundle(codes=("MSA",), prove=honest).files()
    )

    assert script.returncode == 0, script.stdout
    assert checker.returncode == 0, checker.stdout
    for words in (
        "Signature 1: a passkey signed exactly this",
        "Decision 2 (commercial): a passkey signed exactly this",
        "Decision 3 (legal): a passkey signed exactly this",
    ):
        assert f"{words:<64} ok" in script.stdout
    assert f"{'Decision 1 (compliance): a one-time code':<64} our word alone" in script.stdout


@pytest.mark.parametrize("name", TAMPERINGS)
def test_a_proof_of_something_else_is_noticed(tmp_path, name):
    words, prove = TAMPERINGS[name]
    files = made.a_bundle(codes=("MSA",), prove=prove).files()
    script, checker = checked(tmp_path / "pack", files)

    failed = [line for line in script.stdout.splitlines() if line.endswith("FAILED")]
    assert script.returncode == checker.returncode == 1, script.stdout + checker.stdout
    # Nothing else is wrong: whoever has our seal can make the rest fit.
    assert len(failed) == 1
    assert failed[0].startswith(words)
    bodies = [digests.parse(files[one]) for one in files if one.startswith(("acts/", "approvals/"))]
    assert len([one for one in bodies if list(assertions.problems(one))]) == 1


def test_a_bundle_of_the_first_format_stays_in_order(tmp_path):
    with zipfile.ZipFile(BytesIO(OF_TODAY.read_bytes())) as archive:
        archive.extractall(tmp_path)
    (folder,) = tmp_path.iterdir()
    root = hashlib.sha256(certificates.der(_root(folder))).hexdigest()

    for program in _asked(folder, root):
        assert program.returncode == 0, program.stdout
    assert b"agr.act.v1" in (folder / "acts" / "01.json").read_bytes()


def _root(folder: Path) -> Any:
    from cryptography import x509

    return x509.load_pem_x509_certificate((folder / "root.pem").read_bytes())


def test_what_cannot_be_read_is_a_problem_and_no_fault():
    body = {"method": "passkey", "assertion": {}}
    assert list(assertions.problems(body)) == ["its proof cannot be read"]
    assert list(assertions.problems({"method": "code"})) == []
    assert canonical("x", {})
