"""The structure of who owns, runs and controls a business, as the questionnaire stores it.

The answer `ow_structure_of_owners` is JSON, with percentages as text and never as floats:

    {"parties": [{"id": "p1", "kind": "person", "name": "Dia Moss", "country": "GB",
                  "born": "1980-01-31"},
                 {"id": "p2", "kind": "entity", "name": "X Ltd", "country": "GB", "number": "1"}],
     "holdings": [{"owner": "p1", "owned": "p2", "interest": "shareholding", "share": "30"},
                  {"owner": "p2", "owned": "business", "interest": "shareholding",
                   "share_min": "40", "share_max": "60", "votes": "50"}],
     "roles": [{"party": "p1", "role": "director", "of": "business"}]}

Holdings are direct. A party may also have `market` (listed: the ISO 10383 code of its market) and
`end` (an entity whose owners are not given: why). `votes` is given only if it differs.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Any

ANSWER = "ow_structure_of_owners"
# The id of the business that applies, in `owned` and `of`.
BUSINESS = "business"


class PartyKind(StrEnum):
    """What a party is. An arrangement is a trust, a foundation or similar."""

    PERSON = "person"
    ENTITY = "entity"
    ARRANGEMENT = "arrangement"
    STATE = "state"
    LISTED = "listed"


class End(StrEnum):
    """Why the owners of an entity are not given."""

    WIDELY_HELD = "widely_held"
    UNKNOWN = "unknown"


class Interest(StrEnum):
    """What a holding is, by the Beneficial Ownership Data Standard 0.4."""

    SHAREHOLDING = "shareholding"
    VOTING_RIGHTS = "votingRights"
    APPOINTMENT_OF_BOARD = "appointmentOfBoard"
    OTHER_INFLUENCE_OR_CONTROL = "otherInfluenceOrControl"
    SENIOR_MANAGING_OFFICIAL = "seniorManagingOfficial"
    SETTLOR = "settlor"
    TRUSTEE = "trustee"
    PROTECTOR = "protector"
    BENEFICIARY = "beneficiaryOfLegalArrangement"
    SURPLUS_ASSETS = "rightsToSurplusAssetsOnDissolution"
    PROFIT_OR_INCOME = "rightsToProfitOrIncome"
    GRANTED_BY_CONTRACT = "rightsGrantedByContract"
    CONDITIONAL_BY_CONTRACT = "conditionalRightsGrantedByContract"
    COMPANY_RULES = "controlViaCompanyRulesOrArticles"
    LEGAL_FRAMEWORK = "controlByLegalFramework"
    BOARD_MEMBER = "boardMember"
    BOARD_CHAIR = "boardChair"
    UNKNOWN = "unknownInterest"
    UNPUBLISHED = "unpublishedInterest"
    USE_OF_ASSETS = "enjoymentAndUseOfAssets"
    PROFIT_FROM_ASSETS = "rightToProfitOrIncomeFromAssets"
    NOMINEE = "nominee"
    NOMINATOR = "nominator"


class RoleKind(StrEnum):
    """What a party does for the business or for another party."""

    DIRECTOR = "director"
    SENIOR_MANAGER = "senior_manager"
    SETTLOR = "settlor"
    TRUSTEE = "trustee"
    PROTECTOR = "protector"
    BENEFICIARY = "beneficiary"
    NOMINEE = "nominee"
    NOMINATOR = "nominator"
    ACTS_FOR = "acts_for"


IN_ARRANGEMENTS = frozenset(
    {RoleKind.SETTLOR, RoleKind.TRUSTEE, RoleKind.PROTECTOR, RoleKind.BENEFICIARY}
)
MANAGERS = frozenset({RoleKind.DIRECTOR, RoleKind.SENIOR_MANAGER})
# A holding with one of these interests says the same as the role.
_SAME_AS_ROLE = {
    Interest.SENIOR_MANAGING_OFFICIAL: RoleKind.SENIOR_MANAGER,
    Interest.BOARD_MEMBER: RoleKind.DIRECTOR,
    Interest.BOARD_CHAIR: RoleKind.DIRECTOR,
    Interest.SETTLOR: RoleKind.SETTLOR,
    Interest.TRUSTEE: RoleKind.TRUSTEE,
    Interest.PROTECTOR: RoleKind.PROTECTOR,
    Interest.BENEFICIARY: RoleKind.BENEFICIARY,
    Interest.NOMINEE: RoleKind.NOMINEE,
    Interest.NOMINATOR: RoleKind.NOMINATOR,
}
# Interests that have a share.
SHARED = frozenset(
    {
        Interest.SHAREHOLDING,
        Interest.VOTING_RIGHTS,
        Interest.PROFIT_OR_INCOME,
        Interest.SURPLUS_ASSETS,
    }
)


@dataclass(frozen=True)
class OwnershipParty:
    """A person, an entity, an arrangement, a state or a listed company. Unknown parts are ""."""

    id: str
    kind: PartyKind
    name: str
    country: str = ""
    born: str = ""
    number: str = ""
    market: str = ""
    end: End | None = None

    @property
    def is_person(self) -> bool:
        return self.kind == PartyKind.PERSON


@dataclass(frozen=True)
class Holding:
    """A direct interest of a party in another or in the business.

    `least` and `most` are equal if the share is exact, and parts of 1. Without a share they are 0
    and 1 for an interest that has one, else 0. `votes` is None unless it was given.
    """

    owner: str
    owned: str
    interest: Interest = Interest.SHAREHOLDING
    least: Fraction = Fraction(0)
    most: Fraction = Fraction(0)
    votes: Fraction | None = None

    @property
    def is_exact(self) -> bool:
        return self.least == self.most


@dataclass(frozen=True)
class OwnershipRole:
    """What a party does, and for which party or for the business."""

    party: str
    role: RoleKind
    of: str = BUSINESS


@dataclass(frozen=True)
class Structure:
    """The parties of a business with their holdings and roles. `name` is the business's."""

    parties: tuple[OwnershipParty, ...] = ()
    holdings: tuple[Holding, ...] = ()
    roles: tuple[OwnershipRole, ...] = ()
    name: str = "the business"

    @cached_property
    def by_id(self) -> dict[str, OwnershipParty]:
        return {party.id: party for party in self.parties}

    @cached_property
    def owners_in(self) -> dict[str, tuple[Holding, ...]]:
        """The holdings in each party, by its id."""
        found: dict[str, list[Holding]] = {}
        for holding in self.holdings:
            found.setdefault(holding.owned, []).append(holding)
        return {owned: tuple(holdings) for owned, holdings in found.items()}

    def name_of(self, party: str) -> str:
        return self.name if party == BUSINESS else self.by_id[party].name

    def roles_of(self, party: str) -> list[OwnershipRole]:
        return [role for role in self.roles if role.party == party]

    def with_role(self, of: str, *kinds: RoleKind) -> list[str]:
        """Return the parties that have one of these roles for a party, in order."""
        wanted = [one.party for one in self.roles if one.of == of and one.role in kinds]
        return list(dict.fromkeys(wanted))


