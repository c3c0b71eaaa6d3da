"""Owners are told up to people, with and without scripts, at every width and in every theme."""

from itertools import product

import pytest

from tests import factories
from tests.browser_runs import looking
from tests.onboarding.answered import OWNERS
from tests.onboarding.intake.sending import address

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("scripts", [True, False])
def test_from_a_company_to_the_person_behind_it(at, scripts: bool):
    application = factories.an_application()
    visitor = at(factories.owner_of(application.business), java_script_enabled=scripts)
    page = visitor.go(address(application, "section", "ownership"))

    def fill(party: int, **cells: str) -> None:
        for cell, text in cells.items():
            field = page.locator(f'[name="{OWNERS}.{party}.{cell.replace("_", ".")}"]')
            is_list = field.evaluate("at => at.tagName") == "SELECT"
            visitor.choose(field, text) if is_list else visitor.write(field, text)

    def look(state: str) -> None:
        looks = product(looking.THEMES, (1440, 390)) if scripts else [("light", 390)]
        for theme, width in looks:
            looking.put_on(page, (theme, width))
            if scripts:
                name = f"owners {state}"
                assert looking.faults(page, name, (theme, width), looking.RULES) == []

    look("empty")
    # A browser shows what is asked of a person, and no more.
    assert page.get_by_label("Date of birth").is_visible()
    assert not page.get_by_label("Registration number").is_visible()
    fill(0, name="Northgate Holdings (BVI) Limited", country="VG", born="2001-01-01")
    fill(0, holds_0_share="100")
    visitor.press("Save and continue")
    assert visitor.reads("looks like an organisation")
    assert page.get_by_label("This is a person’s name").is_visible()
    look("refused")

    fill(0, kind="entity")
    assert not page.get_by_label("Date of birth").is_visible()
    visitor.press("Save and continue")
    assert visitor.reads("Add who owns Northgate Holdings (BVI) Limited")
    look("asked")

    fill(1, name="Dia Moss", country="GB", born="1980-01-31", holds_0_share="30-40")
    visitor.tick(page.locator(f'[name="{OWNERS}.1.director"]'))
    page.locator("summary").last.press("Enter")
    look("all fields")
    visitor.press("Save and continue")
    page = visitor.go(address(application, "section", "ownership"))
    assert visitor.reads("Dia Moss holds 30 % to 40 %")
    look("told")

    visitor.press("Remove Dia Moss")
    assert not visitor.reads("Dia Moss")
    assert [error for error in visitor.said if "422" not in error] == []
