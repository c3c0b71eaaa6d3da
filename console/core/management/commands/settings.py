"""`manage.py settings`: write docs/settings.md from the settings module; `--check` compares."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings

from console.core.generated_documents import DocumentCommand

# Readers that require a value if the call has no default.
REQUIRED = ("env.text", "env.keys", "env.broker")


@dataclass(frozen=True)
class Variable:
    """One environment variable: its name, its default as Markdown, and what it does."""

    name: str
    default: str
    about: str


class Command(DocumentCommand):
    """Write the table of settings from `console/settings.py`."""

    help = __doc__
    name = "settings.md"
    heading = "Settings"
    about = (
        "Environment variables, read once by `console/settings.py`; `make format` writes this. An "
        "absent or empty variable has its default, which is the production value; `make run` sets "
        "the rest. For secrets that are mounted as files, `NAME_FILE` names a file with the value "
        "of any variable `NAME`; its last line break does not count. No program starts without a "
        "required variable or with a malformed one. "
        "[Operations](operations.md) says in which file each belongs, and what the deploy check "
        "refuses."
    )

    def lines(self) -> list[str]:
        source = (settings.ROOT / "console" / "settings.py").read_text()
        rows = [f"| `{one.name}` | {one.default} | {one.about} |" for one in variables(source)]
        return ["| variable | default | meaning |", "| --- | --- | --- |", *rows]


def variables(source: str) -> Iterator[Variable]:
    """Yield every variable that a settings module reads through `console.env`, in source order."""
    lines = source.splitlines()
    for node in sorted(_calls(source), key=lambda node: node.lineno):
        if isinstance(name := node.args[0], ast.Constant):
            yield Variable(str(name.value), _default(node), _about(lines, node.lineno - 1))


def _calls(source: str) -> Iterator[ast.Call]:
    """Yield the calls to functions of `env`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("env."):
            yield node


def _default(node: ast.Call) -> str:
    """Return the default in a reader's call: a literal, or the expression that computes it."""
    given = {keyword.arg: keyword.value for keyword in node.keywords}.get("default", node.args[-1])
    if given is node.args[0]:
        return "required" if ast.unparse(node.func) in REQUIRED else "empty"
    if isinstance(given, ast.Constant) and isinstance(given.value, str | int):
        value = int(given.value) if isinstance(given.value, bool) else given.value
        return "empty" if value == "" else f"`{value}`"
    shown = ast.unparse(given)
    return f"`{shown[2:-1] if isinstance(given, ast.JoinedStr) else shown}`"


def _about(lines: list[str], number: int) -> str:
    """Return the `#:` comment at the end of a line, or in the lines directly above it."""
    if beside := lines[number].partition("#:")[2]:
        return beside.strip()
    start = number
    while start and lines[start - 1].strip().startswith("#:"):
        start -= 1
    return " ".join(line.strip().removeprefix("#:").strip() for line in lines[start:number])
