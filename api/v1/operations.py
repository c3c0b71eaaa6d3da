"""The operation table: the one list that drives gateway, validation, contract, pages and tests."""

from api.gateway.operations import Operation, Table
from api.gateway.pages import PageQuery
from api.v1 import balances, customers, me, payouts, remittance, shapes

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
            "transactions.list",
            "GET",
            "/transactions",
            product="balances",
            scope="balances:read",
            function=balances.TRANSACTIONS.page(
                "List every movement of the balances, the newest first."
            ),
            query=shapes.TransactionQuery,
            answer=shapes.TransactionList,
            codes=("NO_PROVIDER_ENABLED",),
        ),
        Operation(
            "transactions.read",
            "GET",
            "/transactions/{id}",
            product="balances",
            scope="balances:read",
            function=balances.TRANSACTIONS.read("Read one movement of a balance."),
            answer=shapes.TransactionShape,
            codes=("NO_PROVIDER_ENABLED",),
        ),
        *customers.OPERATIONS,
        *remittance.OPERATIONS,
        Operation(
            "payouts.list",
            "GET",
            "/payouts",
            product="payouts",
            scope="payouts:read",
            function=payouts.RESOURCE.page("List payouts, the newest first."),
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
            function=payouts.RESOURCE.read("Read one payout."),
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
            example=payouts.EXAMPLE,
            answer=shapes.PayoutShape,
            status=201,
            codes=("INSUFFICIENT_BALANCE", "NO_PROVIDER_ENABLED"),
            kind="financial",
            financial=True,
        ),
    ]
)
