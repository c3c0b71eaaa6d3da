"""The operation table: the one list that drives gateway, validation, contract, pages and tests."""

from api.gateway.operations import Operation, Table
from api.gateway.pages import PageQuery
from api.v1 import balances, examples, me, payouts, shapes

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
            example=examples.ME,
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
            example=examples.BALANCES,
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
            example=examples.PAYOUTS,
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
            example=examples.PAYOUT,
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
            example=examples.NEW_PAYOUT,
            status=201,
            codes=("INSUFFICIENT_BALANCE", "NO_PROVIDER_ENABLED"),
            kind="financial",
            financial=True,
        ),
    ]
)
