"""The operation table: the one list that drives gateway, validation, contract, pages and tests."""

from api.gateway.operations import Operation, Table
from api.v1 import balances, me, shapes

TABLE = Table(
    [
        Operation(
            "me.read",
            "GET",
            "/me",
            product="balances",
            scope="balances:read",
            function=me.me,
            answer=shapes.ApiContext,
        ),
        Operation(
            "balances.list",
            "GET",
            "/balances",
            product="balances",
            scope="balances:read",
            function=balances.balances,
            query=shapes.BalanceQuery,
            answer=shapes.BalanceList,
            codes=("NO_PROVIDER_ENABLED",),
        ),
    ]
)
