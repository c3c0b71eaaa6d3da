"""Papers, seals and executed packs for the tests, made by the code that makes the real ones."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache

from agreements import (
    certificate,
    certificates,
    file_kinds,
    manifest,
    rendering,
    sealing,
    time_stamping,
)
from agreements.bundle import Bundle
from agreements.certificates import Seal
from agreements.inspecting import Trust
from agreements.manifest import Approval, Events, Manifest, SealedPaper
from agreements.outcomes import Registered, Status
from console.core import clock
from console.core.digests import sha256_hex

STYLE = "body { font-family: sans-serif } @page { size: A4; margin: 20mm }"
EXECUTED_AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


@cache
def a_seal() -> Seal:
    """The seal of these tests."""
    return certificates.make_seal("Access Console Payments Limited", clock.now())


def a_paper(words: str = "The parties agree.", title: str = "Master services agreement") -> bytes:
    """A tagged PDF of one page, as our papers are."""
    return _drawn(words, title)


@cache
def _drawn(words: str, title: str) -> bytes:
    html = f'<html lang="en"><head><title>{title}</title></head><body><h1>{title}</h1>'
    html += f"<p>{words}</p></body></html>"
    style = (certificate.EVIDENCE / "certificate.css").read_text("utf-8")
    return rendering.draw(html.encode(), [style])[0]


def a_sealed_paper(words: str = "The parties agree.", *, simulated_time: bool = False) -> bytes:
    """The paper, sealed by the code that seals the real ones."""
    return _sealed(words, simulated_time)


@cache
def _sealed(words: str, simulated_time: bool) -> bytes:
    time = time_stamping.simulated() if simulated_time else None
    return sealing.seal_pdf(a_paper(words), with_=sealing.Tools(a_seal(), time)).data


def our_trust() -> Trust:
    return Trust((certificates.der(a_seal().root),))


def a_register(*sealed: bytes, status: Status = "executed", stamped_at: datetime | None = None):
    """A register that knows the sealed papers, and what they were before."""
    title, unsigned = "Master services agreement", sha256_hex(a_paper())
    rows = {unsigned: Registered(file_kinds.REVIEW_COPY, "not_executed", title=title)}
    for data in sealed or (a_sealed_paper(),):
        rows[sha256_hex(data)] = Registered(
            file_kinds.DOCUMENT,
            status,
            title=title,
            unsigned_sha256=unsigned,
            executed_at=EXECUTED_AT,
            seal_sha256=certificates.fingerprint(a_seal().certificate),
            stamped_at=stamped_at,
            pack="PK-2026-00001",
            parties=("Access Console Payments Limited", "Adunni Foods Limited"),
        )
    return rows.get


def a_manifest(papers: dict[str, tuple[bytes, bytes]], **changes) -> Manifest:
    """The manifest of a pack of these papers: (unsigned, sealed) by file name."""
    sealed = [
        SealedPaper.of(
            file, code=file[3:-4], title=_TITLES[file[3:-4]], unsigned=before, sealed=after
        )
        for file, (before, after) in papers.items()
    ]
    made = Manifest(
        pack="PK-2026-00001",
        revision=1,
        offer_sha256="0f" * 32,
        acts=["a1" * 32],
        signed_set_sha256="5e" * 32,
        approvals=[Approval(role, f"{n}c" * 32) for n, role in enumerate(_ROLES)],
        countersign_sha256="c5" * 32,
        sealed=sealed,
        events=Events(24, "e7" * 32),
        executed_at=EXECUTED_AT,
        time_state="none",
        seal=a_seal(),
        salt="00" * 16,
    )
    return replace(made, **changes)


def a_certificate(made: Manifest, **changes) -> bytes:
    """The certificate of execution of that manifest, before sealing."""
    at = EXECUTED_AT - timedelta(hours=3)
    us, them = "Access Console Payments Limited", "Adunni Foods Limited"
    method = "One-time code of an authenticator app"
    facts = certificate.Facts(
        business=them,
        registration_number="RC 1482736",
        country_name="Nigeria",
        signatures=[
            certificate.Signature("Adunni Okafor", "Director", them, method, at, "a1" * 32),
            certificate.Signature(
                "Ruth Hale", "Countersignatory", us, method, EXECUTED_AT, "c5" * 32
            ),
        ],
        decisions=[
            certificate.Decision(role.title(), name, at + timedelta(minutes=17 * n), f"{n}c" * 32)
            for n, (role, name) in enumerate(
                zip(_ROLES, ("Ines Marques", "Tom Adeyemi", "Lena Fischer"), strict=True), 1
            )
        ],
        verify_url="https://access-console.example/verify/",
    )
    return certificate.draw(replace(facts, **changes), made, events=b'{"seq":0}\n')


def a_bundle(
    *, codes: tuple[str, ...] = ("CVR", "MSA", "FEE"), simulated_time: bool = False
) -> Bundle:
    """An executed pack, complete."""
    time = time_stamping.simulated() if simulated_time else None
    tools = sealing.Tools(a_seal(), time)
    pairs = {}
    for n, code in enumerate(codes, 1):
        before = a_paper(f"Paper {code} says so.", _TITLES[code])
        pairs[f"{n:02d}-{code}.pdf"] = before, sealing.seal_pdf(before, with_=tools).data
    made = a_manifest(pairs, time_state=time_stamping.state_of(time))
    sealed = sealing.seal_pdf(a_certificate(made), with_=tools)
    return Bundle(
        manifest=made,
        papers={file: after for file, (_, after) in pairs.items()},
        certificate=sealed.data,
        signature=manifest.sign(made.data(), a_seal()),
        seal=a_seal(),
        verify_url="https://access-console.example/verify/",
        token=time_stamping.token(time, made.data()),
        events=b'{"seq":0}\n',
        acts={"1.json": b"{}"},
        approvals={"1-compliance.json": b"{}"},
    )


_ROLES = ("compliance", "commercial", "legal")
_TITLES = {
    "CVR": "Pack cover and index",
    "ERC": "Consent to electronic records and signatures",
    "MSA": "Master services agreement",
    "SBX": "Sandbox terms",
    "FEE": "Fee schedule",
    "SLA": "Service levels",
    "API": "API terms, keys and change policy",
    "SEC": "Security schedule",
    "DPA": "Data processing agreement",
    "AUP": "Acceptable use",
    "AML": "AML and sanctions undertaking",
    "CTY-NG": "Country addendum: Nigeria",
}
