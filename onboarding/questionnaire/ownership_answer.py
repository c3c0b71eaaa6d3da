"""The answer that says who owns, runs and controls a business, and the form that asks for it.

`onboarding.ownership.structure` describes the stored answer. In a form it is a list of parties
with texts: `name`, `kind`, `country` and so on, `director`, and what a party holds and does by
number: `holds.0.owned`, `holds.0.share`, `acts.0.role`, `acts.0.of`.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal
from itertools import count
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from console.core.text import UnsafeText, clean, without_hidden
from onboarding.ownership.interests import owners_above
from onboarding.ownership.structure import (
    BUSINESS,
    IN_ARRANGEMENTS,
    MANAGERS,
    SHARED,
    End,
    Interest,
    PartyKind,
    RoleKind,
)
from onboarding.questionnaire import text_parsers
from onboarding.questionnaire.answer_problems import AnswerProblem, Context, Unreadable, fault
from onboarding.questionnaire.edition_schema import Option, Question, QuestionKind, Value
from onboarding.reference import countries
from onboarding.restrictions.restricted_list import RestrictionScope, StatedPlace

Cells = Mapping[str, str]
ReadRow = Callable[[Question, int, Any, Context], tuple[dict[str, Value], list[AnswerProblem]]]

MOST_PARTIES = 200
# Parties that own each other. The exact computation of more would take minutes.
MOST_IN_A_LOOP = 25
# Confirms a person's name that looks like an organisation's.
IS_HUMAN = "human"
_ID = re.compile("p[1-9][0-9]{0,3}")
_NUMBERED = re.compile(
    r"(holds|acts)\.([0-9]{1,2})\.(owned|interest|share|votes|role|of)", re.ASCII
)
_RANGE = re.compile(r"\s*(?:[-\u2010-\u2015]|\bto\b)\s*")
_MARKET = re.compile("[A-Z0-9]{4}", re.ASCII)
# Filled in before anybody typed: what a page shows of a party that nobody has begun.
_PRESET = ("id", "kind", "owned", "interest", "role", "of")

KINDS = {
    PartyKind.PERSON: gettext_noop("A person"),
    PartyKind.ENTITY: gettext_noop("A company or other organisation"),
    PartyKind.ARRANGEMENT: gettext_noop("A trust, foundation or similar"),
    PartyKind.LISTED: gettext_noop("A company listed on a stock exchange"),
    PartyKind.STATE: gettext_noop("A state or public authority"),
}
ENDS = {
    End.WIDELY_HELD: gettext_noop("Many owners, each with less than a tenth"),
    End.UNKNOWN: gettext_noop("We do not know who they are"),
}
INTERESTS = {
    Interest.SHAREHOLDING: gettext_noop("Shares"),
    Interest.VOTING_RIGHTS: gettext_noop("Votes without shares"),
    Interest.PROFIT_OR_INCOME: gettext_noop("A right to profit"),
    Interest.SURPLUS_ASSETS: gettext_noop("A right to what is left if it is dissolved"),
    Interest.APPOINTMENT_OF_BOARD: gettext_noop("May appoint or remove most of the board"),
    Interest.COMPANY_RULES: gettext_noop("Controls it by its articles or rules"),
    Interest.GRANTED_BY_CONTRACT: gettext_noop("Controls it by a contract"),
    Interest.OTHER_INFLUENCE_OR_CONTROL: gettext_noop("Controls it in another way"),
}
ROLES = {
    RoleKind.SETTLOR: gettext_noop("Settlor or founder"),
    RoleKind.TRUSTEE: gettext_noop("Trustee or board member"),
    RoleKind.PROTECTOR: gettext_noop("Protector"),
    RoleKind.BENEFICIARY: gettext_noop("Beneficiary"),
    RoleKind.NOMINEE: gettext_noop("Nominee: holds or acts for somebody else"),
    RoleKind.NOMINATOR: gettext_noop("Nominator: somebody else holds for them"),
    RoleKind.ACTS_FOR: gettext_noop("Acts for them, for example with a power of attorney"),
}
TICKS = {
    RoleKind.DIRECTOR: gettext_noop("Director"),
    RoleKind.SENIOR_MANAGER: gettext_noop("Senior manager"),
}
# What is owned, and so has owners.
OWNED = (PartyKind.ENTITY, PartyKind.ARRANGEMENT, PartyKind.LISTED)


def _options(names: Mapping[Any, str]) -> tuple[Option, ...]:
    return tuple(Option(str(key), words) for key, words in names.items())


NAME = Question("name", gettext_noop("Name"), QuestionKind.TEXT, at_most=200, pii=True)
KIND = Question(
    "kind", gettext_noop("Who or what this is"), QuestionKind.CHOICE, options=_options(KINDS)
)
COUNTRY = Question(
    "country", gettext_noop("Country where they live or are registered"), QuestionKind.COUNTRY
)
BORN = Question(
    *("born", gettext_noop("Date of birth"), QuestionKind.DATE),
    at_least="1900-01-01", at_most="today", pii=True,
)  # fmt: skip
NUMBER = Question(
    *("number", gettext_noop("Registration number, if there is one"), QuestionKind.TEXT),
    required=False, at_most=60,
)  # fmt: skip
MARKET = Question(
    *("market", gettext_noop("Code of the market"), QuestionKind.TEXT),
    help=gettext_noop("Four letters, such as XLON for London"), at_most=4,
)  # fmt: skip
END = Question(
    *("end", gettext_noop("If you cannot name its owners, why?"), QuestionKind.CHOICE),
    required=False, options=_options(ENDS),
)  # fmt: skip
# What is asked of each kind of party, in the order of the page.
PARTS = {
    PartyKind.PERSON: (NAME, COUNTRY, BORN),
    PartyKind.ENTITY: (NAME, COUNTRY, NUMBER, END),
    PartyKind.ARRANGEMENT: (NAME, COUNTRY),
    PartyKind.LISTED: (NAME, COUNTRY, MARKET, NUMBER),
    PartyKind.STATE: (NAME, COUNTRY),
}


def is_begun(cells: Any) -> bool:
    """Tell whether somebody typed anything about a party, besides what the page had filled in."""
    return isinstance(cells, dict) and any(
        str(text).strip() for key, text in cells.items() if key.rpartition(".")[2] not in _PRESET
    )


def people(typed: Any) -> Iterator[tuple[int, str]]:
    """Yield the number and name of each person in a form who is not confirmed to be one."""
    for number, cells in enumerate(typed if isinstance(typed, list) else ()):
        kind = cells.get("kind") or PartyKind.PERSON if is_begun(cells) else ""
        if kind == PartyKind.PERSON and not cells.get(IS_HUMAN):
            yield number, str(cells.get("name", ""))


def numbered(cells: Cells, group: str) -> dict[int, dict[str, str]]:
    """Return what a party holds (`holds`) or does (`acts`), by its number in the form."""
    found: dict[int, dict[str, str]] = {}
    for key, text in cells.items():
        if (of := _NUMBERED.fullmatch(key)) and of[1] == group:
            found.setdefault(int(of[2]), {})[of[3]] = str(text).strip()
    return dict(sorted(found.items()))


def is_holding(cells: Cells) -> bool:
    """Tell whether a holding says anything, besides what the page had filled in."""
    is_other = interest_of(cells) != Interest.SHAREHOLDING
    return bool(cells.get("share") or cells.get("votes") or is_other)


def interest_of(cells: Cells) -> str:
    """Return what a holding in a form is: shares, unless somebody chose something else."""
    return cells.get("interest") or str(Interest.SHAREHOLDING)


def ids_of(rows: list[Any]) -> list[str]:
    """Return the id of each party of a form: what it has, or a new one."""
    given = [str(cells.get("id", "")) if isinstance(cells, dict) else "" for cells in rows]
    taken = {one for one in given if _ID.fullmatch(one)}
    fresh = (one for number in count(1) if (one := f"p{number}") not in taken)
    used, found = set[str](), list[str]()
    for one in given:
        found.append(one if one in taken - used else next(fresh))
        used.add(found[-1])
    return found


def read(question: Question, typed: Any, context: Context, read_row: ReadRow) -> Value:
    """Return the stored form of the parties in a form, or None if there are none."""
    if not isinstance(typed, list):
        raise fault(question, _("Add the owners."))
    ids = ids_of(typed)
    begun = [(number, cells) for number, cells in enumerate(typed) if is_begun(cells)]
    if len(begun) > MOST_PARTIES:
        words = _("Add %(most)s people and organisations or fewer.")
        raise fault(question, words, most=MOST_PARTIES)
    parties, holdings, roles = list[Value](), list[dict[str, Any]](), list[Value]()
    kinds = {ids[number]: str(cells.get("kind", "")) for number, cells in begun}
    where: dict[int, str] = {}
    problems: list[AnswerProblem] = []
    for number, cells in begun:
        party, faults = _party(question, number, cells, context, read_row)
        parties.append({"id": ids[number], **party})
        problems += faults
        reading = _Reading(question, number, ids[number], str(party.get("name", "")), kinds)
        for place, holding in reading.holdings(cells, context):
            where[len(holdings)] = place
            holdings.append(holding)
        roles += reading.roles(cells)
        problems += reading.problems
    problems += [*_more_than_all(holdings, where), *_large_loop(question, holdings)]
    if problems:
        raise Unreadable(*problems)
    stored: dict[str, Value] = {"parties": parties, "holdings": list(holdings), "roles": roles}
    return stored if parties else None


def _party(
    question: Question, number: int, cells: Cells, context: Context, read_row: ReadRow
) -> tuple[dict[str, Value], list[AnswerProblem]]:
    kind = str(cells.get("kind", "")).strip() or PartyKind.PERSON
    if kind not in KINDS:
        path = f"{question.key}.{number}.kind"
        return {}, [AnswerProblem(path, _("Choose from the answers in the list."))]
    asked = Question(question.key, "", QuestionKind.ROWS, columns=PARTS[PartyKind(kind)])
    row, problems = read_row(asked, number, cells, context)
    market = str(row.get("market", "")).upper()
    if market and not _MARKET.fullmatch(market):
        words = _("Enter the four letters of the market, like XLON.")
        problems.append(AnswerProblem(f"{question.key}.{number}.market", words))
    row |= {"market": market} if market else {}
    if kind == PartyKind.PERSON and cells.get(IS_HUMAN):
        row[IS_HUMAN] = True
    return {"kind": str(kind), **row}, problems


class _Reading:
    """What one party holds and does, with the `problems` found."""

    def __init__(
        self, question: Question, number: int, party: str, name: str, kinds: Mapping[str, str]
    ) -> None:
        self.question, self.party, self.name, self.kinds = question, party, name, kinds
        self.path = f"{question.key}.{number}"
        self.problems: list[AnswerProblem] = []

    def holdings(self, cells: Cells, context: Context) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield each holding with the path of its share."""
        for number, one in numbered(cells, "holds").items():
            if is_holding(one):
                at = f"{self.path}.holds.{number}"
                holding = {"owner": self.party} | self._holding(at, one, context)
                yield f"{at}.share", holding

    def _holding(self, at: str, one: Cells, context: Context) -> dict[str, Any]:
        owned, interest = one.get("owned", ""), interest_of(one)
        if owned == self.party:
            self._wrong(f"{at}.owned", _("%(name)s cannot own itself."))
        elif owned != BUSINESS and self.kinds.get(owned) not in OWNED:
            self._wrong(f"{at}.owned", _("Choose what %(name)s owns."))
        if interest not in INTERESTS:
            self._wrong(f"{at}.interest", _("Choose from the answers in the list."))
            return {}
        found: dict[str, Any] = {"owned": owned, "interest": str(interest)}
        if text := one.get("share", ""):
            found |= self._share(f"{at}.share", text, context)
        elif interest in SHARED:
            self._wrong(f"{at}.share", _("Enter the share in %%, like 60 or 20-30."))
        if text := one.get("votes", ""):
            votes = self._percent(f"{at}.votes", text, context)
            found |= {"votes": votes} if votes not in ("", found.get("share")) else {}
        return found

    def _share(self, at: str, text: str, context: Context) -> dict[str, str]:
        parts = _RANGE.split(without_hidden(text).strip())
        if len(parts) > 2:
            self._wrong(at, _("Enter the share in %%, like 60 or 20-30."))
            return {}
        found = [self._percent(at, part, context) for part in parts]
        if "" in found:
            return {}
        least, most = found[0], found[-1]
        if Decimal(most) == 0:
            self._wrong(at, _("Enter more than zero."))
        if Decimal(least) > Decimal(most):
            self._wrong(at, _("Enter the smaller share first, like 20-30."))
        return {"share": most} if least == most else {"share_min": least, "share_max": most}

    def _percent(self, at: str, text: str, context: Context) -> str:
        """Return a percentage in our format, or "" after noting what is wrong with it."""
        asked = Question("share", "", QuestionKind.PERCENT)
        try:
            plain = clean(without_hidden(text)).strip()
            return str(text_parsers.READERS[asked.kind](asked, plain, context))
        except UnsafeText as unsafe:
            self.problems.append(AnswerProblem(at, str(unsafe)))
        except Unreadable as no:
            self.problems += [AnswerProblem(at, problem.message) for problem in no.problems]
        return ""

    def roles(self, cells: Cells) -> Iterator[Value]:
        for ticked in TICKS:
            if str(cells.get(ticked, "")).strip():
                yield {"party": self.party, "role": str(ticked), "of": BUSINESS}
        for number, one in numbered(cells, "acts").items():
            role, of, at = one.get("role", ""), one.get("of", ""), f"{self.path}.acts.{number}"
            if not role:
                continue
            if role not in ROLES:
                self._wrong(f"{at}.role", _("Choose from the answers in the list."))
            elif of == self.party or (of != BUSINESS and of not in self.kinds):
                self._wrong(f"{at}.of", _("Choose for whom."))
            elif role in IN_ARRANGEMENTS and self.kinds.get(of) != PartyKind.ARRANGEMENT:
                self._wrong(f"{at}.of", _("Choose the trust or foundation."))
            yield {"party": self.party, "role": role, "of": of}

    def _wrong(self, at: str, words: str) -> None:
        name = self.name or _("This owner")
        self.problems.append(AnswerProblem(at, words % {"name": name}))


