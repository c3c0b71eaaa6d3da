"""`manage.py provider check` against the reference provider, and against ones with a mistake."""

import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.providers.reference import PROGRAM, running


def check(*options: str) -> tuple[str, str]:
    """Return what the command printed, and how it ended."""
    printed = StringIO()
    try:
        call_command("provider", "check", "bank", "--patience", "20", *options, stdout=printed)
    except CommandError as error:
        return printed.getvalue(), str(error)
    return printed.getvalue(), ""


def failed(printed: str) -> list[str]:
    return re.findall(r"^  FAILED +(.+)$", printed, re.MULTILINE)


@pytest.mark.parametrize("currency", ["EUR", "NGN", "USDT"])
def test_the_reference_provider_follows_the_protocol(tmp_path, settings, currency):
    with running(tmp_path) as (provider, console):
        settings.LIVE_PROVIDERS = provider.toml
        printed, ended = check("--currency", currency)
        assert ended == "", printed
        assert len(re.findall(r"^  ok ", printed, re.MULTILINE)) == 26
        assert "It follows the protocol in all 26 scenarios.\n" in printed
        # The provider recognises the check: no event about it reaches the console.
        assert console.events == []
        assert set(re.findall(r">(chk_\w+)<", provider.page()))


def test_a_provider_that_only_opens_accounts_is_checked_for_that(tmp_path, settings):
    with running(tmp_path) as (provider, _):
        settings.LIVE_PROVIDERS = provider.toml.replace('"payouts", "payroll", "refunds", ', "")
        printed, ended = check()
        assert (ended, len(re.findall(r"^  ok ", printed, re.MULTILINE))) == ("", 16)
        assert "payout" not in provider.page()


# What to change in the reference provider, and which scenarios must fail then.
MISTAKES = {
    "any signature": (
        "if not any(hmac.compare_digest",
        "if False and not any(hmac.compare_digest",
        ["by another secret", "of another body"],
    ),
    "any path": ("if named != f", "if not named and named != f", ["of another path"]),
    "any time": ("TOLERANCE, RETRY_FOR", "_, RETRY_FOR", ["six minutes ago", "in six minutes"]),
    "one signature": ("in given for b in right", "in given[:1] for b in right", ["of several"]),
    "last body wins": ('if row["body"] != text:', "if False:", ["same id", "same account"]),
    "bytes compared": (
        "json.dumps(body, sort_keys=True)\n        if row",
        "json.dumps(body)\n        if row",
        ["another order"],
    ),
    "no 404": ("raise Refused(404", "raise Refused(400", ["never received"]),
    "unknown kind": ('body["kind"] not in KINDS', "False", ["unknown kind"]),
    "no JSON": ("raise Refused(400, ", "raise Refused(422, ", ["no JSON"]),
    "never ends": ("bank.settle(row", "(lambda *_: None)(row", ["complete or fail"]),
    "listed twice": (
        "            self.move(body, f",
        "            self.move(body, '-0.00', None, None, reference)\n"
        "            self.move(body, f\"-{body['amount']}\", identifier, None, reference)\n"
        "            self.move(body, f",
        ["list a completed payout once"],
    ),
    "wrong sum": ('"closing": f"{closing:f}"', '"closing": f"{closing + 1:f}"', ["add up"]),
    "errors in words": (
        'web.json_response({"error": {"code": code, "message": message}}',
        'web.json_response({"error": code}',
        ["without a signature", "404"],
    ),
    "wrong opening": ('row["at"][:10] < day', 'row["at"][:10] <= day', ["closing balance"]),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found(tmp_path, settings, name):
    right, wrong, expected = MISTAKES[name]
    source = PROGRAM.read_text()
    assert right in source
    changed = tmp_path / "changed.py"
    changed.write_text(source.replace(right, wrong))
    patience = "2" if name == "never ends" else "20"
    with running(tmp_path, program=changed) as (provider, _):
        settings.LIVE_PROVIDERS = provider.toml
        printed, ended = check("--patience", patience)
    found = failed(printed)
    assert ended == f"{len(found)} of 26 scenarios failed.", printed
    for words in expected:
        assert any(words in one for one in found), (words, printed)


def test_a_provider_that_does_not_answer_fails_every_scenario(tmp_path, settings):
    with running(tmp_path) as (provider, _):
        settings.LIVE_PROVIDERS = provider.toml
    printed, ended = check()
    assert ended == "26 of 26 scenarios failed."
    assert printed.count("It did not answer.") == 26


def test_a_name_that_is_not_connected_is_refused(settings):
    settings.LIVE_PROVIDERS = ""
    assert check() == ("", "LIVE_PROVIDERS has no provider bank. It has: none.")


def test_a_bank_account_is_an_object(tmp_path, settings):
    settings.LIVE_PROVIDERS = (
        '[bank]\nurl = "https://bank.example"\nwork = ["payouts"]\n'
        f'request_secret = "whsec_{"A" * 32}"\nevent_secrets = ["whsec_{"B" * 32}"]\n'
    )
    assert check("--bank-account", "[]")[1] == "--bank-account is not a JSON object."
