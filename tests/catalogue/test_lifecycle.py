"""R4: a business's product changes status only as its table specifies."""

import random
from collections import Counter

from console.accounts.actors import SYSTEM
from console.accounts.models import Business
from console.accounts.roles import Role
from console.catalogue import products
from console.catalogue.models import BusinessProduct
from console.core.refusals import Refused
from tests import factories
from tests.proofs import Proven, proof

LENGTH = 12
# The specification's table by function names, repeated here on purpose.
MODEL = {
    ("none", "request"): "requested",
    ("none", "approve"): "approved",
    ("requested", "approve"): "approved",
    ("requested", "refuse"): "refused",
    ("requested", "take out"): "refused",
    ("approved", "withdraw"): "withdrawn",
    ("refused", "request"): "requested",
    ("withdrawn", "request"): "requested",
}
VERBS = ("request", "approve", "refuse", "take out", "withdraw")


@proof("R4", "products of businesses", small=30, full=20_000, asked=">= 20,000 sequences, 0 wrong")
def test_every_sequence_of_verbs_ends_where_the_table_says(proven: Proven):
    chance, wrong, walked = random.Random(proven.size), [], Counter[tuple[str, str]]()
    owner, commercial = factories.a_person(), factories.one_of_staff(Role.COMMERCIAL)
    for _ in range(proven.size):
        business, here = Business.objects.create(name="Acme Limited"), "none"
        for verb in chance.choices(VERBS, k=LENGTH):
            there = MODEL.get((here, verb), here)
            walked[here, verb] += there != here
            try:
                press(verb, business, owner, commercial)
            except Refused:
                assert there == here, (here, verb)
            row = BusinessProduct.objects.filter(business=business).first()
            here, was = (row.status if row else "none"), here
            if here != there:
                wrong.append((was, verb, here, there))
    fewest = min(walked[edge] for edge in MODEL)
    figure = f"{proven.size:,} sequences, every edge {fewest:,} times or more, {len(wrong)} wrong"
    enough = fewest >= min(100, proven.size // 20)
    proven.reached(figure, met=not wrong and enough, wrong=wrong)


def press(verb, business, owner, commercial):
    """Call the function on this business's only product."""
    if verb == "request":
        products.request(business, ["cards"], by=owner)
    elif verb == "take out":
        products.request(business, [], by=owner)
    elif verb == "approve":
        products.approve(business, ["cards"], by=SYSTEM)
    elif verb == "refuse":
        products.approve(business, [], refusals={"cards": "Not yet."}, by=commercial)
    else:
        products.withdraw(business, "cards", reason="It ended.", by=commercial)