def _more_than_all(
    holdings: list[dict[str, Any]], where: Mapping[int, str]
) -> Iterator[AnswerProblem]:
    """Yield a problem for each party of which more than 100 % is owned, at the last share."""
    sums: dict[tuple[str, str], Decimal] = defaultdict(Decimal)
    last: dict[tuple[str, str], str] = {}
    for number, one in enumerate(holdings):
        if one.get("interest") in SHARED and (least := one.get("share") or one.get("share_min")):
            of = (one["owned"], one["interest"])
            sums[of] += Decimal(least)
            last[of] = where[number]
    for of, total in sums.items():
        if total > 100:
            words = _("The shares add up to %(total)s %%, which is more than 100 %%. Check them.")
            yield AnswerProblem(last[of], words % {"total": total.normalize().to_eng_string()})


def _large_loop(question: Question, holdings: list[dict[str, Any]]) -> Iterator[AnswerProblem]:
    """Yield a problem if a loop has too many parties. Each of them is above itself."""
    owners: dict[str, set[str]] = defaultdict(set)
    for one in holdings:
        owners[one.get("owned", "")].add(one["owner"])
    loops = Counter(above for one, above in owners_above(owners).items() if one in above)
    if max(loops.values(), default=0) > MOST_IN_A_LOOP:
        words = _("More than %(most)s of these own each other in a loop. Please contact us.")
        yield AnswerProblem(question.key, words % {"most": MOST_IN_A_LOOP})


