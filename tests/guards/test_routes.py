"""No package names a page of a layer above it; the upper layer registers its pages instead."""

import ast
import re

from tests.guards.tree import PACKAGES, ROOT, Module, modules
from tests.matrices.pages import PAGES

# The layer of each URL namespace; all other namespaces belong to the console.
LAYER = {name: place for place, name in enumerate(PACKAGES)}
NAMED = re.compile(r"\{%\s*url\s+[\"']([^\"']+)[\"']")
ROUTES = {page.name for page in PAGES}


def layer_of(namespace: str) -> int:
    return LAYER.get(namespace, 0)


def upward(owner: str, routes: set[str]) -> list[str]:
    """Return the routes that belong to a layer above the package."""
    return sorted(name for name in routes if layer_of(name.partition(":")[0]) > layer_of(owner))


def named_in(module: Module) -> set[str]:
    """Return the routes that appear as strings in a module."""
    texts = (node.value for node in module.nodes if isinstance(node, ast.Constant))
    return {text for text in texts if isinstance(text, str)} & ROUTES


def of_module(module: Module) -> list[str]:
    found = upward(module.path.split("/")[0], named_in(module))
    return [f"{module.path} names {name}, which lies above it" for name in found]


def of_template(path: str, text: str) -> list[str]:
    found = upward(path.split("/")[0], set(NAMED.findall(text)))
    return [f"templates/{path} names {name}, which lies above it" for name in found]


def test_no_module_names_a_page_above_it():
    assert sum(bool(named_in(module)) for module in modules()) > 20
    assert [found for module in modules() for found in of_module(module)] == []


def test_no_template_names_a_page_above_it():
    folder = ROOT / "templates"
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) > 80
    assert [
        found
        for path in files
        for found in of_template(str(path.relative_to(folder)), path.read_text())
    ] == []
