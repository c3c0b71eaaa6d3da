"""Nightly comparison of each provider's statement with our ledger.

A movement is compared by its ID, wherever it stands in time: a provider moves money a moment before
we hear of it, so ours of a day may be theirs of the day before. A difference is a break.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from itertools import chain
from typing import Any

from django.db import models, transaction

from api.payments import breaks
from api.payments.models import (
    Account,
    Balance,
    BreakKind,
    CardTransaction,
    Deposit,
    LedgerEntry,
    ProviderBreak,
    ProviderInstruction,
)
from api.providers import configured, http
from api.providers.configured import ConnectedProvider
from api.providers.installed import ProviderRefused, ProviderSilent
from api.providers.messages import Movement, Statement
from apikeys.lifecycle import Environment
from console.accounts.actors import SYSTEM
from console.accounts.models import Business
from console.core import clock
from console.core.money import CURRENCIES

# Kinds of breaks that a later statement can close.
_BY_STATEMENT = (BreakKind.MISSING_HERE, BreakKind.MISSING_THERE, BreakKind.OTHER_BALANCE)


@dataclass(frozen=True)
class Difference:
    """A difference that a comparison found."""

    kind: BreakKind
    object_id: str
    says: str


def compare_all() -> None:
    """Compare yesterday of every live balance that is not compared yet today."""
    today = clock.now().date()
    midnight = datetime.combine(today, time(), UTC)
    due = Balance.objects.filter(environment=Environment.LIVE).exclude(
        last_reconciled_at__gte=midnight
    )
    for balance in due.select_related("business").order_by("pk"):
        for provider in configured.providers():
            _compare(balance, provider, today - timedelta(days=1))


def _compare(balance: Balance, provider: ConnectedProvider, day: date) -> None:
    """Ask for two days, outside any transaction, and store what differs."""
    business, currency = balance.business, balance.currency
    served = ProviderInstruction.objects.filter(business=business, provider=provider.name)
    if not served.exists():
        return
    try:
        earlier, later = (
            http.statement(provider, business.public_id, currency, f"{one}")
            for one in (day - timedelta(days=1), day)
        )
    except (ProviderSilent, ProviderRefused):
        return
    if later is not None and later.adds_up:
        _store(balance, provider, day, earlier, later)


@transaction.atomic
def _store(
    balance: Balance,
    provider: ConnectedProvider,
    day: date,
    earlier: Statement | None,
    later: Statement,
) -> None:
    business, currency = balance.business, balance.currency
    before = earlier.movements if earlier is not None else []
    found = [
        *_unknown_here(business, currency, later.movements),
        *_unknown_there(business, provider, currency, day, [*before, *later.movements]),
    ]
    of_others = ProviderInstruction.objects.filter(business=business).exclude(
        provider=provider.name
    )
    # A balance that several providers hold together is on no statement.
    if not found and not of_others.exists():
        found = list(_of_balance(balance, day, later))
    names = {(one.kind, one.object_id) for one in found}
    open_now = ProviderBreak.objects.filter(
        business=business, provider=provider.name, currency=currency, closed_at=None
    )
    for row in open_now.filter(kind__in=_BY_STATEMENT):
        if _is_settled(row, names, later):
            breaks.close_by_statement(row, f"The statement of {day} agrees.", by=SYSTEM)
    for one in found:
        breaks.found(
            business, provider.name, one.kind, one.object_id, currency, one.says, by=SYSTEM
        )
    if not found and not open_now.all().exists():
        Balance.objects.filter(pk=balance.pk).update(last_reconciled_at=clock.now())


def _unknown_here(
    business: Business, currency: str, movements: Sequence[Movement]
) -> Iterator[Difference]:
    """Yield the movements of a statement that our ledger lacks, or has with another amount."""
    ours = _ours(business, currency, movements)
    for one in movements:
        name, booked = _name(one), ours.get(_name(one))
        if booked is None:
            says = f"The statement has {one.amount} {currency} as {name}; our ledger has not."
            yield Difference(BreakKind.MISSING_HERE, name, says)
        elif booked != Decimal(one.amount):
            says = f"{name} is {one.amount} {currency} in the statement and {booked} in our ledger."
            yield Difference(BreakKind.OTHER_AMOUNT, name, says)


def _ours(business: Business, currency: str, movements: Sequence[Movement]) -> dict[str, Decimal]:
    """Return what our ledger moved for these movements, by their names. Money out is negative."""
    references = [one.provider_reference for one in movements if not one.object]
    reported = _reported(
        business=business, environment=Environment.LIVE, provider_reference__in=references
    )
    sources = [*reported, *(one.object for one in movements if one.object)]
    entries = _outside(business, currency).filter(source__in=sources)
    return {_name_here(one, reported): _signed(one) for one in entries}


def _unknown_there(
    business: Business,
    provider: ConnectedProvider,
    currency: str,
    day: date,
    movements: Sequence[Movement],
) -> Iterator[Difference]:
    """Yield what our ledger moved that day through this provider and its two statements lack."""
    theirs = {_name(one) for one in movements}
    entries = list(_outside(business, currency).filter(**_within(day)))
    reported = _reported(public_id__in=[one.source for one in entries])
    places = {
        entry.source: reported[entry.source].place if entry.source in reported else entry.source
        for entry in entries
    }
    served = ProviderInstruction.objects.filter(
        provider=provider.name, public_id__in=places.values()
    )
    its_own = set(served.values_list("public_id", flat=True))
    for entry in entries:
        name = _name_here(entry, reported)
        if name not in theirs and places[entry.source] in its_own:
            says = f"Our ledger has {_signed(entry)} {currency} as {name}; the statement has not."
            yield Difference(BreakKind.MISSING_THERE, name, says)


def _of_balance(balance: Balance, day: date, later: Statement) -> Iterator[Difference]:
    """Yield the difference of the closing balances. Movements that we heard of later count."""
    ended = _within(day)["created_at__lt"]
    last = balance.entries.filter(created_at__lt=ended).order_by("-pk").first()
    closing = _major(last.total_after if last else 0, balance.currency)
    theirs = {_name(one) for one in later.movements}
    since = _outside(balance.business, balance.currency).filter(created_at__gte=ended)
    reported = _reported(public_id__in=since.values("source"))
    closing += sum(_signed(one) for one in since if _name_here(one, reported) in theirs)
    if closing != Decimal(later.closing):
        says = (
            f"The statement of {day} closes with {later.closing} {balance.currency}, and our "
            f"ledger with {closing}."
        )
        yield Difference(BreakKind.OTHER_BALANCE, balance.public_id, says)


def _is_settled(row: ProviderBreak, found: set[tuple[BreakKind, str]], later: Statement) -> bool:
    """Tell whether this statement shows that an open break is no more."""
    if (BreakKind(row.kind), row.object_id) in found:
        return False
    if row.kind == BreakKind.MISSING_THERE:
        return row.object_id in {_name(one) for one in later.movements}
    if row.kind == BreakKind.MISSING_HERE:
        name = row.object_id
        entries = _outside(row.business, row.currency).filter(source=name)
        booked = _reported(business=row.business, provider_reference=name)
        return bool(booked) or entries.exists()
    return True


@dataclass(frozen=True)
class Reported:
    """What a provider reported: its reference, by which a statement names it, and the account."""

    reference: str
    place: str


def _reported(**wanted: Any) -> dict[str, Reported]:
    """Return deposits and card payments by our IDs; `place` is the account or the card."""
    deposits = Deposit.objects.filter(**wanted)
    payments = CardTransaction.objects.filter(**wanted)
    rows = chain(
        deposits.values_list("public_id", "provider_reference", "virtual_account_id"),
        payments.values_list("public_id", "provider_reference", "card_id"),
    )
    return {ours: Reported(reference, str(place)) for ours, reference, place in rows}


def _outside(business: Business, currency: str) -> models.QuerySet[LedgerEntry]:
    """Return the entries of live that moved money into or out of the balance."""
    entries = LedgerEntry.objects.filter(
        business=business, environment=Environment.LIVE, currency=currency
    )
    return entries.filter(
        models.Q(from_account=Account.EXTERNAL) | models.Q(to_account=Account.EXTERNAL)
    )


def _name(movement: Movement) -> str:
    """Return how both sides call a movement: our ID, or the provider's reference of money in."""
    return movement.object or movement.provider_reference


def _name_here(entry: LedgerEntry, reported: Mapping[str, Reported]) -> str:
    """Return how both sides call what an entry moved."""
    found = reported.get(entry.source)
    return found.reference if found else entry.source


def _signed(entry: LedgerEntry) -> Decimal:
    amount = _major(entry.amount, entry.currency)
    return -amount if entry.to_account == Account.EXTERNAL else amount


def _major(minor: int, currency: str) -> Decimal:
    return Decimal(minor).scaleb(-CURRENCIES[currency].exponent)


def _within(day: date) -> dict[str, datetime]:
    began = datetime.combine(day, time(), UTC)
    return {"created_at__gte": began, "created_at__lt": began + timedelta(days=1)}
