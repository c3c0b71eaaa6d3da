"""`manage.py audit verify|head`: verify the chain against published heads, or print its head."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from console.audit import chain, chain_checks, heads, restores


class Command(BaseCommand):
    """Verify the audit log's chain, or print its head."""

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
        for restore in restores.accepted()[0]:
            self.stdout.write(str(restore))
        known = heads.known()
        anchors = set(known.anchors)
        if options["count"] is not None:
            anchors.add(chain.Anchor(options["count"], options["hash"] or ""))
        findings = [*known.findings, *chain_checks.faults(), *chain.verify(anchors)]
        for finding in findings[:100]:
            self.stderr.write(str(finding))
        if findings:
            raise CommandError(f"The chain is broken: {len(findings)} findings.")
        told = f"{chain.head().count} entries, {len(anchors)} published heads"
        self.stdout.write(f"The chain is whole: {told}.")
