"""`manage.py audit verify` checks the chain; `manage.py audit head` prints what to keep outside."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from console.audit import chain


class Command(BaseCommand):
    """Check the audit log's chain, or print its head."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        verify = verbs.add_parser("verify", help="Find edits, deletions, cuts and forgeries.")
        verify.add_argument("--count", type=int, help="The count of a head published earlier.")
        verify.add_argument("--hash", help="The hash of that head.")
        verbs.add_parser("head", help="Print the count and hash to keep outside.")

    def handle(self, *args: Any, verb: str, **options: Any) -> None:
        if verb == "head":
            self.stdout.write(json.dumps(chain.head().anchor()))
            return
        anchor = None
        if options["count"] is not None:
            anchor = chain.Anchor(options["count"], options["hash"] or "")
        findings = chain.verify(anchor)
        for finding in findings[:100]:
            self.stderr.write(f"entry {finding.seq}: {finding.what}")
        if findings:
            raise CommandError(f"The chain is broken: {len(findings)} findings.")
        self.stdout.write(f"The chain is whole: {chain.head().count} entries.")
