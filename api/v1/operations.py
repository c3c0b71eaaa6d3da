"""The operation table: the one list that drives gate, routes, contract and tests."""

from api.gateway.operations import Operation, Table
from api.v1 import balances, me, shapes

TABLE = Table(
    [
        Operation("me.read", "GET", "/me", "balances", "balances:read", me.me, shapes.ApiContext),
        Operation(
            "balances.list",
            "GET",
            "/balances",
            "balances",
            "balances:read",
            balances.balances,
            shapes.BalanceList,
        ),
    ]
)
