"""The project's files, as text and syntax trees, for the guards."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("console", "onboarding", "agreements", "apikeys", "api")


@dataclass(frozen=True)
class Module:
    """One Python file: its path from the root, and its text."""

    path: str
    text: str

    @cached_property
    def syntax(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.syntax))

    @cached_property
    def functions(self) -> list[ast.FunctionDef]:
        return [node for node in self.nodes if isinstance(node, ast.FunctionDef)]

    @cached_property
    def imported(self) -> set[str]:
        """Return the dotted names of imported modules and of the objects imported from them."""
        found: set[str] = set()
        for node in self.nodes:
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        return found

    @property
    def name(self) -> str:
        return Path(self.path).name

    def says(self, line: int, what: str) -> str:
        return f"{self.path}:{line} {what}"


def _ignored() -> list[str]:
    return [line.strip("/") for line in (ROOT / ".gitignore").read_text().splitlines() if line]


def files() -> Iterator[Path]:
    """Yield the files that are not ignored, without needing git."""
    away = [*_ignored(), ".git"]
    folders = [ROOT]
    while folders:
        for path in sorted(folders.pop().iterdir()):
            if any(fnmatch(path.name, pattern) for pattern in away):
                continue
            if path.is_dir():
                folders.append(path)
            else:
                yield path


def modules(*packages: str) -> list[Module]:
    """Return the Python files of these packages (default `PACKAGES`), without migrations."""
    return [module for package in packages or PACKAGES for module in _modules_of(package)]


# Cached, so each process parses every file only once.
@cache
def _modules_of(package: str) -> list[Module]:
    return [
        Module(str(path.relative_to(ROOT)), path.read_text())
        for path in sorted((ROOT / package).rglob("*.py"))
        if "migrations" not in path.parts and "__pycache__" not in path.parts
    ]


def decorators(function: ast.FunctionDef) -> set[str]:
    """Return the dotted names of a function's decorators, without their arguments."""
    return {
        ast.unparse(node.func if isinstance(node, ast.Call) else node)
        for node in function.decorator_list
    }
