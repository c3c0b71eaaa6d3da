"""Test vectors: each file gets the answer that the design specifies."""

import random
from dataclasses import replace
from datetime import timedelta

import pytest

from agreements.pki import certificates
from agreements.pki.revocation import RevocationList, WithdrawnSeal
from agreements.sealing import pdf_seal
from agreements.verification import file_kinds, inspection, verdicts
from agreements.verification.findings import Findings
from agreements.verification.outcomes import Outcome, Registered
from console.core import clock
from console.core.digests import sha256_hex
from tests.agreements.sealing import made
from tests.agreements.verification import vectors
from tests.proofs import Proven, proof

ALL_FOUND = "1,000 of 1,000 flipped bits found"


def said_of(data: bytes, register=None, *, trust=None, at=None, revoked=None) -> verdicts.Verdict:
    """Return the verdict on a file; by default, the register knows the sealed document."""
    found = inspection.inspect(data, trust or made.our_trust(), at or clock.now())
    find, sha256 = register or made.a_register(), sha256_hex(data)
    list_ = revoked or RevocationList(checked=True)
    return verdicts.judge(sha256, find(sha256), list_, at=clock.now(), found=found)


def said_of_fingerprint(sha256: str, register=None, *, revoked=None) -> verdicts.Verdict:
    """Return the verdict on a fingerprint alone."""
    find, list_ = register or made.a_register(), revoked or RevocationList(checked=True)
    return verdicts.judge(sha256, find(sha256), list_, at=clock.now())


def found_in(data: bytes) -> Findings:
    return inspection.inspect(data, made.our_trust(), clock.now())


def test_an_executed_copy_is_authentic_and_executed_as_of_now():
    now = f"{clock.now():%B %Y}"
    verdict = said_of(vectors.sealed())
    assert verdict.outcome == Outcome.EXECUTED
    assert "as of" in verdict.meaning
    assert now in verdict.meaning
    assert now in dict(verdict.details)["Our register"]


@pytest.mark.parametrize(
    ("file", "outcome"),
    [
        (vectors.byte_flipped, Outcome.ALTERED),
        (vectors.trailing_bytes, Outcome.ALTERED),
        (vectors.incremental_update, Outcome.ALTERED),
        (vectors.two_seals, Outcome.ALTERED),
        (vectors.other_root_same_names, Outcome.FOREIGN),
        (vectors.truncated, Outcome.UNREADABLE),
        (vectors.encrypted, Outcome.UNREADABLE),
    ],
)
def test_what_is_not_the_executed_copy_is_told_from_it(file, outcome):
    data = file()
    assert said_of(data).outcome == outcome
    # A register changed to list it does not help either.
    assert said_of(data, made.a_register(data)).outcome == outcome


def test_a_review_copy_is_no_executed_copy():
    data = made.a_document()
    for verdict in (said_of(data), said_of_fingerprint(sha256_hex(data))):
        assert verdict.outcome == Outcome.NOT_EXECUTED
        assert verdict.headline == "Review copy, not executed"


def test_a_strangers_pdf_is_not_sealed_by_us():
    assert said_of(made.a_document("Somebody else's words.")).headline == "Not sealed by us"


@pytest.mark.parametrize("data", [b"", b"hello", b"%PDF-1.7\n", b"%PDF-1.7\n" + bytes(4000)])
def test_what_is_no_pdf_cannot_be_read(data):
    verdict = said_of(data)
    assert verdict.outcome == Outcome.UNREADABLE
    assert "not an exact copy" in verdict.meaning


@pytest.mark.parametrize("gave_up", [True, False])
@pytest.mark.parametrize("known", [True, False])
def test_our_limits_do_not_unsay_what_is_registered(gave_up, known):
    data = vectors.sealed()
    found = Findings(sha256_hex(data), unreadable="why", gave_up=gave_up)
    registered = made.a_register()(found.sha256) if known else None
    verdict = verdicts.judge(
        found.sha256, registered, RevocationList(checked=True), at=clock.now(), found=found
    )
    assert (verdict.outcome == Outcome.EXECUTED) == (gave_up and known)


def test_a_good_seal_that_the_register_does_not_know_is_no_executed_copy():
    orphan = made.a_sealed_document("Sealed by a worker that was killed.")
    assert said_of(orphan).outcome == Outcome.ALTERED


def test_a_sealed_file_registered_for_another_document_is_refused():
    other = made.a_sealed_document("Another document.")
    assert said_of(other, made.a_register(other)).outcome == Outcome.ALTERED


@pytest.mark.parametrize("name", vectors.MISCHIEF)
def test_a_change_slipped_in_while_sealing_is_found_under_a_perfect_seal(name):
    data = vectors.sealed_with(vectors.MISCHIEF[name])
    assert data.startswith(made.a_document())
    found = found_in(data)
    assert (found.intact, found.valid, found.whole, bool(found.root)) == (True,) * 4
    assert found.difference
    assert said_of(data, made.a_register(data)).outcome == Outcome.ALTERED
    with pytest.raises(pdf_seal.SealBroken):
        pdf_seal.check_sealed(made.a_document(), data, made.our_trust())


@pytest.mark.parametrize("name", ["page_swapped", "metadata_replaced"])
def test_a_change_before_sealing_is_found(name):
    data = vectors.changed(made.a_document(), vectors.MISCHIEF[name])
    resealed = pdf_seal.seal_pdf(data, with_=pdf_seal.Tools(made.a_seal()))
    assert said_of(resealed, made.a_register(resealed)).outcome == Outcome.ALTERED


