"""Credentials: their format, their checksum, and what is stored of them."""

import pytest
from hypothesis import assume
from hypothesis import given as over
from hypothesis import strategies as st

from apikeys import secrets
from apikeys.lifecycle import Environment


@pytest.mark.parametrize(
    ("environment", "prefix"), [(Environment.SANDBOX, "svc_test_"), (Environment.LIVE, "svc_live_")]
)
def test_a_credential_has_the_shape_that_scanners_know(environment, prefix):
    minted = secrets.mint(environment)

    assert secrets.SHAPE.fullmatch(minted.plain)
    assert minted.key_id.startswith(prefix)
    assert len(minted.key_id) == 9 + 16
    assert len(minted.secret) == 43 + 6
    assert secrets.read(minted.plain) == (minted.key_id, minted.secret)


def test_halves_of_two_credentials_do_not_fit_together():
    one, other = secrets.mint(Environment.SANDBOX), secrets.mint(Environment.SANDBOX)

    assert secrets.read(f"{one.key_id}:{other.secret}") is None
    assert secrets.read(one.plain.replace("svc_test_", "svc_live_")) is None


@over(at=st.integers(0, 74), letter=st.sampled_from("0Aaz"))
def test_one_wrong_letter_is_noticed_without_a_database(at, letter):
    plain = secrets.mint(Environment.SANDBOX).plain
    changed = plain[:at] + letter + plain[at + 1 :]

    assume(changed != plain)

    assert secrets.read(changed) is None


@over(st.text(max_size=200))
def test_anything_else_is_no_credential(text):
    assert secrets.read(text) is None


def test_only_the_right_secret_matches():
    minted, other = secrets.mint(Environment.SANDBOX), secrets.mint(Environment.SANDBOX)

    assert secrets.matches(minted.key_id, minted.secret, minted.digest, minted.pepper)
    assert not secrets.matches(minted.key_id, other.secret, minted.digest, minted.pepper)
    assert not secrets.matches(other.key_id, minted.secret, minted.digest, minted.pepper)


def test_an_older_pepper_still_opens_what_it_closed(settings):
    minted = secrets.mint(Environment.SANDBOX)
    settings.KEY_PEPPERS = {2: b"n" * 32} | settings.KEY_PEPPERS

    assert secrets.matches(minted.key_id, minted.secret, minted.digest, minted.pepper)
    assert secrets.mint(Environment.SANDBOX).pepper == 2


def test_a_pepper_that_is_gone_opens_nothing(settings):
    minted = secrets.mint(Environment.SANDBOX)
    settings.KEY_PEPPERS = {9: b"n" * 32}

    assert not secrets.matches(minted.key_id, minted.secret, minted.digest, minted.pepper)


def test_printing_a_new_credential_does_not_print_its_secret():
    minted = secrets.mint(Environment.SANDBOX)

    assert minted.secret not in repr(minted)
