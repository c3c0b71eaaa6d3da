"""Which answers about the signatory's authority allow a pack to be signed.

One person signs a pack, and we have no check of a written authority.
"""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

QUESTION = "ow_signatory_basis"
# The database has the same list.
SIGNS_ALONE = ("sole_director", "director")
_OBSTACLES = {
    "joint_directors": gettext_noop(
        "The signatory signs only together with another director, but one person signs a pack."
    ),
    "authority_document": gettext_noop(
        "The signatory has a written authority, which we cannot accept yet."
    ),
}


def obstacle(basis: str) -> str:
    """Return why nobody can sign a pack with this basis, or ""."""
    return _(_OBSTACLES[basis]) if basis in _OBSTACLES else ""


def instruction(basis: str) -> str:
    """Return the obstacle and what our reviewers can do, or ""."""
    why = obstacle(basis)
    said = _("%(why)s Return the application, and ask for a director who may sign alone.")
    return said % {"why": why} if why else ""


def advice(basis: object) -> str:
    """Return the obstacle and what to answer instead, for a page with the question, or ""."""
    why = obstacle(str(basis))
    return _("%(why)s Name a director who may sign alone.") % {"why": why} if why else ""
