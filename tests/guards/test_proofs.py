"""Proofs compute the results they report, and every assertion can fail."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.guards.tree import Module, modules


def calls(module: Module, name: str) -> Iterator[ast.Call]:
    for node in module.nodes:
        if isinstance(node, ast.Call) and _called(node) == name:
            yield node


def _called(call: ast.Call) -> str:
    """Return the last part of the called name, or "" if it has none."""
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))


def typed_outcomes(module: Module) -> list[str]:
    """Return each `met=` that is a true literal."""
    return [
        module.says(node.value.lineno, "met= is typed, and not computed")
        for node in module.nodes
        if isinstance(node, ast.keyword) and node.arg == "met" and is_literally_true(node.value)
    ]


def typed_figures(module: Module) -> list[str]:
    """Return reported figures that contain a typed number or compare a number with itself."""
    found = []
    for call in calls(module, "reached"):
        for figure in figures_of(module, call):
            said = "".join(str(p.value) for p in figure.values if isinstance(p, ast.Constant))
            if re.search(r"\d", said):
                found.append(module.says(figure.lineno, f"{said!r} holds a number that is typed"))
            shape = ast.unparse(figure)
            if re.search(r"\{([^{}:]+)(:,)?\} of \{\1(:,)?\}", shape):
                found.append(module.says(figure.lineno, "a number is compared with itself"))
    return found


def figures_of(module: Module, call: ast.Call) -> Iterator[ast.JoinedStr]:
    """Yield the f-strings that a proof may report: passed directly, or assigned to a name."""
    if not call.args:
        return
    given = call.args[0]
    if isinstance(given, ast.JoinedStr):
        yield given
    elif isinstance(given, ast.Constant):
        yield ast.JoinedStr([given], lineno=given.lineno, col_offset=given.col_offset)
    for node in module.nodes:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.JoinedStr):
            names = [ast.unparse(target) for target in node.targets]
            if isinstance(given, ast.Name) and given.id in names:
                yield node.value


def assertions_that_hold_always(module: Module) -> list[str]:
    """Return assertions with an `or` operand that is always true or implied by another one."""
    found = []
    for node in module.nodes:
        if not isinstance(node, ast.Assert):
            continue
        parts = parts_of(node.test)
        if any(is_literally_true(part) for part in parts) or hides(parts):
            found.append(module.says(node.lineno, "this assertion cannot fail, or says less"))
    return found


def parts_of(test: ast.expr) -> list[ast.expr]:
    """Return the operands of a top-level `or`, or the whole test."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        return test.values
    return [test]


def is_literally_true(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and bool(value.value)


def hides(parts: list[ast.expr]) -> bool:
    """Return whether one operand looks for words that contain another one's, in the same text."""
    asked = [words_of(part) for part in parts]
    for one in asked:
        for other in asked:
            if one is not other and one[1] == other[1] and one[0] and one[0] in other[0]:
                return True
    return False


def words_of(part: ast.expr) -> tuple[str, str]:
    """Return the two sides of `"left" in text`; for anything else, "" and its source."""
    if not isinstance(part, ast.Compare) or len(part.ops) != 1:
        return "", ast.unparse(part)
    left, right = part.left, part.comparators[0]
    if isinstance(part.ops[0], ast.In) and isinstance(left, ast.Constant):
        return str(left.value), ast.unparse(right)
    return "", ast.unparse(part)


@pytest.mark.parametrize(
    "guard", [typed_outcomes, typed_figures, assertions_that_hold_always], ids=lambda g: g.__name__
)
def test_every_test_and_benchmark(guard):
    read = modules("tests", "benchmarks", "console/launch")
    assert len(read) > 100
    assert [found for module in read for found in guard(module)] == []


def test_the_figures_are_found():
    proofs = [call for module in modules("tests") for call in calls(module, "reached")]
    read = [f for module in modules("tests") for c in calls(module, "reached")
            for f in figures_of(module, c)]  # fmt: skip
    assert len(proofs) > 20
    assert len(read) >= len(proofs) - 3  # a few receive their figure as a parameter
