"""Which registers are asked about a company, and what they answered."""

from dataclasses import dataclass

from onboarding.registers import companies_house, gleif, vies
from onboarding.registers.people import RegisterPeople
from onboarding.registers.records import RegisterRecord

# In the setting `CHECK_PROVIDERS`.
PROVIDER = "registers"


@dataclass(frozen=True)
class RegisterAnswer:
    """What the registers know: entries of the first one that has any, and which were asked.

    `is_complete` is true if a register was asked that holds every company of the country.
    """

    records: tuple[RegisterRecord, ...] = ()
    asked: tuple[str, ...] = ()
    is_complete: bool = False


def look_up(country: str, number: str, name: str = "") -> RegisterAnswer:
    """Ask the connected registers one after another, or raise RegisterDown."""
    if companies_house.is_connected(country):
        found = companies_house.find(number)
        return RegisterAnswer((found,) if found else (), (companies_house.NAME,), is_complete=True)
    asked: tuple[str, ...] = ()
    if gleif.is_connected():
        asked += (gleif.NAME,)
        if entries := gleif.find(country, number, name):
            return RegisterAnswer(tuple(entries), asked)
    if vies.is_connected(country, number):
        asked += (vies.NAME,)
        if taxed := vies.find(country, number):
            return RegisterAnswer((taxed,), asked)
    return RegisterAnswer(asked=asked)


def people(country: str, number: str, name: str = "") -> RegisterPeople | None:
    """Return the officers and owners on a connected register, or raise RegisterDown.

    None if no register is connected that states any, or if it does not know the company.
    """
    if companies_house.is_connected(country):
        return companies_house.people(number)
    entries = gleif.find(country, number, name) if gleif.is_connected() else []
    return gleif.parents(entries[0].record) if entries else None
