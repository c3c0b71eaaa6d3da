"""No SQL statement is longer than 40 lines: what needs more is logic, and belongs in Python."""

import ast
import re

from tests.guards.tree import modules

STATEMENT = re.compile(r"\s*(WITH|SELECT|INSERT|UPDATE|DELETE)\b")


def test_no_statement_is_long():
    texts = [node for module in modules() for node in ast.walk(module.syntax)
             if isinstance(node, ast.Constant) and isinstance(node.value, str)]  # fmt: skip
    statements = [node.value for node in texts if STATEMENT.match(node.value)]
    assert len(statements) > 10
    assert [text[:60] for text in statements if text.count("\n") > 40] == []
