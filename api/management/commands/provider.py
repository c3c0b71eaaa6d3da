"""`manage.py provider check NAME`: check whether a connected provider follows the protocol."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from api.providers import configured
from api.providers.conformance import ConformanceCheck
from console.core.money import CURRENCIES

_BANK_ACCOUNT = {
    "country": "DE",
    "account_number": "DE89370400440532013000",
    "bank_code": "COBADEFFXXX",
    "account_name": "Conformance Check",
}


class Command(BaseCommand):
    """Run the scenarios of the protocol against a provider's address, and print a table.

    They instruct payouts and open accounts in the environment `test`. Ends with 1 if one fails.
    """

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        check = verbs.add_parser("check", help="Check whether a provider follows the protocol.")
        check.add_argument("name", help="Its section in LIVE_PROVIDERS.")
        check.add_argument("--currency", default="EUR", choices=sorted(CURRENCIES))
        check.add_argument(
            "--bank-account",
            type=json.loads,
            default=_BANK_ACCOUNT,
            metavar="JSON",
            help="The bank account that the payouts go to, as in the API.",
        )
        check.add_argument(
            "--patience",
            type=float,
            default=60.0,
            metavar="SECONDS",
            help="How long an accepted payout may take.",
        )

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        provider = configured.named(name)
        if provider is None:
            known = ", ".join(one.name for one in configured.providers()) or "none"
            raise CommandError(f"LIVE_PROVIDERS has no provider {name}. It has: {known}.")
        if provider.adapter:
            raise CommandError(f"{name} is an adapter in this process: it has no address to check.")
        if not isinstance(options["bank_account"], dict):
            raise CommandError("--bank-account is not a JSON object.")
        scenarios = ConformanceCheck(
            provider,
            currency=options["currency"],
            bank_account=options["bank_account"],
            patience=options["patience"],
        )
        self.stdout.write(f"The provider {provider.name} at {provider.url} shall")
        results = []
        for result in scenarios.run():
            results.append(result)
            self.stdout.write(f"  {'FAILED' if result.problem else 'ok':<8}{result.shall}")
            if result.problem:
                self.stdout.write(f"          {result.problem}")
        failed = sum(bool(result.problem) for result in results)
        if failed:
            raise CommandError(f"{failed} of {len(results)} scenarios failed.")
        self.stdout.write(f"It follows the protocol in all {len(results)} scenarios.")