def shown(value: Any) -> list[dict[str, str]]:
    """Return a stored answer as its form has it."""
    found: dict[str, dict[str, str]] = {}
    for party in (value or {}).get("parties", ()):
        cells = {key: str(text) for key, text in party.items() if key != IS_HUMAN}
        found[party["id"]] = cells | ({IS_HUMAN: "yes"} if party.get(IS_HUMAN) else {})
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for one in (value or {}).get("holdings", ()):
        at = f"holds.{_next(counts, 'holds', one['owner'])}"
        cells = {"owned": one["owned"], "interest": one["interest"], "share": share_of(one)}
        cells |= {"votes": one["votes"]} if "votes" in one else {}
        found[one["owner"]] |= {f"{at}.{key}": text for key, text in cells.items() if text}
    for one in (value or {}).get("roles", ()):
        if one["role"] in MANAGERS:
            found[one["party"]][one["role"]] = "yes"
        else:
            at = f"acts.{_next(counts, 'acts', one['party'])}"
            found[one["party"]] |= {f"{at}.role": one["role"], f"{at}.of": one["of"]}
    return list(found.values())


def _next(counts: dict[tuple[str, str], int], group: str, party: str) -> int:
    counts[group, party] += 1
    return counts[group, party] - 1


def share_of(holding: Mapping[str, str]) -> str:
    """Return the share of a holding as it is typed: 60, 20-30, or nothing."""
    if "share_min" in holding:
        return f"{holding['share_min']}-{holding['share_max']}"
    return holding.get("share", "")


