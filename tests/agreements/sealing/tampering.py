"""Ways to tamper with the bundle of an executed pack, each with the check that must fail."""

import os
from collections.abc import Callable
from dataclasses import dataclass

from cryptography.x509 import Certificate

from agreements.pki import certificates
from agreements.pki import time_stamping as times
from tests.agreements.sealing.forging import (
    Bytes,
    Change,
    World,
    all_anew,
    another_document,
    behind_our_root,
    both,
    by_stranger,
    by_us,
    edited,
    events,
    of,
    padded,
    removed,
    rendered,
    replaced,
    reviewed,
    signed_anew,
    swapped,
    token,
    twice_by_us,
    updated,
)
from tests.agreements.verification.vectors import flipped


@dataclass(frozen=True)
class Tampering:
    """A change, words of the check that must fail, and whether our seal signs the checksums."""

    change: Change
    notices: str
    signed: bool = True


CRT, ERC, MSA = "00-certificate.pdf", "02-ERC.pdf", "03-MSA.pdf"
ACT, LEGAL, COUNTER = (
    "acts/01.json",
    "approvals/03-legal.json",
    "approvals/04-countersignatory.json",
)
COPY, BEGIN, SEAL = f"{ERC} is the executed copy", f"{ERC} begins with", f"{CRT} has one seal"
LIST, SUMS, SIGNED = (
    "Every file that the manifest",
    "SHA256SUMS was signed",
    "manifest.json was signed",
)
PLAIN, HOLDS, CHAIN, HTML = (
    "The folder holds plain",
    "holds this very",
    "one unbroken chain",
    "screen showed",
)
NAMED, UNDER = "The root is the one", "was issued under that root"
OTHER = b'{"_type":"agr.manifest.v1","body":{"pack":"AGP-2026-999999"}}'


def link(name: str, to: str) -> Change:
    def change(world: World) -> None:
        (world.folder / name).unlink(missing_ok=True)
        (world.folder / name).symlink_to(to)

    return change


def elsewhere(world: World) -> None:
    """Replace a folder by a symbolic link to another place with the same files."""
    (world.folder / "acts").rename(world.folder.parent / "acts")
    (world.folder / "acts").symlink_to("../acts")


def fifo(world: World) -> None:
    (world.folder / ERC).unlink()
    os.mkfifo(world.folder / ERC)


def pem(one: Callable[[World], Certificate]) -> Bytes:
    return lambda world: certificates.pem(one(world))


def folder(name: str) -> Change:
    return lambda world: (world.folder / name).mkdir()


def file(name: str, data: bytes = b"more") -> Change:
    return replaced(name, lambda world: data)


