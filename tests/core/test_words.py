"""Helpers of console.core: money, text, canonical JSON, ids, addresses and the vault."""

import hashlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.core import addresses, digests, ids, text, vault
from console.core.money import CURRENCIES, Money, NotMoney


@given(st.integers(0, 10**17), st.sampled_from(sorted(CURRENCIES)))
def test_an_amount_written_and_read_is_the_same(minor, code):
    money = Money(minor, code)
    assert Money.parse(money.decimal(), code) == money


def test_amounts_have_exactly_the_currencys_decimal_places():
    assert Money(1_000_000_00, "NGN").decimal() == "1000000.00"
    assert Money(5, "USD").decimal() == "0.05"
    assert Money(-5, "USD").decimal() == "-0.05"
    assert Money(100_000_000_000, "USDT").decimal() == "100000.000000"


@pytest.mark.parametrize(
    "typed", ["", "1e3", "-1", "+1", "01", "1.234", "1,000.00", "٣", " 1", "1.", "NaN", "1" * 40]
)
def test_what_is_not_an_amount_is_refused(typed):
    with pytest.raises(NotMoney):
        Money.parse(typed, "USD")


def test_the_twelve_currencies_are_those_of_the_specification():
    specified = "NGN USD GBP EUR CAD GHS KES ZAR CDF USDT USDC cNGN"
    assert set(CURRENCIES) == set(specified.split())
    assert [code for code, one in CURRENCIES.items() if one.opt_in] == ["cNGN"]


def test_text_is_kept_in_one_form():
    assert text.clean("  Cafe\u0301 \r\n") == "Café"


@pytest.mark.parametrize("bad", ["a\u202eb", "a\x00b", "a\ue000b", "a\u2067b", "\x1b[31m"])
def test_characters_that_deceive_are_refused_with_words(bad):
    with pytest.raises(text.UnsafeText, match="Remove the hidden character"):
        text.clean(bad)


@pytest.mark.parametrize(
    ("bad", "named"),
    [
        ("Nova\u200dBank", "U+200D (zero width joiner)"),
        ("Nova\u200cBank", "U+200C (zero width non-joiner)"),
        ("می\u200ca", "U+200C (zero width non-joiner)"),  # between two scripts it joins nothing
        ("\u200cमी", "U+200C (zero width non-joiner)"),
        ("Nova\u00adBank", "U+00AD (soft hyphen)"),
        ("Nova\u2028Bank", "U+2028 (line separator)"),
        ("Nova\u2029Bank", "U+2029 (paragraph separator)"),
        ("Nova\u3164", "U+3164 (hangul filler)"),
        ("Nova\U000e0041", "U+E0041 (tag latin capital letter a)"),
        ("Nova\u2800", "U+2800 (braille pattern blank)"),
        ("\x07Nova", "U+0007 at the beginning."),
        ("One line\nNova\u202eBank", "(right-to-left override) after “One line Nova”."),
        ("\u00ad\u200c\u2028\u2029Nova", "(line separator) and 1 more"),
    ],
)
def test_a_character_that_nobody_sees_is_refused_and_named(bad, named):
    with pytest.raises(text.UnsafeText) as refused:
        text.clean(bad)
    assert named in str(refused.value)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Nova\u200bBank", "NovaBank"),
        ("\ufeffNova\u2060Bank\u200f", "NovaBank"),
        ("Nova\ufe0f", "Nova"),
        ("葛\U000e0100城", "葛城"),
        ("\u202bأحمد\u202c", "أحمد"),
        ("\u2068Nova\u2069\n", "Nova"),
    ],
)
def test_what_nobody_sees_and_nothing_turns_is_left_out(typed, kept):
    assert text.clean(typed) == kept


@pytest.mark.parametrize(
    "good",
    ["می\u200cخواهم", "क्\u200dषमा", "ශ්\u200dරී", "Zoë & Söhne", "分析株式会社", "أحمد", "สยาม"],
)
def test_a_joiner_is_kept_between_letters_of_a_script_that_needs_it(good):
    assert text.clean(good) == good


