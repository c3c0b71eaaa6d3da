"""The operation table: the one list that drives gateway, validation, contract, pages and tests."""

from api.gateway.operations import Operation, Table
from api.v1 import balances, customers, me, payouts, remittance, shapes
from api.v1.described import answer_of
from api.v1.rows import reading_rows

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
        *reading_rows(
            balances.TRANSACTIONS,
            "/transactions",
            "balances",
            "balances:read",
            ("movements of the balances", "movement of a balance"),
            query=shapes.TransactionQuery,
        ),
        *customers.OPERATIONS,
        *remittance.OPERATIONS,
        *reading_rows(
            payouts.RESOURCE, "/payouts", "payouts", "payouts:read", ("payouts", "payout")
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
            answer=answer_of(shapes.PayoutItem),
            status=201,
            codes=("INSUFFICIENT_BALANCE", "NO_PROVIDER_ENABLED"),
            kind="financial",
            financial=True,
        ),
    ]
)
