"""Documents, seals and executed packs for tests, created by the production code."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from typing import Any

from agreements.pki import certificates, time_stamping
from agreements.pki.certificates import Seal
from agreements.rendering import renderer
from agreements.sealing import execution_certificate, pdf_seal
from agreements.sealing.bundle import Bundle, Evidence
from agreements.sealing.manifest import Approval, Events, Manifest, SealedDocument
from agreements.verification import file_kinds
from agreements.verification.findings import Trust
from agreements.verification.outcomes import Registered
from api.demo.company import EXAMPLE
from console.core import clock
from console.core.digests import canonical, sha256_hex

# Adds the proof to the body of an act or a decision.
Prove = Callable[[str, dict[str, Any]], dict[str, Any]]
MARA, IFAN = "mara@kettle.example", "ifan@kettle.example"
EXECUTED_AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


@cache
def a_seal() -> Seal:
    """The seal of these tests."""
    return certificates.make_seal("Access Console Payments Limited", clock.now())


@cache
def a_document(
    words: str = "The parties agree.", title: str = "Master services agreement"
) -> bytes:
    """Return a tagged PDF of one page, like our documents."""
    html = f'<html lang="en"><head><title>{title}</title></head><body><h1>{title}</h1>'
    html += f"<p>{words}</p></body></html>"
    style = (execution_certificate.EVIDENCE / "certificate.css").read_text("utf-8")
    return renderer.render_pdf(html.encode(), [style])[0]


@cache
def a_sealed_document(words: str = "The parties agree.", *, simulated_time: bool = False) -> bytes:
    """Return the document, sealed by the production code."""
    time = time_stamping.simulated() if simulated_time else None
    return pdf_seal.seal_pdf(a_document(words), with_=pdf_seal.Tools(a_seal(), time))


def our_trust() -> Trust:
    return Trust((certificates.der(a_seal().root),))


def time_trusted() -> Trust:
    """Trust the simulated authority too, as if it were a real one."""
    return Trust(our_trust().roots, (time_stamping.simulated().tsa_cert.dump(),))


def a_register(*sealed: bytes, stamped_at: datetime | None = None):
    """Return a register with the sealed and unsealed documents."""
    title, unsigned = "Master services agreement", sha256_hex(a_document())
    rows = {unsigned: Registered(file_kinds.REVIEW_COPY, title=title)}
    for data in sealed or (a_sealed_document(),):
        rows[sha256_hex(data)] = Registered(
            file_kinds.DOCUMENT,
            executed=True,
            title=title,
            unsigned_sha256=unsigned,
            executed_at=EXECUTED_AT,
            seal_sha256=certificates.fingerprint(a_seal().certificate),
            stamped_at=stamped_at,
            pack="PK-2026-00001",
            parties=("Access Console Payments Limited", "Adunni Foods Limited"),
        )
    return rows.get


def a_manifest(documents: dict[str, tuple[bytes, bytes]], **changes) -> Manifest:
    """Return the manifest of a pack of these documents: (unsigned, sealed) by file name."""
    sealed = [
        SealedDocument.of(
            file,
            code=file[3:-4],
            title=_TITLES[file[3:-4]],
            html=_html(file),
            unsigned=before,
            sealed=after,
        )
        for file, (before, after) in documents.items()
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
        audit_head_sha256="ad" * 32,
        executed_at=EXECUTED_AT,
        time_state="none",
        seal=a_seal(),
        salt="00" * 16,
    )
    return replace(made, **changes)


def a_certificate(made: Manifest, events: bytes = b'{"seq":0}\n', **changes) -> bytes:
    """Return the unsealed certificate of execution of that manifest."""
    at = EXECUTED_AT - timedelta(hours=3)
    us, them = EXAMPLE["legal_name"], "Adunni Foods Limited"
    method = "One-time code of an authenticator app"
    facts = execution_certificate.CertificateFacts(
        supplier=EXAMPLE,
        business=them,
        registration_number="RC 1482736",
        country_name="Nigeria",
        signatures=[
            execution_certificate.Signature(
                "Adunni Okafor", "Director", them, method, at, "a1" * 32
            ),
            execution_certificate.Signature(
                "Ruth Hale", "Countersignatory", us, method, EXECUTED_AT, "c5" * 32
            ),
        ],
        decisions=[
            execution_certificate.CertifiedDecision(
                role.title(), name, method, at + timedelta(minutes=17 * n), f"{n}c" * 32
            )
            for n, (role, name) in enumerate(
                zip(_ROLES, ("Ines Marques", "Tom Adeyemi", "Lena Fischer"), strict=True), 1
            )
        ],
        verify_url="https://access-console.example/verify/",
    )
    return execution_certificate.render(replace(facts, **changes), made, events)


@cache
def a_bundle(
    *,
    codes: tuple[str, ...] = ("CVR", "MSA", "FEE"),
    simulated_time: bool = False,
    prove: Prove | None = None,
    signers: tuple[str, ...] = (MARA,),
    needs: int | None = None,
) -> Bundle:
    """Return a complete executed pack, in which each hash is of one of its files.

    Without `prove`, its acts are of the first format.
    """
    time = time_stamping.simulated() if simulated_time else None
    tools = pdf_seal.Tools(a_seal(), time)
    pairs = {}
    for n, code in enumerate(codes, 1):
        before = a_document(f"Document {code} says so.", _TITLES[code])
        pairs[f"{n:02d}-{code}.pdf"] = before, pdf_seal.seal_pdf(before, with_=tools)
    unsigned = {file: before for file, (before, _) in pairs.items()}
    evidence = an_evidence(unsigned, prove, signers=signers, needs=needs)
    made = a_manifest(
        pairs,
        executed_at=clock.now(),
        time_state=time_stamping.state_of(time),
        **hashes_of(evidence),
    )
    sealed = pdf_seal.seal_pdf(a_certificate(made, evidence.events), with_=tools)
    return Bundle(
        manifest=made,
        documents={file: after for file, (_, after) in pairs.items()},
        certificate=sealed,
        evidence=evidence,
        seal=a_seal(),
        verify_url="https://access-console.example/verify/",
        token=time_stamping.token(time, made.data()),
    )


def an_evidence(
    unsigned: dict[str, bytes],
    prove: Prove | None = None,
    *,
    signers: tuple[str, ...] = (MARA,),
    needs: int | None = None,
) -> Evidence:
    """Return the offer of these documents, its signatures, the decisions and their events.

    The offer names Mara and Ifan. Without `needs` it is as before several could sign.
    """
    act_of = partial(_act, prove or (lambda kind, body: body), 2 if prove else 1)
    wording = "I, Adunni Okafor, have read all documents."
    said = sha256_hex(wording.encode())
    documents = [
        {
            "order": n,
            "code": file[3:-4],
            "template": f"{file[3:-4]}@1.0.0",
            "html_sha256": sha256_hex(_html(file)),
            "unsigned_sha256": sha256_hex(data),
            "pages": 1,
            "bytes": len(data),
        }
        for n, (file, data) in enumerate(unsigned.items(), 1)
    ]
    reasons = {name: canonical(f"agr.{kind}.v1", {"of": name}) for name, kind in _REASONS.items()}
    bound = {f"{name}_sha256": sha256_hex(data) for name, data in reasons.items()}
    authority: dict[str, Any] = {
        "rule": "the signatory alone",
        "signatory": {"email": MARA.title()},
    }
    if needs is not None:
        authority |= {"needs": needs, "rule": "all signatories"}
        authority["signatory"]["others"] = [{"email": IFAN}]
    offer = _canonical(
        "offer", documents=documents, revision=1, statement_sha256=said, consent_sha256="",
        authority=authority, **bound,
    )  # fmt: skip
    under = {"offer_sha256": sha256_hex(offer)}
    statement = f"{wording} Fingerprint of the pack: {sha256_hex(offer)}."
    stated = {"statement": statement, "statement_sha256": sha256_hex(statement.encode())}
    acts = [
        act_of(
            "act",
            **under,
            **stated,
            place=n,
            person={"email": email, "id": f"usr_{email.partition('@')[0]}", "name": "Mara"},
        )
        for n, email in enumerate(signers)
    ]
    hashes = sorted(map(sha256_hex, acts))
    signed_set = canonical("agr.signed-set.v1", {**under, "acts": hashes})
    decided = [(role, "approved") for role in _ROLES] + [("countersignatory", "countersigned")]
    decisions = {
        f"{n:02d}-{role}.json": act_of(
            "decision",
            role=role,
            verdict=verdict,
            signed_set_sha256=sha256_hex(signed_set),
            person={"id": f"usr_{role}", "name": role},
            **({"products": _PRODUCTS} if role == "commercial" else {}),
        )
        for n, (role, verdict) in enumerate(decided, 1)
    }
    events, prev = b"", "0" * 64
    happened = [
        *(("act_sha256", act) for act in acts),
        *(("decision_sha256", one) for one in decisions.values()),
    ]
    for seq, (name, data) in enumerate(happened):
        one = _canonical("event", **{name: sha256_hex(data)}, prev=prev, seq=seq)
        events, prev = events + one + b"\n", sha256_hex(one)
    head = {"chain": "main", "count": 412, "hash": "ab" * 32, "time": clock.iso(EXECUTED_AT)}
    return Evidence(
        offer=offer,
        reasons={f"{name}.json": data for name, data in reasons.items()},
        signed_set=signed_set,
        audit_head=canonical("agr.audit-head.v1", head),
        events=events,
        acts={f"{n:02d}.json": act for n, act in enumerate(acts, 1)},
        approvals=decisions,
        html={file: _html(file) for file in unsigned},
    )


def hashes_of(evidence: Evidence) -> dict[str, Any]:
    """Return the manifest's entry for that evidence."""
    *decisions, countersigned = (sha256_hex(one) for one in evidence.approvals.values())
    lines = evidence.events.splitlines()
    return {
        "offer_sha256": sha256_hex(evidence.offer),
        "acts": [sha256_hex(one) for one in evidence.acts.values()],
        "signed_set_sha256": sha256_hex(evidence.signed_set),
        "approvals": [Approval(*one) for one in zip(_ROLES, decisions, strict=True)],
        "countersign_sha256": countersigned,
        "events": Events(len(lines), sha256_hex(lines[-1])),
        "audit_head_sha256": sha256_hex(evidence.audit_head),
    }


def _act(prove: Prove, version: int, kind: str, /, **body: Any) -> bytes:
    when = {"pack": "PK-2026-00001", "time": clock.iso(EXECUTED_AT)}
    return canonical(f"agr.{kind}.v{version}", prove(kind, when | body))


def _canonical(kind: str, **body: Any) -> bytes:
    when = {"pack": "PK-2026-00001", "time": clock.iso(EXECUTED_AT)}
    return canonical(f"agr.{kind}.v1", when | body)


def _html(file: str) -> bytes:
    return f"<!DOCTYPE html>\n<title>{file}</title>\n".encode()


_REASONS = {
    "facts": "facts", "profile": "render-profile", "ruleset": "ruleset", "trace": "trace"
}  # fmt: skip
_PRODUCTS = {"approved": ["payouts"], "refused": {"cards": 'Not “yet”}},"role":"x'}}
_ROLES = ("compliance", "commercial", "legal")
_TITLES = {
    "CVR": "Pack cover and index",
    "MSA": "Master services agreement",
    "FEE": "Fee schedule",
}
