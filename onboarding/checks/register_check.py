"""The check of a company's legal identity against public registers."""

import re
from collections.abc import Iterator

from onboarding.checks import register_people
from onboarding.checks.providers import CheckResult, Inquiry, ProviderDown
from onboarding.lifecycle import CheckStatus
from onboarding.models.check import CheckKind
from onboarding.registers import lookup
from onboarding.registers.lookup import RegisterAnswer
from onboarding.registers.name_agreement import agrees
from onboarding.registers.records import RegisterDown, RegisterRecord
from onboarding.restrictions.spelling import normalised


class Registers:
    """Companies House, GLEIF and VIES. Nothing passes without an entry that agrees."""

    name = lookup.PROVIDER
    simulated = False

    def look(self, inquiry: Inquiry) -> CheckResult:
        asked = (inquiry.country, inquiry.number, inquiry.name)
        try:
            if inquiry.kind == CheckKind.OWNERS:
                return register_people.result(lookup.people(*asked))
            answer = lookup.look_up(*asked)
        except RegisterDown:
            raise ProviderDown("The register did not answer.") from None
        if not answer.records:
            return _not_found(answer)
        record = min(answer.records, key=lambda one: len(list(_differences(inquiry, one))))
        differs = [*_differences(inquiry, record), *record.doubts]
        if len(answer.records) > 1 and differs:
            differs.append(f"The register has {len(answer.records)} entries that may be meant.")
        status = CheckStatus.NEEDS_REVIEW if differs else CheckStatus.PASSED
        says = " ".join(differs) or f"{record.register} lists this company under these details."
        return CheckResult(status, says, record.evidence(), reference=record.record)


def _not_found(answer: RegisterAnswer) -> CheckResult:
    if answer.is_complete:
        says = f"{answer.asked[0]} lists no company with this number."
        return CheckResult(CheckStatus.FAILED, says, {"register": answer.asked[0]})
    if not answer.asked:
        says = "No register of this country is connected. A reviewer must decide on the evidence."
        return CheckResult(CheckStatus.NEEDS_REVIEW, says)
    asked = " and ".join(answer.asked)
    says = f"Not found in {asked}, which do not list every company. A reviewer must decide."
    return CheckResult(CheckStatus.NEEDS_REVIEW, says, {"register": asked})


def _differences(inquiry: Inquiry, record: RegisterRecord) -> Iterator[str]:
    if not record.name:
        yield "The register does not state the name."
    elif not agrees(inquiry.name, record.name, *record.other_names):
        yield f"The register states the name “{record.name}”."
    if record.country != inquiry.country:
        yield "The register states another country."
    if _plain(inquiry.number) not in map(_plain, (record.number, record.record)):
        stated = f"the number {record.number}" if record.number else "no number"
        yield f"The register states {stated}."


def _plain(number: str) -> str:
    """Return a number without punctuation, and without zeros before it or after its prefix."""
    plain = "".join(c for c in normalised(number) if c.isalnum())
    return re.sub(r"^([^\W\d_]*)0+", r"\1", plain)
