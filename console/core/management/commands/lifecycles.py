"""`manage.py lifecycles`: write docs/lifecycles.md, each lifecycle's diagram and status texts."""

from django.db import models

from console.core import lifecycles, status_table
from console.core.generated_documents import DocumentCommand
from console.core.status_table import PARTS, StatusRow


class Command(DocumentCommand):
    """Write the lifecycle tables as Mermaid diagrams."""

    help = __doc__
    name = "lifecycles.md"
    heading = "Lifecycles"
    about = (
        "The allowed moves of each status, which Python and a database trigger enforce. Tests "
        "compare the two with this page; `make format` writes it."
    )

    def lines(self) -> list[str]:
        drawn: list[str] = []
        for one in lifecycles.bound():
            drawn += [
                "<details>",
                f"<summary>{one.title} (<code>{one.model._meta.label}</code>)</summary>",
                "",
                "```mermaid",
                one.lifecycle.diagram(),
                "```",
                "",
                *_shown(one),
                "",
                "</details>",
            ]
        return drawn


def _shown(one: lifecycles.Bound) -> list[str]:
    """Return a table of how each status is shown."""
    field = one.model._meta.get_field("status")
    assert isinstance(field, models.CharField)
    names = dict(field.flatchoices)
    rows = status_table.rows_of(one.model._meta.label).items()
    return [
        "| status | name | tone | the business reads | our staff read | steps behind it |",
        "| --- | --- | --- | --- | --- | --- |",
        *(f"| `{status}` | {_cells(str(names[status]), row)} |" for status, row in rows),
    ]


def _cells(name: str, row: StatusRow) -> str:
    behind = f"{row.step.behind}, {row.step.state}" if PARTS["step"] in row.parts else ""
    business, staff = row.business.title or name, row.staff.waits_for or name
    return " | ".join([name, row.tone, business, staff, behind])
