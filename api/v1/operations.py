"""The operation table: the one list that drives gateway, validation, contract, pages and tests."""

from api.gateway.operations import Operation, Table
from api.gateway.pages import PageQuery
from api.v1 import balances, me, payouts, shapes

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
        Operation(
            "payouts.list",
            "GET",
            "/payouts",
            product="payouts",
            scope="payouts:read",
            function=payouts.page,
            query=PageQuery,
            answer=shapes.PayoutList,
            codes=("NO_PROVIDER_ENABLED",),
        ),
        Operation(
            "payouts.read",
            "GET",
            "/payouts/{id}",
            product="payouts",
            scope="payouts:read",
            function=payouts.one,
            answer=shapes.PayoutShape,
            codes=("NO_PROVIDER_ENABLED",),
        ),
        Operation(
            "payouts.create",
            "POST",
            "/payouts",
            product="payouts",
            scope="payouts:write",
            function=payouts.create,
            body=shapes.PayoutBody,
            answer=shapes.PayoutShape,
            status=201,
            codes=("INSUFFICIENT_BALANCE", "NO_PROVIDER_ENABLED"),
            kind="financial",
            financial=True,
        ),
    ]
)
