"""Every public class name is used for only one thing in the whole project."""

import ast
from collections import defaultdict
from collections.abc import Iterable

from tests.guards.tree import Module, modules

# Django finds these by name.
FRAMEWORK = {"Command", "Meta", "Migration"}


def named(module: Module) -> set[str]:
    """Return the public classes and type aliases at a module's top level."""
    classes = {node.name for node in module.syntax.body if isinstance(node, ast.ClassDef)}
    assigned = {
        node.targets[0].id
        for node in module.syntax.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    aliases = {name for name in assigned if name[0].isupper() and not name.isupper()}
    return {name for name in classes | aliases if not name.startswith("_")} - FRAMEWORK


def twice(found: Iterable[Module]) -> dict[str, list[str]]:
    places = defaultdict(list)
    for module in found:
        for name in named(module):
            places[name].append(module.path)
    return {name: paths for name, paths in places.items() if len(paths) > 1}


def test_a_name_stands_for_one_thing():
    assert twice(modules()) == {}
