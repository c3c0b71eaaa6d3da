"""The vectors: every file somebody might bring gets the answer that the design names."""

import random
from datetime import timedelta

import pytest

from agreements import certificates, inspecting, sealing, time_stamping, verdicts
from agreements.inspecting import Trust
from agreements.verdicts import Outcome, Standing, Withdrawn
from console.core import clock
from console.core.digests import sha256_hex
from tests.agreements.seal import made, vectors
from tests.proofs import Proven, proof

ALL_FOUND = "1,000 of 1,000 flipped bits found"


def said_of(data: bytes, register=None, *, trust=None, at=None, standing=None) -> verdicts.Verdict:
    """What we say of a file; the register knows the sealed paper unless told otherwise."""
    found = inspecting.inspect(data, trust or made.our_trust(), at or clock.now())
    find = register or made.a_register()
    return verdicts.judge(found, find(sha256_hex(data)), standing)


def found_in(data: bytes) -> inspecting.Findings:
    return inspecting.inspect(data, made.our_trust(), clock.now())


def test_an_executed_copy_is_authentic_and_in_force():
    verdict = said_of(vectors.sealed())
    assert verdict.outcome == Outcome.IN_FORCE
    assert verdict.shows_parties


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
    # Nor would a register that had been made to name it help.
    assert said_of(data, made.a_register(data)).outcome == outcome


def test_a_review_copy_is_no_executed_copy():
    verdict = said_of(made.a_paper())
    assert verdict.outcome == Outcome.NOT_SEALED
    assert verdict.headline == "A review copy, not executed"


def test_a_strangers_pdf_is_not_sealed_by_us():
    assert said_of(made.a_paper("Somebody else's words.")).headline == "Not sealed by us"


@pytest.mark.parametrize("data", [b"", b"hello", b"%PDF-1.7\n", b"%PDF-1.7\n" + bytes(4000)])
def test_what_is_no_pdf_cannot_be_read(data):
    assert said_of(data).outcome == Outcome.UNREADABLE


def test_a_good_seal_that_the_register_does_not_know_is_no_executed_copy():
    orphan = made.a_sealed_paper("Sealed by a worker that was killed.")
    assert said_of(orphan).outcome == Outcome.ALTERED


def test_a_sealed_file_registered_for_another_paper_is_refused():
    other = made.a_sealed_paper("Another paper.")
    assert said_of(other, made.a_register(other)).outcome == Outcome.ALTERED


@pytest.mark.parametrize(("status", "words"), [("superseded", "newer"), ("terminated", "ended")])
def test_a_paper_that_has_ended_is_still_authentic(status, words):
    verdict = said_of(vectors.sealed(), made.a_register(status=status))
    assert verdict.outcome == Outcome.ENDED
    assert words in verdict.meaning


@pytest.mark.parametrize("name", vectors.MISCHIEF)
def test_a_change_slipped_in_while_sealing_is_found_under_a_perfect_seal(name):
    data = vectors.sealed_with(vectors.MISCHIEF[name])
    assert data.startswith(made.a_paper())
    found = found_in(data)
    assert (found.intact, found.valid, found.whole, bool(found.root)) == (True,) * 4
    assert found.difference
    assert said_of(data, made.a_register(data)).outcome == Outcome.ALTERED
    with pytest.raises(sealing.SealBroken):
        sealing.check_sealed(made.a_paper(), data, made.our_trust())


@pytest.mark.parametrize("name", vectors.MISCHIEF)
def test_a_change_before_sealing_is_found(name):
    data = vectors.changed(made.a_paper(), vectors.MISCHIEF[name])
    resealed = sealing.seal_pdf(data, with_=sealing.Tools(made.a_seal())).data
    assert said_of(resealed, made.a_register(resealed)).outcome == Outcome.ALTERED


def test_a_swapped_attachment_is_found():
    paper = vectors.with_attachment()
    honest = sealing.seal_pdf(paper, with_=sealing.Tools(made.a_seal())).data
    sealing.check_sealed(paper, honest, made.our_trust())
    swapped = vectors.sealed_with(vectors.attachment_swapped, paper)
    with pytest.raises(sealing.SealBroken):
        sealing.check_sealed(paper, swapped, made.our_trust())


