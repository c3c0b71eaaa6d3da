"""Ways to forge the unpacked bundle of an executed pack, for `tampering`.

A forger edits, replaces, removes and adds files, has their own keys and authority, and recomputes
the checksums. So that nothing fails by accident, the checksums are then signed with our own seal,
unless that signature is what must fail.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from agreements.pki import certificates, time_stampers
from agreements.pki import time_stamping as times
from agreements.pki.certificates import Seal
from agreements.rendering import renderer
from agreements.sealing import bundle, execution_certificate, manifest, pdf_seal
from agreements.verification import file_kinds
from console.core import clock
from console.core.digests import sha256_hex
from tests.agreements.sealing import made
from tests.agreements.verification import vectors


@dataclass(frozen=True)
class World:
    """The folder of a bundle, our seal that made it, and a stranger's seal with the same names."""

    folder: Path
    ours: Seal
    stranger: Seal

    def read(self, name: str) -> bytes:
        return (self.folder / name).read_bytes()

    def write(self, name: str, data: bytes) -> None:
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_bytes(data)

    def sum_up(self, by: Seal | None) -> None:
        found = [path for path in self.folder.rglob("*") if path.is_file()]
        files = {str(path.relative_to(self.folder)): path.read_bytes() for path in found}
        known = {name for name in files if name.isascii() and not name.startswith(bundle.SUMS)}
        files = {name: files[name] for name in known}
        self.write(bundle.SUMS, manifest.sums(files))
        if by:
            self.write(f"{bundle.SUMS}.sig", by.sign(self.read(bundle.SUMS)))


Change = Callable[[World], None]
Bytes = Callable[[World], bytes]


def edited(name: str, old: str, new: str) -> Change:
    def change(world: World) -> None:
        data, found = world.read(name), re.search(old.encode(), world.read(name))
        assert found, f"{name} does not hold {old}"
        world.write(name, data[: found.start()] + new.encode() + data[found.end() :])

    return change


def replaced(name: str, data: Bytes) -> Change:
    return lambda world: world.write(name, data(world))


def removed(*names: str) -> Change:
    def change(world: World) -> None:
        for name in names:
            (world.folder / name).unlink()

    return change


def swapped(one: str, two: str) -> Change:
    def change(world: World) -> None:
        first, second = world.read(one), world.read(two)
        world.write(one, second)
        world.write(two, first)

    return change


def both(*changes: Change) -> Change:
    def change(world: World) -> None:
        for one in changes:
            one(world)

    return change


# PDFs -------------------------------------------------------------------------------------------


def of(name: str, change: Callable[[bytes], bytes] = lambda data: data) -> Bytes:
    return lambda world: change(world.read(name))


def reviewed(name: str) -> Bytes:
    """Return a document before our seal."""
    length = rb'"file":"%s".*?"reviewed_bytes":(\d+)' % name.encode()

    def data(world: World) -> bytes:
        found = re.search(length, world.read("manifest.json"))
        assert found
        return world.read(name)[: int(found[1])]

    return data


def rendered(words: str, inside: bytes = b"") -> Bytes:
    """Return an unsealed certificate with that text, and this or the right manifest embedded."""
    return lambda world: _rendered(words, inside or world.read("manifest.json"))


@cache
def _rendered(words: str, inside: bytes) -> bytes:
    html = f'<html lang="en"><head><title>Certificate</title></head><body><p>{words}</p></body>'
    style = (execution_certificate.EVIDENCE / "certificate.css").read_text("utf-8")
    attached = renderer.Attachment("manifest.json", inside, clock.iso(clock.now()), "All")
    return renderer.render_pdf(
        f"{html}</html>".encode(),
        [style],
        variant=execution_certificate.VARIANT,
        attachments=[attached],
    )[0]


def by_us(data: Bytes) -> Bytes:
    return lambda world: pdf_seal.seal_pdf(data(world), with_=pdf_seal.Tools(world.ours))


def by_stranger(data: Bytes) -> Bytes:
    return lambda world: pdf_seal.seal_pdf(data(world), with_=pdf_seal.Tools(world.stranger))


