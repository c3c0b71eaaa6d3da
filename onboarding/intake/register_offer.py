"""What a register knows about the company in section 1, offered to the applicant as answers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import QueryDict
from django.utils.translation import gettext as _

from console.accounts import throttle
from console.accounts.limits import REGISTER_LOOKUPS_PER_PERSON
from console.accounts.models import User
from console.core.refusals import TooMany
from onboarding import simulation
from onboarding.questionnaire.answer_problems import Typed
from onboarding.questionnaire.edition_schema import Section
from onboarding.reference import countries, register_numbers, towns
from onboarding.registers import lookup, simulated_register
from onboarding.registers.lookup import RegisterAnswer
from onboarding.registers.name_agreement import agrees
from onboarding.registers.records import RegisterDown, RegisterRecord, address_line, dated

# The section with the number, which the register is asked about.
SECTION = "legal_identity"
# Before the names of the form's hidden fields with the register's values.
PREFIX = "register."
# The hidden field with the country and number that were looked up, and their questions.
ASKED_ABOUT = "asked_about"
_KEYS = ("li_country_incorporation", "li_registration_number")


@dataclass(frozen=True)
class OfferedAnswer:
    """One answer as the register states it: `fields` are its form fields. `stated` differs."""

    label: str
    found: str
    fields: Mapping[str, str]
    stated: str = ""


@dataclass(frozen=True)
class RegisterOffer:
    """The company that was found, with the answers to take over, or a message.

    `asked_about` is the country and the number that were entered.
    """

    message: str = ""
    record: RegisterRecord | None = None
    answers: tuple[OfferedAnswer, ...] = ()
    asked_about: str = ""


def is_available() -> bool:
    """Tell whether a register is connected that answers look-ups."""
    return bool(_source())


def look_up(section: Section, typed: Mapping[str, Typed], *, by: User) -> RegisterOffer:
    """Ask the registers about the company whose country and number were entered."""
    country, number, name = (str(typed.get(key, "")).strip() for key in (*_KEYS, "li_legal_name"))
    if not countries.exists(country) or not number:
        return RegisterOffer(_("Enter the country of incorporation and the registration number."))
    try:
        throttle.take("register-lookup", by.public_id, REGISTER_LOOKUPS_PER_PERSON)
        answer = _ask(country, number)
    except TooMany as refused:
        return RegisterOffer(refused.message)
    except RegisterDown:
        return RegisterOffer(
            _("The register did not answer. Enter the details yourself. We check them later.")
        )
    record = _meant(answer, name)
    if record is None:
        return RegisterOffer(_words(answer))
    offered = tuple(_offered(section, record, typed))
    return RegisterOffer("", record, offered, _compact(country, number))


def is_outdated(sent: QueryDict, known: Mapping[str, Any]) -> bool:
    """Tell whether the country or the number changed after the look-up.

    A script sends only what was typed, so the others are among the `known` answers.
    """
    now = _compact(*(str(sent.get(key, known.get(key, ""))) for key in _KEYS))
    return sent.get(ASKED_ABOUT) != now


def _compact(country: str, number: str) -> str:
    return "".join(f"{country}{number}".split())


def with_register(sent: QueryDict, known: Mapping[str, Any]) -> QueryDict:
    """Return the form with the register's values in it, if the applicant chose to use them."""
    if "use" not in sent or is_outdated(sent, known):
        return sent
    taken = sent.copy()
    for name in sent:
        if name.startswith(PREFIX):
            own = name.removeprefix(PREFIX)
            taken.setlist(own, sent.getlist(name))
            taken.appendlist("asked", own.partition(".")[0])  # a script sends only what was typed
    return taken


def _source() -> str:
    """Return the provider of the check that answers look-ups, too, or "" if none does."""
    by_itself = simulated_register.PROVIDER if simulation.is_allowed() else lookup.PROVIDER
    chosen = settings.CHECK_PROVIDERS.get("registry", by_itself)
    return chosen if chosen in (by_itself, lookup.PROVIDER) else ""


def _ask(country: str, typed: str) -> RegisterAnswer:
    number = register_numbers.canonical(country, typed) or typed
    match _source():
        case lookup.PROVIDER:
            return lookup.look_up(country, number)
        case simulated_register.PROVIDER:
            found = simulated_register.find(country, number)
            return RegisterAnswer((found,) if found else (), (simulated_register.NAME,))
    return RegisterAnswer()


def _meant(answer: RegisterAnswer, name: str) -> RegisterRecord | None:
    """Return the only company with this number or, of several, the one with this name."""
    if len(answer.records) == 1:
        return answer.records[0]
    return next((one for one in answer.records if agrees(name, one.name, *one.other_names)), None)


def _words(answer: RegisterAnswer) -> str:
    if answer.records:
        return _("Several companies have this number. Enter the legal name and look it up again.")
    if not answer.asked:
        return _("We cannot ask a register of this country. Enter the details yourself.")
    return _(
        "%(registers)s: no company with this number. Check the number, or enter the details "
        "yourself."
    ) % {"registers": ", ".join(answer.asked)}


def _offered(
    section: Section, record: RegisterRecord, typed: Mapping[str, Typed]
) -> Iterator[OfferedAnswer]:
    texts = {
        "li_legal_name": record.name,
        "li_legal_form": record.legal_form,
        "li_incorporation_date": record.since,
    }
    for question in section.questions:
        key, stated = question.key, typed.get(question.key, "")
        if found := texts.get(key):
            differs = isinstance(stated, str) and stated.strip() not in ("", found)
            shown = dated(str(stated)) if differs else ""
            yield OfferedAnswer(question.label, dated(found), {PREFIX + key: found}, shown)
        elif key == "li_registered_address" and _is_whole(record.address):
            found = address_line(record.address)
            fields = {f"{PREFIX}{key}.{part}": text for part, text in record.address.items()}
            shown = _begun(stated)
            yield OfferedAnswer(question.label, found, fields, shown if shown != found else "")


def _is_whole(address: Mapping[str, str]) -> bool:
    country, city, state = (address.get(part, "") for part in ("country", "city", "state"))
    return bool(country and address.get("line1")) and towns.is_complete(country, city, state)


def _begun(address: Typed) -> str:
    """Return an entered address as one line. A country alone was only suggested."""
    if not isinstance(address, dict) or not any(
        address[part] for part in address.keys() - {"country"}
    ):
        return ""
    return address_line(address)
