"""R24: rows can be added without JavaScript; the rest is in `tests/flows`."""

import pytest
from django.urls import reverse

from onboarding.intake import applications
from tests import factories
from tests.browser_runs.commits import committed
from tests.proofs import Proven, proof

pytestmark = [pytest.mark.browser, pytest.mark.check]


@proof("R24", "a section with rows without scripts", asked="it can be done")
def test_one_answers_a_section_with_rows(proven: Proven, world, at):
    business = committed(factories.a_business, "Lagoon Retail")
    owner = factories.owner_of(business)
    committed(applications.start, business, by=owner)
    visitor = at(owner, java_script_enabled=False)
    page = visitor.go(reverse("onboarding:section", args=[business.public_id, "ownership"]))
    names = page.get_by_label("Name", exact=True)
    people = [("Amara Okafor", "70"), ("Chidi Obi", "20"), ("Ife Bello", "10")]
    for row, (name, share) in enumerate(people):
        if names.count() == row:
            visitor.press("Add another owner, director or other person")
        names.nth(row).fill(name)
        page.get_by_label("Share in %").nth(row).fill(share)
        page.get_by_label("Country where they live or are registered").nth(row).select_option("NG")
        page.get_by_label("Date of birth").nth(row).fill("1984-05-02")
    page.locator("[name=ow_bearer_shares][value='no']").check()
    visitor.press("Save and continue")
    visitor.go(reverse("onboarding:section", args=[business.public_id, "ownership"]))

    kept = [field.input_value() for field in names.all()]
    good = [name for name, _ in people if name in kept]
    figure = f"{len(good)} of {len(people)} rows added, filled and kept"
    proven.reached(figure, met=kept[: len(people)] == [name for name, _ in people], wrong=kept)
