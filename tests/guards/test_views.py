"""Views stay thin: at most twelve statements, and no try."""

import ast

from tests.guards.tree import Module, decorators, modules

MOST = 12
POLICIES = {"public_page", "person_page", "business_page", "staff_page", "payer_page"}


def views(module: Module) -> list[ast.FunctionDef]:
    return [
        one
        for one in module.functions
        if {name.split(".")[-1] for name in decorators(one)} & POLICIES
    ]


def fat_views(module: Module) -> list[str]:
    found = []
    for view in views(module):
        if (size := _statements(view)) > MOST:
            found.append(module.says(view.lineno, f"{view.name}() has {size} statements"))
        if any(isinstance(node, ast.Try) for node in ast.walk(view)):
            found.append(module.says(view.lineno, f"{view.name}() catches what is answered once"))
    return found


def _statements(view: ast.FunctionDef) -> int:
    """Count the statements in the body, without the docstring."""
    inside = sum(isinstance(node, ast.stmt) for node in ast.walk(view)) - 1
    return inside - (ast.get_docstring(view) is not None)


def test_every_view():
    everything = modules()
    assert sum(len(views(module)) for module in everything) > 40
    assert [found for module in everything for found in fat_views(module)] == []
