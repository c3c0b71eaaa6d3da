"""No SQL statement is longer than 40 lines; longer logic belongs in Python."""

import ast
import re

from tests.guards.tree import modules

STATEMENT = re.compile(r"\s*(WITH|SELECT|INSERT|UPDATE|DELETE)\b")


def test_no_statement_is_long():
    nodes = [node for module in modules() for node in module.nodes]
    texts = [str(node.value) for node in nodes if isinstance(node, ast.Constant)]
    statements = [text for text in texts if STATEMENT.match(text)]
    assert len(statements) > 10
    assert [text[:60] for text in statements if text.count("\n") > 40] == []