def is_given(answers: Mapping[str, Any]) -> bool:
    """Tell whether the questionnaire asked for the structure, and not for people in rows."""
    return answers.get(ANSWER) is not None


def structure_of(answers: Mapping[str, Any]) -> Structure:
    """Return the structure in the answers of any edition of the questionnaire.

    Rows of the first editions become people with direct shares. Holdings and roles of parties that
    do not exist are left out, so that a draft can be read.
    """
    name = str(answers.get("li_legal_name") or Structure.name)
    answer = answers.get(ANSWER)
    if answer is None:
        return _of_rows(answers.get("ow_owners") or (), name)
    parties = tuple(_party(one) for one in answer.get("parties", ()))
    known = {party.id for party in parties} | {BUSINESS}
    holdings, roles = list[Holding](), list[OwnershipRole]()
    for one in answer.get("holdings", ()):
        if one["owner"] == one["owned"] or not {one["owner"], one["owned"]} <= known:
            continue
        if role := _SAME_AS_ROLE.get(interest := Interest(one["interest"])):
            roles.append(OwnershipRole(one["owner"], role, one["owned"]))
        else:
            holdings.append(_holding(one, interest))
    for one in answer.get("roles", ()):
        if {one["party"], of := one.get("of", BUSINESS)} <= known:
            roles.append(OwnershipRole(one["party"], RoleKind(one["role"]), of))
    return Structure(parties, tuple(holdings), tuple(dict.fromkeys(roles)), name)


def percent(text: str) -> Fraction:
    """Return a percentage as a part of 1, exactly: "12.5" is one eighth."""
    return Fraction(text) / 100


def _party(one: Mapping[str, Any]) -> OwnershipParty:
    said = {key: str(one.get(key) or "") for key in ("country", "born", "number", "market")}
    end = End(one["end"]) if one.get("end") else None
    return OwnershipParty(
        one["id"], PartyKind(one["kind"]), str(one.get("name") or ""), end=end, **said
    )


def _holding(one: Mapping[str, Any], interest: Interest) -> Holding:
    exact, votes = one.get("share"), one.get("votes")
    least, most = one.get("share_min") or exact, one.get("share_max") or exact
    unknown = Fraction(interest in SHARED)
    return Holding(
        one["owner"],
        one["owned"],
        interest,
        least=percent(least) if least else Fraction(0),
        most=percent(most) if most else unknown,
        votes=percent(votes) if votes else None,
    )


def _of_rows(rows: Iterable[Mapping[str, Any]], name: str) -> Structure:
    parties, holdings = list[OwnershipParty](), list[Holding]()
    for number, row in enumerate(rows, 1):
        person = OwnershipParty(
            f"p{number}", PartyKind.PERSON, row["name"], row["country"], row["born"]
        )
        share = percent(row["share"])
        parties.append(person)
        holdings.append(Holding(person.id, BUSINESS, least=share, most=share))
    return Structure(tuple(parties), tuple(holdings), name=name)
