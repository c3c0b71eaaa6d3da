"""`manage.py map`: print one sentence for each package and module, from its docstring."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

PACKAGES = ("console", "onboarding", "agreements", "apikeys", "api")


class Command(BaseCommand):
    """Print the map of the code: each package, then its modules."""

    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        for module in _modules(settings.ROOT):
            if said := sentence(module):
                self.stdout.write(f"{_name(module.relative_to(settings.ROOT))}: {said}")


def sentence(module: Path) -> str:
    """Return the first sentence of a module's docstring on one line."""
    said = (ast.get_docstring(ast.parse(module.read_text())) or "").split("\n\n")[0]
    return " ".join(said.split())


def _modules(root: Path) -> Iterator[Path]:
    """Yield every module, each package before its modules."""
    for name in PACKAGES:
        found = (path for path in (root / name).rglob("*.py") if "migrations" not in path.parts)
        yield from sorted(found, key=lambda path: (path.parent, path.name != "__init__.py", path))


def _name(module: Path) -> str:
    return f"{module.parent}/" if module.name == "__init__.py" else str(module)