def test_what_may_be_typed_is_always_canonical():
    """Text that passes the field never raises `NotCanonical` later."""
    characters = [chr(code) for code in range(0x30000) if not 0xD800 <= code < 0xE000]
    for character in characters:
        if not text.hidden_characters(character):
            assert not text.unsafe_characters(character), f"U+{ord(character):04X}"


def test_canonical_json_is_rfc_8785_inside_its_domain():
    body = {"€": 1, "\U0001f600": 2, "a": [True, None, "x"]}
    assert (
        digests.canonical("t", body)
        == '{"_type":"t","body":{"a":[true,null,"x"],"€":1,"😀":2}}'.encode()
    )
    assert digests.digest("t", {}) == hashlib.sha256(b'{"_type":"t","body":{}}').hexdigest()
    assert digests.digest("t", {}) != digests.digest("u", {})


@pytest.mark.parametrize("bad", [1.5, 2**53, "e\u0301", "a\u202e", b"x", {1: 2}, {"k": [0.1]}])
def test_what_has_no_canonical_form_is_refused(bad):
    with pytest.raises(digests.NotCanonical):
        digests.canonical("t", {"v": bad})


def test_a_member_named_twice_is_refused():
    with pytest.raises(digests.NotCanonical):
        digests.parse(b'{"_type":"t","body":{"a":1,"a":2}}')


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text("abc"), st.lists
    )
)
@settings(max_examples=50)
def test_canonical_json_reads_back(value):
    assert digests.parse(digests.canonical("t", value)) == json.loads(json.dumps(value))


def test_identifiers_sort_by_time_and_do_not_repeat():
    made = [ids.new("biz") for _ in range(200)]
    assert len(set(made)) == 200
    assert all(one.startswith("biz_") and len(one) == 30 for one in made)


def test_a_sealed_value_opens_for_its_purpose_alone():
    sealed = vault.seal(b"seed", "totp")
    assert b"seed" not in sealed
    assert vault.open_(sealed, "totp") == b"seed"
    for wrong in (lambda: vault.open_(sealed, "other"), lambda: vault.open_(b"", "totp")):
        with pytest.raises(vault.VaultBroken):
            wrong()
    altered = sealed[:-1] + bytes([sealed[-1] ^ 1])
    with pytest.raises(vault.VaultBroken):
        vault.open_(altered, "totp")


def test_the_newest_key_seals_and_older_ones_still_open(settings):
    old = settings.VAULT_KEYS
    sealed = vault.seal(b"seed", "totp")
    settings.VAULT_KEYS = {2: b"B" * 32} | old
    assert vault.open_(sealed, "totp") == b"seed"
    assert vault.seal(b"seed", "totp")[0] == 2


@pytest.mark.parametrize(
    ("peer", "forwarded", "proxies", "seen"),
    [
        ("198.51.100.7", "", [], "198.51.100.7"),
        ("198.51.100.7", "203.0.113.9", [], "198.51.100.7"),
        ("10.0.0.1", "203.0.113.9", ["10.0.0.0/8"], "203.0.113.9"),
        ("10.0.0.1", "1.1.1.1, 203.0.113.9, 10.2.2.2", ["10.0.0.0/8"], "203.0.113.9"),
        ("10.0.0.1", "203.0.113.7:22272", ["10.0.0.0/8"], "203.0.113.7"),
        ("10.0.0.1", "[2001:db8::7]:443, 10.2.2.2:80", ["10.0.0.0/8"], "2001:db8::7"),
        ("10.0.0.1", "[2001:db8::7]", ["10.0.0.0/8"], "2001:db8::7"),
        ("10.0.0.1", "2001:db8::7", ["10.0.0.0/8"], "2001:db8::7"),
        ("10.0.0.1", "rubbish:443", ["10.0.0.0/8"], ""),
        ("10.0.0.1", "rubbish", ["10.0.0.0/8"], ""),
        ("::ffff:198.51.100.7", "", [], "198.51.100.7"),
        ("", "", [], ""),
    ],
)
def test_only_known_proxies_are_believed_and_from_the_right(
    settings, peer, forwarded, proxies, seen
):
    settings.TRUSTED_PROXIES = proxies
    assert addresses.resolve(peer, forwarded) == seen
