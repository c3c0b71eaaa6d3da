"""A structure of owners as files: BODS 0.4 statements and FollowTheMoney entities.

https://standard.openownership.org/en/0.4.0/ and https://followthemoney.tech/explorer/
"""

from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from typing import Any

from console.core import digests
from onboarding.ownership.structure import (
    BUSINESS,
    Holding,
    Interest,
    OwnershipParty,
    OwnershipRole,
    PartyKind,
    RoleKind,
    Structure,
)
from onboarding.reference import countries

_ENTITY_TYPES = {
    PartyKind.ENTITY: "registeredEntity",
    PartyKind.LISTED: "registeredEntity",
    PartyKind.ARRANGEMENT: "arrangement",
    PartyKind.STATE: "state",
}
_ROLE_INTERESTS = {
    RoleKind.DIRECTOR: Interest.BOARD_MEMBER,
    RoleKind.SENIOR_MANAGER: Interest.SENIOR_MANAGING_OFFICIAL,
    RoleKind.SETTLOR: Interest.SETTLOR,
    RoleKind.TRUSTEE: Interest.TRUSTEE,
    RoleKind.PROTECTOR: Interest.PROTECTOR,
    RoleKind.BENEFICIARY: Interest.BENEFICIARY,
    RoleKind.NOMINEE: Interest.NOMINEE,
    RoleKind.NOMINATOR: Interest.NOMINATOR,
    RoleKind.ACTS_FOR: Interest.OTHER_INFLUENCE_OR_CONTROL,
}
_SCHEMAS = {
    PartyKind.PERSON: "Person",
    PartyKind.ENTITY: "Company",
    PartyKind.LISTED: "Company",
    PartyKind.ARRANGEMENT: "Organization",
    PartyKind.STATE: "PublicBody",
}


def bods(structure: Structure, business: OwnershipParty, *, of: str, on: date) -> list[Any]:
    """Return the BODS statements. `business` has the id BUSINESS; `of` makes ids unique."""
    writer = _Bods(of, on)
    parties = [business, *structure.parties]
    return [
        *map(writer.party, parties),
        *(
            writer.relationship(f"h{number}", one.owned, one.owner, interests=_interests(one))
            for number, one in enumerate(structure.holdings)
        ),
        *(
            writer.relationship(
                f"r{number}", one.of, one.party, interests=[_interest(_ROLE_INTERESTS[one.role])]
            )
            for number, one in enumerate(structure.roles)
        ),
    ]


def followthemoney(structure: Structure, business: OwnershipParty, *, of: str) -> Iterator[Any]:
    """Yield the entities: parties, then ownerships and directorships."""
    for party in (business, *structure.parties):
        given = {
            "name": party.name,
            "birthDate": party.born,
            "registrationNumber": party.number,
            ("country" if party.is_person else "jurisdiction"): party.country.lower(),
        }
        yield _ftm(of, party.id, _SCHEMAS[party.kind], given)
    for number, holding in enumerate(structure.holdings):
        shares = dict.fromkeys((holding.least, holding.most)) if holding.most else ()
        given = {
            "owner": f"{of}-{holding.owner}",
            "asset": f"{of}-{holding.owned}",
            "percentage": " - ".join(str(_percentage(share)) for share in shares),
            "ownershipType": holding.interest,
        }
        yield _ftm(of, f"h{number}", "Ownership", given)
    for number, role in enumerate(structure.roles):
        yield _ftm(of, f"r{number}", *_role(role, of))


class _Bods:
    """Statements of one case, made on one day."""

    def __init__(self, of: str, on: date) -> None:
        self.of, self.on = of, on.isoformat()

    def party(self, party: OwnershipParty) -> dict[str, Any]:
        details: dict[str, Any] = {"isComponent": False}
        place = {"name": countries.name(party.country), "code": party.country}
        if party.is_person:
            details |= {
                "personType": "knownPerson",
                "names": [{"type": "legal", "fullName": party.name}],
            }
            details |= {"birthDate": party.born} if party.born else {}
            address = {"type": "residence", "country": place}
            details |= {"addresses": [address]} if party.country else {}
            return self._statement("person", party.id, details)
        details |= {"entityType": {"type": _ENTITY_TYPES[party.kind]}, "name": party.name}
        details |= {"jurisdiction": place} if party.country else {}
        if party.number:
            register = f"Company register of {place['name'] or 'an unknown country'}"
            details["identifiers"] = [{"id": party.number, "schemeName": register}]
        if party.kind == PartyKind.LISTED:
            details["publicListing"] = {"hasPublicListing": True}
        return self._statement("entity", party.id, details)

    def relationship(
        self, key: str, subject: str, party: str, *, interests: list[dict[str, Any]]
    ) -> dict[str, Any]:
        details = {
            "isComponent": False,
            "subject": self._record(subject),
            "interestedParty": self._record(party),
            "interests": interests,
        }
        return self._statement("relationship", key, details)

    def _record(self, key: str) -> str:
        return f"{self.of}-{key}"

    def _statement(self, kind: str, key: str, details: dict[str, Any]) -> dict[str, Any]:
        return {
            "statementId": digests.sha256_hex(f"{self._record(key)} {self.on}".encode()),
            "declarationSubject": self._record(BUSINESS),
            "statementDate": self.on,
            "recordId": self._record(key),
            "recordType": kind,
            "recordStatus": "new",
            "recordDetails": details,
            "source": {"type": ["selfDeclaration"]},
            "publicationDetails": {
                "publicationDate": self.on,
                "bodsVersion": "0.4",
                "publisher": {"name": "Access Console"},
            },
        }


def _interests(holding: Holding) -> list[dict[str, Any]]:
    first = _interest(holding.interest, holding.least, holding.most)
    if holding.votes is None:
        return [first]
    return [first, _interest(Interest.VOTING_RIGHTS, holding.votes, holding.votes)]


def _interest(
    interest: Interest, least: Fraction = Fraction(0), most: Fraction = Fraction(0)
) -> dict[str, Any]:
    said = {"type": str(interest), "directOrIndirect": "direct"}
    if not most:
        return said
    if least == most:
        return said | {"share": {"exact": _percentage(least)}}
    return said | {"share": {"minimum": _percentage(least), "maximum": _percentage(most)}}


def _percentage(part: Fraction) -> int | float:
    """Return a percentage as the number that BODS asks for."""
    percentage = part * 100
    return int(percentage) if percentage.denominator == 1 else float(percentage)


def _role(role: OwnershipRole, of: str) -> tuple[str, dict[str, str]]:
    one, other = f"{of}-{role.party}", f"{of}-{role.of}"
    if role.role in (RoleKind.DIRECTOR, RoleKind.SENIOR_MANAGER):
        return "Directorship", {"director": one, "organization": other, "role": role.role}
    if role.role in (RoleKind.NOMINEE, RoleKind.ACTS_FOR):
        return "Representation", {"agent": one, "client": other, "role": role.role}
    return "UnknownLink", {"subject": one, "object": other, "role": role.role}


def _ftm(of: str, key: str, schema: str, given: dict[str, str]) -> dict[str, Any]:
    properties = {name: [str(text)] for name, text in given.items() if text}
    return {"id": f"{of}-{key}", "schema": schema, "properties": properties}