TAMPERINGS: dict[str, Tampering] = {
    # The certificate
    "certificate of another pack": Tampering(
        replaced(CRT, by_us(rendered("Another pack.", OTHER))), HOLDS
    ),
    "certificate sealed by a stranger": Tampering(
        replaced(CRT, by_stranger(rendered("Same."))), SEAL
    ),
    "certificate not sealed": Tampering(replaced(CRT, rendered("Same.")), SEAL),
    "certificate sealed twice": Tampering(replaced(CRT, twice_by_us(rendered("Same."))), SEAL),
    "certificate flipped": Tampering(replaced(CRT, of(CRT, lambda d: flipped(d, 8 * 2000))), SEAL),
    "certificate updated": Tampering(replaced(CRT, of(CRT, updated)), SEAL),
    "certificate with more behind": Tampering(replaced(CRT, of(CRT, lambda d: d + b"\n%")), SEAL),
    "certificate truncated": Tampering(replaced(CRT, of(CRT, lambda d: d[:-300])), SEAL),
    "certificate padded": Tampering(replaced(CRT, of(CRT, padded)), SEAL),
    "certificate is a document": Tampering(replaced(CRT, of(MSA)), HOLDS),
    "certificate empty": Tampering(file(CRT, b""), SEAL),
    "certificate removed": Tampering(removed(CRT), LIST),
    "certificate with the manifest behind": Tampering(
        replaced(
            CRT,
            lambda w: (
                by_us(rendered("Another pack.", OTHER))(w) + b"\n" + w.read("manifest.json") + b"\n"
            ),
        ),
        SEAL,
    ),
    # The documents
    "document flipped": Tampering(replaced(ERC, of(ERC, lambda d: flipped(d, 8 * 2000))), BEGIN),
    "document updated": Tampering(replaced(ERC, of(ERC, updated)), COPY),
    "document with more behind": Tampering(replaced(ERC, of(ERC, lambda d: d + b"\n%")), COPY),
    "document truncated": Tampering(replaced(ERC, of(ERC, lambda d: d[:-300])), COPY),
    "document padded": Tampering(replaced(ERC, of(ERC, padded)), COPY),
    "document sealed by a stranger": Tampering(replaced(ERC, by_stranger(reviewed(ERC))), COPY),
    "document sealed again by us": Tampering(replaced(ERC, by_us(reviewed(ERC))), COPY),
    "document of another pack": Tampering(replaced(ERC, another_document), COPY),
    "document not sealed": Tampering(replaced(ERC, reviewed(ERC)), COPY),
    "document empty": Tampering(file(ERC, b""), COPY),
    "document removed": Tampering(removed(ERC), LIST),
    "documents swapped": Tampering(swapped(ERC, MSA), COPY),
    "document added": Tampering(replaced("17-XXX.pdf", another_document), LIST),
    "document renamed": Tampering(both(replaced("02-ECR.pdf", of(ERC)), removed(ERC)), LIST),
    # Screen snapshots
    "html edited": Tampering(edited("html/03-MSA.html", "shall|must|may", "need not"), HTML),
    "html removed": Tampering(removed("html/03-MSA.html"), HTML),
    "html added": Tampering(file("html/17-XXX.html"), LIST),
    "html swapped": Tampering(swapped("html/02-ERC.html", "html/03-MSA.html"), HTML),
    # Offer and signed set
    "offer edited": Tampering(
        edited("offer.json", '"pages":\\d+', '"pages":1000'), "offer.json is"
    ),
    "offer with another hash": Tampering(
        edited("offer.json", '"html_sha256":"[0-9a-f]{64}', f'"html_sha256":"{"0" * 64}'),
        "offer.json is",
    ),
    "offer with a space": Tampering(
        replaced("offer.json", of("offer.json", lambda d: d + b" ")), "offer.json is"
    ),
    "offer removed": Tampering(removed("offer.json"), "offer.json is"),
    # Sources of the documents' selection and rendering
    "facts edited": Tampering(
        edited("facts.json", '"tier":"[A-Z]+"', '"tier":"NONE"'), "facts.json is"
    ),
    "facts are the trace": Tampering(replaced("facts.json", of("trace.json")), "facts.json is"),
    "facts removed": Tampering(removed("facts.json"), "facts.json is"),
    "rules edited": Tampering(
        edited("ruleset.json", '"edition":"20', '"edition":"19'), "ruleset.json is"
    ),
    "rules removed": Tampering(removed("ruleset.json"), "ruleset.json is"),
    "answer of a rule edited": Tampering(
        edited("trace.json", '"result":true', '"result":false'), "trace.json is"
    ),
    "renderer edited": Tampering(
        edited("profile.json", '"writer":"', '"writer":"not '), "profile.json is"
    ),
    "renderer removed": Tampering(removed("profile.json"), SUMS, signed=False),
    "signed set edited": Tampering(
        edited("signed-set.json", '"acts":."[0-9a-f]{64}', f'"acts":["{"1" * 64}'),
        "signed-set.json is",
    ),
    "signed set with one more": Tampering(
        edited("signed-set.json", '"acts":.', f'"acts":["{"1" * 64}",'), "signed-set.json is"
    ),
    "signed set is the offer": Tampering(
        replaced("signed-set.json", of("offer.json")), "signed-set.json is"
    ),
    # Signatures and decisions
    "signatory renamed": Tampering(edited(ACT, "Mara Ellwood", "Mary Ellwood"), "Signature 1"),
    "signature re-dated": Tampering(edited(ACT, '"time":"20', '"time":"19'), "Signature 1"),
    "statement edited": Tampering(edited(ACT, "have read all", "have seen some"), "Signature 1"),
    "signature removed": Tampering(removed(ACT), "Signature 1"),
    "signature added": Tampering(replaced("acts/02.json", of(ACT)), LIST),
    "signature emptied": Tampering(file(ACT, b""), "Signature 1"),
    "approver renamed": Tampering(edited(LEGAL, '"name":"', '"name":"Dr '), "Decision 3"),
    "approval re-dated": Tampering(edited(LEGAL, '"time":"20', '"time":"19'), "Decision 3"),
    "approval given to another set": Tampering(
        edited(LEGAL, '"signed_set_sha256":"[0-9a-f]{64}', f'"signed_set_sha256":"{"2" * 64}'),
        "Decision 3",
    ),
    "approval noted": Tampering(edited(LEGAL, '"note":""', '"note":"Fine."'), "Decision 3"),
    "approval removed": Tampering(removed(LEGAL), "Decision 3"),
    "approval added": Tampering(replaced("approvals/05-legal.json", of(LEGAL)), LIST),
    "approvals swapped": Tampering(swapped(LEGAL, "approvals/02-commercial.json"), "Decision 2"),
    "approval under another role": Tampering(
        both(replaced("approvals/03-commercial.json", of(LEGAL)), removed(LEGAL)), LIST
    ),
    "countersignature exchanged": Tampering(swapped(COUNTER, LEGAL), "Decision 4"),
    "countersignature edited": Tampering(
        edited(COUNTER, "countersigned", "approved"), "Decision 4"
    ),
    "countersignature removed": Tampering(removed(COUNTER), "Decision 4"),
    # Events
    "event edited": Tampering(edited("events.jsonl", "pack.signed", "pack.sigNed"), CHAIN),
    "last event edited": Tampering(
        edited("events.jsonl", "pack.countersigning", "pack.signed"), CHAIN
    ),
    "event removed": Tampering(events(lambda one: one[:5] + one[6:]), CHAIN),
    "event inserted": Tampering(events(lambda one: [*one[:5], one[4], *one[5:]]), CHAIN),
    "events reordered": Tampering(events(lambda one: [*one[:4], one[5], one[4], *one[6:]]), CHAIN),
    "events cut": Tampering(events(lambda one: one[:-1]), CHAIN),
    "events all gone": Tampering(file("events.jsonl", b""), CHAIN),
    "event edited, chain made anew": Tampering(
        both(edited("events.jsonl", "pack.signed", "pack.sigNed"), events(list, relinked=True)),
        CHAIN,
    ),
    "event removed, chain made anew": Tampering(
        events(lambda one: one[:5] + one[6:], relinked=True), CHAIN
    ),
    "event inserted, chain made anew": Tampering(
        events(lambda one: [*one[:5], one[4], *one[5:]], relinked=True), CHAIN
    ),
    "events reordered, chain made anew": Tampering(
        events(lambda one: [*one[:4], one[5], one[4], *one[6:]], relinked=True), CHAIN
    ),
    "no end of line": Tampering(replaced("events.jsonl", of("events.jsonl", bytes.rstrip)), CHAIN),
    "other ends of lines": Tampering(
        replaced("events.jsonl", of("events.jsonl", lambda d: d.replace(b"\n", b"\r\n"))), CHAIN
    ),
    "a zero byte among events": Tampering(
        replaced("events.jsonl", of("events.jsonl", lambda d: d.replace(b"}\n", b"}\0\n", 1))),
        CHAIN,
    ),
    "events that are commands": Tampering(
        file("events.jsonl", b"$(touch pwned) `touch pwned` %s%n \\0101\n"), CHAIN
    ),
    # The head of the audit log
    "audit count edited": Tampering(
        edited("audit-head.json", '"count":', '"count":9'), "audit-head"
    ),
    "audit hash edited": Tampering(
        edited("audit-head.json", '"hash":"....', '"hash":"f00f'), "audit-head"
    ),
    "audit time edited": Tampering(
        edited("audit-head.json", '"time":"20', '"time":"19'), "audit-head"
    ),
    "audit head removed": Tampering(removed("audit-head.json"), "audit-head"),
    # The manifest
    "pack re-dated": Tampering(
        edited("manifest.json", '"executed_at":"20', '"executed_at":"19'), SIGNED
    ),
    "pack renamed": Tampering(edited("manifest.json", '"pack":"AGP', '"pack":"AGQ'), SIGNED),
    "manifest with a space": Tampering(
        replaced("manifest.json", of("manifest.json", lambda d: d + b" ")), SIGNED
    ),
    "manifest signed by a stranger": Tampering(
        signed_anew(lambda world: None, by_us=False), SIGNED
    ),
    "manifest of another form": Tampering(
        signed_anew(edited("manifest.json", "manifest.v1", "manifest.v9")), "has the form"
    ),
    "pack re-dated by us, before our seal": Tampering(
        signed_anew(edited("manifest.json", '"executed_at":"20', '"executed_at":"19')),
        "was good when",
    ),
    "manifest without one signature": Tampering(
        signed_anew(edited("manifest.json", '"acts":."[0-9a-f]{64}"', '"acts":[')),
        "signed-set.json is",
    ),
    "manifest that leads elsewhere": Tampering(
        signed_anew(
            edited("manifest.json", '"file":"02-ERC.pdf"', '"file":"../../../../etc/passwd"')
        ),
        LIST,
    ),
    "signature of the manifest removed": Tampering(removed("manifest.sig"), SIGNED),
    "manifest removed": Tampering(removed("manifest.json"), "Manifest, root, seal"),
    # Root and seal
    "all of it anew, under another root": Tampering(all_anew, NAMED, signed=False),
    "all of it anew, behind our root": Tampering(behind_our_root, UNDER, signed=False),
    "root exchanged": Tampering(
        replaced("root.pem", pem(lambda world: world.stranger.root)), NAMED
    ),
    "seal exchanged": Tampering(
        replaced("seal.pem", pem(lambda world: world.stranger.certificate)), UNDER
    ),
    "seal is the root": Tampering(
        replaced("seal.pem", of("root.pem")), "The manifest names the root"
    ),
    # The time
    "time by a stranger": Tampering(
        both(
            replaced("manifest.tsr", token(of("manifest.json"))),
            replaced("tsa-chain.pem", of("manifest.tsr", times.chain_of)),
        ),
        "The authority that you named",
    ),
    "time of something else": Tampering(
        replaced("manifest.tsr", token(of("offer.json"))), "states a time of this manifest"
    ),
    "time removed": Tampering(removed("manifest.tsr", "tsa-chain.pem"), LIST),
    "time is no time": Tampering(file("manifest.tsr", b"2026"), "states a time of this manifest"),
    # The checksums, and files that only they list
    "instructions edited": Tampering(
        edited("READ-ME.txt", "sh verify.sh", "sh verify-it.sh"), SUMS, signed=False
    ),
    "script edited": Tampering(edited("verify.sh", "failed=1", "failed=0"), SUMS, signed=False),
    "words before the seal": Tampering(
        replaced("seal.pem", of("seal.pem", lambda d: b"The best seal.\n" + d)), SUMS, signed=False
    ),
    "sums by a stranger": Tampering(lambda world: world.sum_up(world.stranger), SUMS, signed=False),
    "sums without a signature": Tampering(removed("SHA256SUMS.sig"), SUMS, signed=False),
    # The folder
    "file that no list names": Tampering(file("notes.txt"), LIST),
    "hidden file": Tampering(file(".DS_Store"), LIST),
    "empty folder": Tampering(folder("more"), LIST),
    "deep folder": Tampering(both(folder("acts/more"), file("acts/more/01.json")), PLAIN),
    "link to a file": Tampering(link(ERC, MSA), PLAIN),
    "link to outside": Tampering(link("notes.txt", "/etc/passwd"), PLAIN),
    "link to nothing": Tampering(link("notes.txt", "nowhere"), PLAIN),
    "folder that is a link": Tampering(elsewhere, PLAIN),
    "document that is a folder": Tampering(both(removed(ERC), folder(ERC)), LIST),
    "document that is a pipe": Tampering(fifo, PLAIN),
    "name with spaces": Tampering(file("a b.pdf"), PLAIN),
    "name of two lines": Tampering(file("a\nSHA256SUMS"), PLAIN),
    "name that is a command": Tampering(file("$(touch pwned);`touch pwned`"), PLAIN),
    "name that is an option": Tampering(file("-rf"), PLAIN),
    "name in no alphabet": Tampering(file(os.fsdecode(b"\xff\xfe")), PLAIN),
}