def plain(typed: Any, one_line: Callable[[Any], str]) -> list[dict[str, str]]:
    """Return what a form says of each party, without what its page fills in, to compare forms."""
    found: list[dict[str, str]] = []
    for cells in typed if isinstance(typed, list) else ():
        if not is_begun(cells):
            continue
        lines = {key: one_line(text) for key, text in cells.items() if key in _CELLS}
        lines["kind"] = lines.get("kind") or str(PartyKind.PERSON)
        for group, says in (("holds", is_holding), ("acts", lambda one: bool(one.get("role")))):
            told = [one for one in numbered(cells, group).values() if says(one)]
            if group == "holds":
                told = [one | {"interest": interest_of(one)} for one in told]
            for number, one in enumerate(told):
                lines |= {f"{group}.{number}.{key}": one_line(text) for key, text in one.items()}
        found.append({key: text for key, text in lines.items() if text})
    return found


_CELLS = frozenset(
    {"id", IS_HUMAN, *TICKS, "kind", *(p.key for one in PARTS.values() for p in one)}
)


def displayed(typed: Any, show: Callable[[Question, Any], Any]) -> Any:
    """Return a form as a browser shows it: lists and dates are empty where they are not valid."""
    if not isinstance(typed, list):
        return typed
    rows = [cells for cells in typed if isinstance(cells, dict)]
    ids = ids_of(rows)
    pairs = zip(ids, rows, strict=True)
    return [_displayed({**cells, "id": one}, ids, show) for one, cells in pairs]


