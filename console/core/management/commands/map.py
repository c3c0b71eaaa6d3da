"""`manage.py map`: write docs/map.md, one sentence for each module; `--check` only compares."""

import ast
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from console.core.generated_documents import DocumentCommand

PACKAGES = ("console", "onboarding", "agreements", "apikeys", "api")


class Command(DocumentCommand):
    """Write the map of the code: one table per package, one row per module."""

    help = __doc__
    name = "map.md"
    heading = "Modules"
    about = "One sentence for each module, from its docstring; `make format` writes this."

    def lines(self) -> list[str]:
        return [line for package in _packages() for line in table(package, settings.ROOT)]


def table(package: Path, root: Path) -> list[str]:
    """Return one package's table as a collapsed section, titled with the package's own sentence."""
    name = package.relative_to(root)
    rows = [f"| `{path.name}` | {said} |" for path in _modules(package) if (said := sentence(path))]
    if not rows:
        return []
    about = sentence(package / "__init__.py") or "Commands of <code>manage.py</code>."
    title = f"<summary><code>{name}</code> {about}</summary>"
    head = ["| module | what it is |", "| --- | --- |"]
    return ["<details>", title, "", *head, *rows, "", "</details>"]


def sentence(module: Path) -> str:
    """Return the first sentence of a module's docstring on one line, escaped for a table."""
    said = (ast.get_docstring(ast.parse(module.read_text())) or "").split("\n\n")[0]
    return " ".join(said.split()).replace("|", "\\|")


def _packages() -> Iterator[Path]:
    """Yield every package, parents before the packages inside them."""
    for name in PACKAGES:
        top: Path = settings.ROOT / name
        inside = (path.parent for path in top.rglob("__init__.py"))
        yield from sorted(path for path in inside if "migrations" not in path.parts)


def _modules(package: Path) -> list[Path]:
    return [path for path in sorted(package.glob("*.py")) if path.name != "__init__.py"]