@proof("R19", "flipped bits in sealed papers", small=150, full=1000, asked=ALL_FOUND)
def test_every_flipped_bit_is_noticed(proven: Proven):
    data, chance = vectors.sealed(), random.Random(20261121)
    bits = chance.sample(range(8 * len(data)), proven.size)
    missed = [
        bit for bit in bits if said_of(vectors.flipped(data, bit)).outcome == Outcome.IN_FORCE
    ]
    found = len(bits) - len(missed)
    proven.reached(f"{found:,} of {len(bits):,} flipped bits found", met=not missed)


# Time, and keys that are withdrawn -------------------------------------------------------------


def trusting_the_time_service() -> Trust:
    """The simulated service stands in for a real one that we would believe."""
    stamper = time_stamping.simulated().tsa_cert
    return Trust(made.our_trust().roots, (stamper.dump(),))


def test_a_simulated_time_is_called_simulated():
    found = found_in(made.a_sealed_paper(simulated_time=True))
    assert (found.stamp, found.stamped_at[:4]) == ("simulated", f"{clock.now():%Y}")


def test_no_time_is_called_no_time():
    assert found_in(vectors.sealed()).stamp == "none"


def test_a_seal_outlives_its_certificate_by_the_time_of_its_execution():
    later = clock.now() + timedelta(days=365 * 12)
    found = inspecting.inspect(vectors.sealed(), made.our_trust(), later)
    assert not found.root
    then = inspecting.inspect(vectors.sealed(), made.our_trust(), clock.now())
    assert then.root


def test_a_seal_outlives_its_certificate_by_a_trusted_time():
    later = clock.now() + timedelta(days=365 * 6)
    data = made.a_sealed_paper(simulated_time=True)
    trust = trusting_the_time_service()
    assert inspecting.inspect(data, trust, later).stamp == "trusted"
    assert said_of(data, made.a_register(data), trust=trust, at=later).outcome == Outcome.IN_FORCE


@pytest.mark.parametrize(
    ("stamped", "lost_days_from_now", "outcome"),
    [
        (True, 1, Outcome.IN_FORCE),
        (True, -1, Outcome.KEY_WITHDRAWN),
        (False, 1, Outcome.KEY_WITHDRAWN),
    ],
)
def test_a_withdrawn_key_is_cleared_only_by_independent_time(stamped, lost_days_from_now, outcome):
    since = clock.now() + timedelta(days=lost_days_from_now)
    key = certificates.fingerprint(made.a_seal().certificate)
    standing = Standing(checked=True, withdrawn={key: Withdrawn(since, "lost")})
    data = made.a_sealed_paper(simulated_time=stamped)
    verdict = said_of(
        data, made.a_register(data), trust=trusting_the_time_service(), standing=standing
    )
    assert verdict.outcome == outcome


def test_a_list_of_withdrawn_keys_that_is_not_ours_is_not_obeyed():
    key = certificates.fingerprint(made.a_seal().certificate)
    forged = Standing(checked=False, withdrawn={key: Withdrawn(clock.now(), "a lie")})
    assert said_of(vectors.sealed(), standing=forged).outcome == Outcome.IN_FORCE


# Fingerprints alone ----------------------------------------------------------------------------


def test_a_fingerprint_alone_names_nobody():
    find, sha256 = made.a_register(), sha256_hex(vectors.sealed())
    verdict = verdicts.judge_fingerprint(sha256, find(sha256))
    assert verdict.outcome == Outcome.IN_FORCE
    assert not verdict.shows_parties


def test_the_fingerprint_of_a_review_copy_is_called_that():
    find, sha256 = made.a_register(), sha256_hex(made.a_paper())
    assert "review copy" in verdicts.judge_fingerprint(sha256, find(sha256)).headline


def test_an_unknown_fingerprint_is_called_unknown():
    assert verdicts.judge_fingerprint("00" * 32, None).outcome == Outcome.UNKNOWN