def _displayed(
    cells: Cells, ids: Iterable[str], show: Callable[[Question, Any], Any]
) -> dict[str, str]:
    found = dict(cells)
    for part in (COUNTRY, BORN):
        found[part.key] = show(part, cells.get(part.key, ""))
    for key, text in cells.items():
        match key.rpartition(".")[2]:
            case "kind":
                found[key] = text if text in KINDS else ""
            case "end":
                found[key] = text if text in ENDS else ""
            case "interest":
                found[key] = text if text in INTERESTS else ""
            case "role":
                found[key] = text if text in ROLES else ""
            case "owned" | "of":
                found[key] = text if text in (BUSINESS, *ids) else ""
    return found


def unfinished(question: Question, value: Any) -> Iterator[AnswerProblem]:
    """Yield what is still to be added: owners, the people of a trust, a director.

    What must be added for a party has the path of one of its fields.
    """
    owned = {one["owned"] for one in value["holdings"]}
    roles = {(one["role"], one["of"]) for one in value["roles"]}
    busy = {one["owner"] for one in value["holdings"]} | {one["party"] for one in value["roles"]}
    if BUSINESS not in owned:
        yield _missing(question.key, _("Add who owns the business directly."))
    for number, party in enumerate(value["parties"]):
        at, name = f"{question.key}.{number}", {"name": party["name"]}
        for words in _unfinished_party(party, owned, roles):
            yield _missing(f"{at}.name", words % name)
        if party["id"] not in busy:
            words = _("Say what share %(name)s owns, or what they do.")
            yield _missing(f"{at}.holds.0.share", words % name)
    if (RoleKind.DIRECTOR, BUSINESS) not in roles:
        yield _missing(question.key, _("Tick who is a director of the business."))


