"""Customers and beneficiaries: create, change, remove."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from api.sandbox import owned
from api.sandbox.models import Beneficiary, Customer
from console.accounts.actors import Actor
from console.core import clock


@transaction.atomic
def create(customer: Customer, *, by: Actor) -> Customer:
    """Keep a customer."""
    customer.created_at = clock.now()
    customer.save(force_insert=True)
    owned.announce(customer, "customer.created", by=by)
    return customer


@transaction.atomic
def change(customer: Customer, changes: Mapping[str, Any], *, by: Actor) -> Customer:
    """Change the members that are given. What is the same changes nothing."""
    customer = owned.locked(customer)
    if owned.changed(customer, changes):
        owned.announce(customer, "customer.changed", by=by)
    return customer


@transaction.atomic
def create_beneficiary(beneficiary: Beneficiary, *, by: Actor) -> Beneficiary:
    """Keep a beneficiary."""
    beneficiary.created_at = clock.now()
    beneficiary.save(force_insert=True)
    owned.announce(beneficiary, "beneficiary.created", by=by)
    return beneficiary


@transaction.atomic
def remove_beneficiary(beneficiary: Beneficiary, *, by: Actor) -> None:
    """Remove a beneficiary. Transfers under way go on. Twice is once."""
    if Beneficiary.objects.filter(pk=beneficiary.pk, removed_at=None).update(
        removed_at=clock.now()
    ):
        owned.announce(beneficiary, "beneficiary.removed", by=by)
