"""R6: if many people set one module of a business concurrently, one of them succeeds."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from console.accounts.roles import Role
from console.catalogue.models import ModuleSetting
from console.events.models import Event
from tests import factories
from tests.proofs import Proven, proof

TOGETHER = 32


@pytest.mark.django_db(transaction=True)
@proof("R6", "setting a module by hand", full=100, asked="exactly 1 setting from 32 presses")
def test_one_of_many_presses_sets_a_module(proven: Proven):
    manager, wrong = factories.one_of_staff(Role.ACCOUNT_MANAGER), []
    clients = [factories.signed_in(Client(), manager) for _ in range(TOGETHER)]
    for _ in range(proven.size):
        business = factories.a_business()
        address = reverse("apikeys:set_module", args=[business.public_id, "cards"])

        def press(one: tuple[int, Client], to: str = address) -> int:
            number, client = one
            typed = {"hand": ("on", "off")[number % 2], "reason": "Asked us to.", "seen": ""}
            try:
                return client.post(to, typed).status_code
            finally:
                connection.close()

        with ThreadPoolExecutor(TOGETHER) as pool:
            answers = sorted(pool.map(press, enumerate(clients)))
        (setting,) = ModuleSetting.objects.filter(business=business)
        told = Event.objects.filter(kind="module_setting.changed", subject_id=setting.public_id)
        if answers != [302] + [409] * (TOGETHER - 1) or told.count() != 1 or not setting.hand:
            wrong.append((answers, setting.hand))
    proven.reached(f"{proven.size} rounds of {TOGETHER}, {len(wrong)} wrong", met=not wrong)
