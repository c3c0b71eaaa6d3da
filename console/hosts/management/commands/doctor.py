"""`manage.py doctor`: compare all hosts, and say what differs."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from console.core import clock
from console.hosts import comparison, reports


class Command(BaseCommand):
    """Print when every part last reported, and what differs between the hosts of those that run."""

    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        reports.report("doctor")
        found = comparison.latest()
        width = max(len(one.host) for one in found)
        for one in found:
            self.stdout.write(
                f"{one.host:<{width}}  {one.part:<8}  {one.state['version']:<8}"
                f"  clock {one.clock_ahead:+.1f} s  {clock.ago(one.seen_at)}"
            )
        if wrong := comparison.differences():
            raise CommandError("\n".join(wrong))
        self.stdout.write("All hosts agree.")
