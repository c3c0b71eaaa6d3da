"""The operation table: the one list that drives gateway, validation, contract, pages and tests."""

from api.gateway.operations import Operation, Table
from api.v1 import (
    balances,
    beneficiaries,
    customers,
    examples,
    identity_verifications,
    inventory,
    me,
    payouts,
    shapes,
    transfers,
    usage,
)
from api.v1.described import answer_of, page_of
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
            answer=page_of(shapes.BalanceItem),
            example=examples.BALANCES,
            codes=("NO_PROVIDER_ENABLED",),
        ),
        *reading_rows(
            balances.TRANSACTIONS,
            "/transactions",
            "balances",
            "balances:read",
            ("movements of the balances", "movement of a balance"),
            examples.TRANSACTION,
            query=shapes.TransactionQuery,
        ),
        *usage.OPERATIONS,
        *customers.OPERATIONS,
        *beneficiaries.OPERATIONS,
        *transfers.OPERATIONS,
        *identity_verifications.OPERATIONS,
        *inventory.OPERATIONS,
        *reading_rows(
            payouts.RESOURCE,
            "/payouts",
            "payouts",
            "payouts:read",
            ("payouts", "payout"),
            examples.PAYOUT,
        ),
        Operation(
            "payouts.create",
            "POST",
            "/payouts",
            product="payouts",
            scope="payouts:write",
            function=payouts.create,
            body=shapes.PayoutBody,
            answer=answer_of(shapes.PayoutItem),
            example=examples.NEW_PAYOUT,
            status=201,
            codes=("INSUFFICIENT_BALANCE", "NO_PROVIDER_ENABLED"),
            kind="financial",
            financial=True,
        ),
    ]
)
