"""`manage.py lifecycles` draws every lifecycle into README.md; `--check` asks whether they are."""

from console.core import lifecycles
from console.core.readme import PartCommand


class Command(PartCommand):
    """Draw the tables of statuses as Mermaid diagrams."""

    help = __doc__
    part = "lifecycles"

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
