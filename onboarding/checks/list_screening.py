"""Screening against the imported sanctions lists, our own provider of the screening check."""

from django.utils.translation import gettext as _

from onboarding.checks.providers import CheckResult, Inquiry, ListsMissing, ProviderDown
from onboarding.lifecycle import CheckStatus
from onboarding.matches import recording
from onboarding.screening import lists, search
from onboarding.screening.names import KEYS_VERSION
from onboarding.screening.scoring import ScorerDown
from onboarding.screening.search import ORGANISATION, PERSON, Party


def party_of(inquiry: Inquiry) -> Party:
    """Return who is screened."""
    return Party(
        kind=PERSON if inquiry.is_person else ORGANISATION,
        name=inquiry.name,
        business=inquiry.business_name,
        country=inquiry.country,
        born=inquiry.born,
        number=inquiry.number,
    )


def compared_by(model: str) -> dict[str, str]:
    """Return how names are compared now, as the evidence of a result says it."""
    return {"model": model, "keys": str(KEYS_VERSION)}


class ListScreening:
    """Screens with the imported lists. Nothing passes without every list that should be there."""

    name = "lists"
    simulated = False

    def look(self, inquiry: Inquiry) -> CheckResult:
        if problem := lists.unusable():
            raise ListsMissing(problem)
        party = party_of(inquiry)
        try:
            screened = search.screen(party)
        except ScorerDown as down:
            raise ProviderDown(_("The names could not be compared.")) from down
        found = recording.record(party, screened)
        open_ = [one for one in found if not one.is_cleared]
        how = compared_by(screened.model)
        if not open_:
            evidence = {"lists": _lists(), **how}
            return CheckResult(CheckStatus.PASSED, _says_passed(len(found)), evidence)
        matches = " ".join(one.public_id for one in found)
        says = "Possible match: the name resembles an entry of a list. Compare the other details."
        # Without the versions of the lists, so that a decision stays valid while the match is the
        # same.
        return CheckResult(CheckStatus.NEEDS_REVIEW, says, {"matches": matches, **how})


def _says_passed(cleared: int) -> str:
    if not cleared:
        return "No entry matches."
    return "No entry matches, apart from entries that reviewers judged not to be the same."


def _lists() -> str:
    return "; ".join(
        f"{one.version}, {one.version.sha256[:12]}" for one in lists.lists_state() if one.version
    )
