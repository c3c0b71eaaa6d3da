"""What other packages' pages show of a business's keys."""

from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string

from apikeys.models import ApiKey, Grant
from console.accounts.models import Business


@dataclass(frozen=True)
class Panel:
    """A piece of a page: its template, and what the template reads."""

    template: str
    context: dict[str, Any]

    def draw(self) -> str:
        return render_to_string(self.template, self.context)


def of(business: Business) -> Panel:
    """Return the keys of a business, to read and not to change. Never a secret: there is none."""
    context = {
        "business": business,
        "grant": Grant.objects.of(business).first(),
        "keys": ApiKey.objects.of(business),
        "may_change": False,
    }
    return Panel("apikeys/_keys.html", context)
