"""`manage.py lifecycles` draws every lifecycle into docs/lifecycles.md; `--check` compares."""

from console.core import lifecycles
from console.core.generated_documents import DocumentCommand


class Command(DocumentCommand):
    """Draw the tables of statuses as Mermaid diagrams."""

    help = __doc__
    name = "lifecycles.md"
    heading = "Lifecycles"
    about = (
        "Each table is in Python and, as a trigger, in the database. A guard compares the two and "
        "these pictures; `make format` writes this."
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
                "</details>",
            ]
        return drawn
