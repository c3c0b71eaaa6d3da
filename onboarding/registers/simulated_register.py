"""A simulated register for the demo: a few invented companies."""

from onboarding.registers.people import ListedAs, RegisterParty, RegisterPeople
from onboarding.registers.records import RegisterRecord

NAME = "Simulated register"
# In the setting `CHECK_PROVIDERS`.
PROVIDER = "simulated-register"

COMPANIES = {
    (one.country, one.number): one
    for one in (
        RegisterRecord(
            register=NAME,
            record="SIM-09990101",
            name="Lantern Bridge Trading Limited",
            country="GB",
            number="09990101",
            legal_form="Private limited company",
            status="active",
            since="2017-04-03",
            address={
                "line1": "12 Invented Wharf",
                "line2": "",
                "city": "Bristol",
                "state": "",
                "postal_code": "BS1 0XX",
                "country": "GB",
            },
            is_simulated=True,
        ),
        RegisterRecord(
            register=NAME,
            record="SIM-RC990102",
            name="Palm Ledger Services Limited",
            country="NG",
            number="RC990102",
            legal_form="Private company limited by shares",
            status="active",
            since="2019-09-16",
            address={
                "line1": "4 Example Crescent",
                "line2": "",
                "city": "Lagos",
                "state": "Lagos",
                "postal_code": "100001",
                "country": "NG",
            },
            is_simulated=True,
        ),
    )
}

# One director whom the demo business does not name.
PEOPLE = {
    ("GB", "09990302"): RegisterPeople(
        NAME,
        (
            RegisterParty("BRIGHT, Hazel Anne", ListedAs.DIRECTOR, is_person=True, born="1975-08"),
            RegisterParty("THORNE, Silas", ListedAs.DIRECTOR, is_person=True, born="1969-02"),
            RegisterParty("Bramble Holdings Limited", ListedAs.OWNER, least="50", most="75"),
            RegisterParty("Jude Park", ListedAs.OWNER, is_person=True, least="25", most="50"),
        ),
        has_directors=True,
        has_owners=True,
    ),
}


def find(country: str, number: str) -> RegisterRecord | None:
    """Return the invented company with this number, or None."""
    return COMPANIES.get((country, "".join(number.split()).upper()))


def people(country: str, number: str) -> RegisterPeople | None:
    """Return the invented officers and owners of a company, or None."""
    return PEOPLE.get((country, "".join(number.split()).upper()))
