"""Which answers about the signatory's authority allow a pack to be signed."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from onboarding.evidence.authority import BASIS, WRITTEN

QUESTION, TOGETHER = BASIS, "joint_directors"
# The database has the same list.
SIGNS_ALONE = ("sole_director", "director")
# Why nobody can sign, and the fact that makes it possible. Packs of earlier versions lack it.
_OBSTACLES = {
    TOGETHER: (
        "others",
        gettext_noop(
            "The signatory signs only together with another director, and nobody else is named."
        ),
    ),
    WRITTEN: (
        "authority_sha256",
        gettext_noop("The signatory has a written authority, which we have not accepted."),
    ),
}


def obstacle(signatory: Mapping[str, Any]) -> str:
    """Return why nobody can sign a pack with these facts about its signatory, or ""."""
    fact, why = _OBSTACLES.get(signatory.get("basis", ""), ("", ""))
    return _(why) if why and not signatory.get(fact) else ""


def instruction(signatory: Mapping[str, Any]) -> str:
    """Return the obstacle and what our reviewers can do, or ""."""
    why = obstacle(signatory)
    said = _("%(why)s Return the application, so that the business corrects its answers.")
    return said % {"why": why} if why else ""