def twice_by_us(data: Bytes) -> Bytes:
    """Seal twice with our key, where neither seal forbids the other."""
    return lambda world: vectors.sealed_twice(data(world), world.ours)


def updated(data: bytes) -> bytes:
    return vectors.changed(data, vectors.open_action)


def padded(data: bytes) -> bytes:
    """Put something in the only place no seal covers: the zeros after the signature."""
    at = data.rindex(b"00>")
    return data[:at] + b"01" + data[at + 2 :]


# The chain of events, and the manifest ----------------------------------------------------------

Lines = list[bytes]


def events(change: Callable[[Lines], Lines], *, relinked: bool = False) -> Change:
    def write(world: World) -> None:
        found, prev = change(world.read("events.jsonl").splitlines()), "0" * 64
        for seq, line in enumerate(found if relinked else ()):
            line = re.sub(rb'"prev":"[0-9a-f]{64}"', b'"prev":"%s"' % prev.encode(), line)
            found[seq] = re.sub(rb'"seq":\d+', b'"seq":%d' % seq, line)
            prev = sha256_hex(found[seq])
        world.write("events.jsonl", b"".join(b"%s\n" % line for line in found))

    return write


def signed_anew(change: Change, *, by_us: bool = True) -> Change:
    """Change the manifest and sign it again."""

    def write(world: World) -> None:
        change(world)
        seal = world.ours if by_us else world.stranger
        world.write("manifest.sig", seal.sign(world.read("manifest.json")))

    return write


def all_anew(world: World) -> None:
    """Sign everything consistently under the stranger's own root."""
    tools, data = pdf_seal.Tools(world.stranger), world.read("manifest.json")
    for name in sorted(path.name for path in world.folder.glob("[0-9]*.pdf")):
        if name != file_kinds.CERTIFICATE_NAME:
            old, new = world.read(name), pdf_seal.seal_pdf(reviewed(name)(world), with_=tools)
            data = data.replace(sha256_hex(old).encode(), sha256_hex(new).encode())
            world.write(name, new)
    for mine, theirs in (
        (world.ours.certificate, world.stranger.certificate),
        (world.ours.root, world.stranger.root),
    ):
        old_name, new_name = (certificates.fingerprint(one).encode() for one in (mine, theirs))
        data = data.replace(old_name, new_name)
    world.write("manifest.json", data)
    world.write("root.pem", certificates.pem(world.stranger.root))
    world.write("seal.pem", certificates.pem(world.stranger.certificate))
    _completed(world)


def behind_our_root(world: World) -> None:
    """The same with our root first, which misleads a checker that reads only the first."""
    all_anew(world)
    roots = certificates.pem(world.ours.root) + certificates.pem(world.stranger.root)
    theirs, mine = (certificates.fingerprint(one.root) for one in (world.stranger, world.ours))
    world.write("root.pem", roots)
    edited("manifest.json", theirs, mine)(world)
    _completed(world)


def _completed(world: World) -> None:
    """Sign the manifest, and make everything that depends on it."""
    both(
        signed_anew(lambda world: None, by_us=False),
        replaced(file_kinds.CERTIFICATE_NAME, by_stranger(rendered("All of it."))),
        replaced("manifest.tsr", token(of("manifest.json"))),
        replaced("tsa-chain.pem", of("manifest.tsr", times.chain_of)),
    )(world)
    world.sum_up(world.stranger)


def token(data: Bytes) -> Bytes:
    """Return a time stamp by the stranger's own authority, with the right name."""
    return lambda world: times.token(_authority(), data(world))


@cache
def _authority() -> time_stampers.Simulated:
    from asn1crypto import keys, x509
    from cryptography.hazmat.primitives import serialization

    one = certificates.make_simulated_time_stamper(clock.now())
    key = certificates.key_bytes(one.key, serialization.Encoding.DER)
    return time_stampers.Simulated(
        x509.Certificate.load(certificates.der(one.certificate)), keys.PrivateKeyInfo.load(key)
    )


def another_document(world: World) -> bytes:
    return by_us(lambda world: made.a_document("Another pack’s words."))(world)