def test_a_swapped_attachment_is_found():
    document = vectors.with_attachment()
    honest = pdf_seal.seal_pdf(document, with_=pdf_seal.Tools(made.a_seal()))
    pdf_seal.check_sealed(document, honest, made.our_trust())
    swapped = vectors.sealed_with(vectors.attachment_swapped, document)
    with pytest.raises(pdf_seal.SealBroken):
        pdf_seal.check_sealed(document, swapped, made.our_trust())


@proof("R19", "flipped bits in sealed documents", small=40, full=1000, asked=ALL_FOUND)
def test_every_flipped_bit_is_noticed(proven: Proven):
    data, chance = vectors.sealed(), random.Random(20261121)
    bits = chance.sample(range(8 * len(data)), proven.size)
    missed = [
        bit for bit in bits if said_of(vectors.flipped(data, bit)).outcome == Outcome.EXECUTED
    ]
    found = len(bits) - len(missed)
    proven.reached(f"{found:,} of {len(bits):,} flipped bits found", met=not missed)


# Time, and revoked keys ------------------------------------------------------------------------


def test_a_simulated_time_is_called_simulated_and_no_time_none():
    found = found_in(made.a_sealed_document(simulated_time=True))
    assert (found.stamp, found.stamped_at[:4]) == ("simulated", f"{clock.now():%Y}")
    assert found_in(vectors.sealed()).stamp == "none"


def test_a_seal_outlives_its_certificate_by_the_time_of_its_execution():
    later = clock.now() + timedelta(days=365 * 12)
    found = inspection.inspect(vectors.sealed(), made.our_trust(), later)
    assert not found.root
    then = inspection.inspect(vectors.sealed(), made.our_trust(), clock.now())
    assert then.root


def test_a_seal_outlives_its_certificate_by_a_trusted_time():
    later = clock.now() + timedelta(days=365 * 6)
    data = made.a_sealed_document(simulated_time=True)
    trust = made.time_trusted()
    assert inspection.inspect(data, trust, later).stamp == "trusted"
    assert said_of(data, made.a_register(data), trust=trust, at=later).outcome == Outcome.EXECUTED


def withdrawn(since) -> RevocationList:
    key = certificates.fingerprint(made.a_seal().certificate)
    return RevocationList(checked=True, withdrawn={key: WithdrawnSeal(since, "lost")})


def answers(data: bytes, register, revoked) -> set[Outcome]:
    """Return the verdicts on the file and on its fingerprint."""
    return {
        said_of(data, register, revoked=revoked).outcome,
        said_of_fingerprint(sha256_hex(data), register, revoked=revoked).outcome,
    }


@pytest.mark.parametrize(
    ("stamped", "lost_days_from_now", "outcome"),
    [
        (True, 1, Outcome.EXECUTED),
        (True, -1, Outcome.KEY_WITHDRAWN),
        (False, 1, Outcome.KEY_WITHDRAWN),
    ],
)
def test_a_withdrawn_key_is_cleared_only_by_independent_time(stamped, lost_days_from_now, outcome):
    register = made.a_register(stamped_at=clock.now() if stamped else None)
    since = clock.now() + timedelta(days=lost_days_from_now)
    assert answers(vectors.sealed(), register, withdrawn(since)) == {outcome}


@pytest.mark.parametrize("known", [True, False])
def test_without_a_list_that_is_ours_nobody_can_tell(known):
    listed = withdrawn(clock.now()).withdrawn if known else {}
    unchecked = RevocationList(checked=False, withdrawn=listed)
    assert answers(vectors.sealed(), made.a_register(), unchecked) == {Outcome.CANNOT_TELL}


def test_an_altered_file_is_altered_whether_or_not_the_list_can_be_read():
    assert said_of(vectors.byte_flipped(), revoked=RevocationList()).outcome == Outcome.ALTERED


def test_a_registered_file_under_another_seal_than_registered_is_refused():
    data, other = vectors.sealed(), "ab" * 32
    row = replace(made.a_register()(sha256_hex(data)), seal_sha256=other)
    assert said_of(data, {sha256_hex(data): row}.get).outcome == Outcome.ALTERED


# Fingerprints alone ----------------------------------------------------------------------------


def test_a_fingerprint_asks_for_the_file_to_be_compared():
    verdict = said_of_fingerprint(sha256_hex(vectors.sealed()))
    assert verdict.outcome == Outcome.EXECUTED
    assert "This is the fingerprint of" in verdict.meaning
    assert "compare it" in verdict.advice


def test_an_unknown_fingerprint_is_called_unknown():
    assert said_of_fingerprint("00" * 32).outcome == Outcome.UNKNOWN


# Kinds of files --------------------------------------------------------------------------------


def test_every_file_of_a_bundle_has_a_kind_of_its_own():
    names = made.a_bundle(codes=("MSA",), simulated_time=True).files()
    assert len(names) > 10
    for name in names:
        kind = file_kinds.kind_of(name)
        assert kind not in (file_kinds.OTHER, file_kinds.OTHER_SHARED), name
        assert ("both parties executed" in kind.noun) == (name == "01-MSA.pdf")
        assert kind.sealed_pdf == name.endswith(".pdf")
        assert kind.shared == (
            name.endswith((".pem", ".sh")) or name in ("profile.json", "ruleset.json")
        )


def test_a_shared_file_has_no_status():
    shared = Registered(file_kinds.kind_of("verify.sh"), executed=True, shared=True)
    verdict = verdicts.judge("00" * 32, shared, RevocationList(), at=clock.now())
    assert verdict.outcome == Outcome.SHARED
    assert "register" not in f"{verdict.meaning} {verdict.details}"
