"""Every row lock uses the same options, which avoids deadlocks with the audit log's chain."""

import ast

from tests.guards.tree import Module, modules

# Without no_key, foreign key checks wait for the lock; without of, joined rows are locked too.
NEEDED = {"no_key": "True", "of": "('self',)"}
ALLOWED = {"skip_locked": "True"}


def other_locks(module: Module) -> list[str]:
    """Return every lock that is not `select_for_update(no_key=True, of=("self",))`."""
    found = []
    for node in module.nodes:
        if not isinstance(node, ast.Call) or not _locks(node.func):
            continue
        given = {str(word.arg): ast.unparse(word.value) for word in node.keywords}
        if node.args or {**given, **ALLOWED} != {**NEEDED, **ALLOWED}:
            found.append(module.says(node.lineno, ast.unparse(node)[-80:]))
    return found


def _locks(function: ast.expr) -> bool:
    return isinstance(function, ast.Attribute) and function.attr == "select_for_update"


def test_every_lock():
    everything = modules()
    assert sum("select_for_update" in module.text for module in everything) > 8
    assert [found for module in everything for found in other_locks(module)] == []
