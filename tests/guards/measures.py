"""`python -m tests.guards.measures`: how much code the product takes, and how it is joined."""

import ast
import io
import os
import tokenize
from collections.abc import Iterator

from console.launch.check import PRODUCTION
from tests.guards.tree import PACKAGES, ROOT, Module

_NO_CODE = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENCODING, tokenize.ENDMARKER),
}


def lines_of_code(module: Module) -> int:
    """Count lines that are not blank, comments, docstrings or imports."""
    left_out: set[int] = set()
    for node in module.nodes:
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Import() | ast.ImportFrom():
                left_out.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    tokens = tokenize.generate_tokens(io.StringIO(module.text).readline)
    lines = {
        line
        for token in tokens
        if token.type not in _NO_CODE
        for line in range(token.start[0], token.end[0] + 1)
    }
    return len(lines - left_out)


def registries(modules: list[Module]) -> set[str]:
    """Return what is filled from the `ready` of app configs, as `module.function`."""
    return {
        f"{call.func.value.id}.{call.func.attr}"
        for module in modules
        if module.path.endswith("/apps.py")
        for call in module.nodes
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.attr.startswith("register")
    }


def product() -> Iterator[Module]:
    """Yield the product's modules without migrations."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield Module(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8"))


def main() -> None:
    import django
    from django.apps import apps

    os.environ.update(PRODUCTION, DJANGO_SETTINGS_MODULE="console.settings")
    django.setup()
    from api.v1.router import OPERATIONS
    from tests.matrices.pages import HOSTED, PAGES

    modules = list(product())
    code = sum(map(lines_of_code, modules))
    counted = {
        "routes": len(PAGES) + len(HOSTED),
        "operations": len(OPERATIONS),
        "models": sum(1 for model in apps.get_models() if model.__module__.startswith(PACKAGES)),
    }
    named = ", ".join(f"{count} {name}" for name, count in counted.items())
    print(f"{code:,} lines of code in {len(modules)} modules: {named}")
    print(f"{code / sum(counted.values()):.0f} lines for each of them (aim: 95)")
    found = sorted(registries(modules))
    print(f"{len(found)} registries filled from apps.py (aim: 12): {', '.join(found)}")


if __name__ == "__main__":
    main()
