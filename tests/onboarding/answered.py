"""A complete set of questionnaire answers, and changes that lead to other review outcomes."""

from copy import deepcopy
from typing import Any

from api.demo.businesses import answers_of, owner

OWNERS = "ow_structure_of_owners"


def owned_by(*people: tuple[str, str], **own: str) -> dict[str, Any]:
    """Return the answer that these people own the business, each with a share, as typed.

    The first is a director. `own` are other answers about each of them.
    """
    first, *others = (owner(name, share, **own) for name, share in people)
    return {OWNERS: [first | {"director": "yes"}, *others]}


# A software firm in one low-risk country: tier LOW, cleared without a reviewer.
KIOSK: dict[str, Any] = answers_of(
    "kettle.example",
    "Kettle & Kiosk Ltd",
    "09999991",
    "Mara Ellwood",
    **owned_by(("Mara Ellwood", "60"), ("Ifan Rhys", "40")),
    pr_products=["customers", "refunds"],
    vo_m12_value="18,000.00",
    vo_basis="history",
)
# Changes to the low-risk business, each leading to another review outcome.
EXPOSED = {"name": "Ifan Rhys", "relation": "own", "office": "Minister since 2022"}
HIGH = {"ri_pep": "yes", "ri_pep_kind": "domestic", "ri_pep_people": [EXPOSED]}
DECLARED = {
    "ri_sanctions": "yes",
    "ri_sanctions_text": "A director was listed until 2019.",
}
SUSPECT = owned_by(("Sanctioned Sam", "60"), ("Ifan Rhys", "40"))
# What the editions before 2026-11.4 asked about owners.
OWNER_ROWS = {
    OWNERS: None,
    "ow_owners": [
        {"name": "Mara Ellwood", "share": "60", "country": "GB", "born": "1984-05-02"},
        {"name": "Ifan Rhys", "share": "40", "country": "GB", "born": "1979-11-30"},
    ],
    "ow_layers": "0",
    "ow_structure": ["none"],
}
LISTED = {"li_legal_name": "Sanctioned Kettle Ltd"}
NOT_FOUND = {"li_registration_number": "09999000"}
FLAKY = {"li_legal_name": "Flaky Kettle Ltd"}


def answers(**changes: Any) -> dict[str, Any]:
    """Return a complete set of answers, as typed, with these changes; None removes an answer."""
    return {key: value for key, value in (deepcopy(KIOSK) | changes).items() if value is not None}