def _missing(path: str, words: str) -> AnswerProblem:
    return AnswerProblem(path, words, "missing")


def _unfinished_party(
    party: Mapping[str, Any], owned: set[str], roles: set[tuple[str, str]]
) -> Iterator[str]:
    """Yield who is missing behind a party, with a place for its name."""
    if party["kind"] == PartyKind.ENTITY and party["id"] not in owned and "end" not in party:
        yield _("Add who owns %(name)s, or say why you cannot name its owners.")
    if party["kind"] == PartyKind.ARRANGEMENT:
        if (RoleKind.SETTLOR, party["id"]) not in roles:
            yield _("Add the settlor or founder of %(name)s.")
        if (RoleKind.TRUSTEE, party["id"]) not in roles:
            yield _("Add a trustee or board member of %(name)s.")


def lines(value: Any) -> list[str]:
    """Return one line for each party: who it is, what it owns, and what it does."""
    names = {BUSINESS: _("the business")} | {p["id"]: p["name"] for p in value["parties"]}
    told: dict[str, list[str]] = {p["id"]: [", ".join(_who(p))] for p in value["parties"]}
    for holding in value["holdings"]:
        told[holding["owner"]].append(_holding_line(holding, names))
    for role in value["roles"]:
        told[role["party"]].append(_role_line(role, names))
    return ["; ".join(words) for words in told.values()]


def _who(party: Mapping[str, str]) -> Iterator[str]:
    yield party["name"]
    if party["kind"] != PartyKind.PERSON:
        yield _(KINDS[PartyKind(party["kind"])]).lower()
    yield countries.name(party["country"])
    if born := party.get("born"):
        yield _("born %(day)s") % {"day": f"{date.fromisoformat(born):%-d %b %Y}"}
    if number := party.get("number"):
        yield _("number %(number)s") % {"number": number}
    if market := party.get("market"):
        yield _("market %(market)s") % {"market": market}
    if end := party.get("end"):
        yield _("owners not named: %(why)s") % {"why": _(ENDS[End(end)]).lower()}


def _holding_line(one: Mapping[str, str], names: Mapping[str, str]) -> str:
    share = share_of(one)
    said = {"share": share.replace("-", "–"), "of": names[one["owned"]]}
    words = _("owns %(share)s %% of %(of)s") if share else _("holds an interest in %(of)s")
    extra = []
    if one["interest"] != Interest.SHAREHOLDING:
        extra.append(_(INTERESTS[Interest(one["interest"])]).lower())
    if "votes" in one:
        extra.append(_("%(votes)s %% of the votes") % {"votes": one["votes"]})
    return words % said + (f" ({', '.join(extra)})" if extra else "")


def _role_line(one: Mapping[str, str], names: Mapping[str, str]) -> str:
    role = _({**TICKS, **ROLES}[RoleKind(one["role"])]).partition(":")[0].lower()
    return _("%(role)s of %(of)s") % {"role": role, "of": names[one["of"]]}


def places(question: Question, value: Any) -> Iterator[StatedPlace]:
    """Yield the countries of the parties of a form or a stored answer."""
    rows = value.get("parties", ()) if isinstance(value, dict) else value
    for number, cells in enumerate(rows if isinstance(rows, list) else ()):
        if isinstance(cells, dict) and (code := str(cells.get("country", "")).strip()):
            is_person = (cells.get("kind") or PartyKind.PERSON) == PartyKind.PERSON
            scope = RestrictionScope.RESIDENCE if is_person else RestrictionScope.INCORPORATION
            yield StatedPlace(code, scope, path=f"{question.key}.{number}.country")
