"""The demo's people, with fixed passwords and authenticator seeds. Only with DEMO=1."""

import base64
import hashlib
from dataclasses import dataclass

from console.accounts.roles import Role

PASSWORD = "demo-access-console"  # noqa: S105  # the deploy check refuses DEMO=1
_SEED_OF = "access console demo seed of "


class _World:
    """Subject of audit entries about all of the demo data."""

    public_id = "demo"


WORLD = _World()


@dataclass(frozen=True)
class DemoPerson:
    """A demo person: `business` is the key of a demo business, or empty for our staff."""

    name: str
    email: str
    roles: tuple[Role, ...]
    business: str = ""

    @property
    def seed(self) -> bytes:
        """The same seed at each load, so that an authenticator app keeps working."""
        return hashlib.sha1(f"{_SEED_OF}{self.email}".encode()).digest()  # noqa: S324

    @property
    def totp_secret(self) -> str:
        return base64.b32encode(self.seed).decode()


def _staff(name: str, *roles: Role) -> DemoPerson:
    first = name.split()[0].lower()
    return DemoPerson(name, f"{first}@staff.example", roles)


def _of(business: str, name: str, *roles: Role) -> DemoPerson:
    first = name.split()[0].lower()
    return DemoPerson(name, f"{first}@{business}.example", roles, business)


STAFF = (
    _staff("Ngozi Obi", Role.COMPLIANCE),
    _staff("Henrik Dahl", Role.COMPLIANCE),
    _staff("Miriam Katz", Role.HEAD_OF_COMPLIANCE),
    _staff("Daniel Mensah", Role.COMMERCIAL),
    _staff("Aoife Brennan", Role.COMMERCIAL),
    _staff("Lucia Marino", Role.LEGAL),
    _staff("Tomasz Nowak", Role.LEGAL),
    _staff("Grace Njeri", Role.HEAD_OF_LEGAL),
    _staff("Victor Laurent", Role.COUNTERSIGNATORY),
    _staff("Sofia Almeida", Role.ACCOUNT_MANAGER),
    _staff("Kwame Boateng", Role.ACCOUNT_MANAGER),
    _staff("Ingrid Solberg", Role.AUDITOR),
    _staff("Ravi Menon", Role.OPERATOR),
)
BUSINESS_PEOPLE = (
    _of("harmattan", "Bisi Adeyemi", Role.OWNER),
    _of("harmattan", "Chike Eze", Role.DEVELOPER),
    _of("quayside", "Elin Morgan", Role.OWNER),
    _of("quayside", "Owen Pryce", Role.DEVELOPER),
    _of("savanna", "Amara Okafor", Role.OWNER),
    _of("savanna", "Ifeoma Umeh", Role.DEVELOPER),
    _of("savanna", "Tunde Bakare", Role.SIGNATORY),
    _of("kettle", "Mara Ellwood", Role.OWNER),
    _of("kettle", "Ifan Rhys", Role.DEVELOPER),
    _of("lumen", "Joan Ferreira", Role.OWNER),
    _of("lumen", "Pedro Lima", Role.DEVELOPER),
    _of("orchard", "Greta Lindqvist", Role.OWNER),
    _of("orchard", "Milo Ferrer", Role.SIGNATORY),
    _of("marlow", "Isla Grant", Role.OWNER),
    _of("marlow", "Theo Park", Role.DEVELOPER),
    _of("cedar", "Nadia Haddad", Role.OWNER),
    _of("tidal", "Rhys Sanctioned Cole", Role.OWNER),
    _of("prosser", "Owen Prosser", Role.OWNER),
    _of("bramble", "Hazel Bright", Role.OWNER),
    _of("hopkin", "Marged Visited Hopkin", Role.OWNER),
    _of("baobab", "Adaeze Adeola", Role.OWNER),
    _of("lloyd", "Gethin Lloyd", Role.OWNER),
    _of("pepperbox", "Tessa Scanned Vickers", Role.OWNER),
)
EVERYONE = STAFF + BUSINESS_PEOPLE
