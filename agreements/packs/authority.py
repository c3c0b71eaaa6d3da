"""Why nobody can sign a pack with the authority that its answers state."""

from django.utils.translation import gettext as _

from agreements.models import Pack
from console.core.refusals import Blocker
from onboarding.intake import signing_authority


def blockers(pack: Pack, *, is_told: bool = True) -> list[Blocker]:
    """Return why nobody can sign the pack. `is_told`: the business reads it."""
    basis = pack.revision.signatory["basis"] if pack.revision else ""
    if not (why := signing_authority.obstacle(basis)):
        return []
    told = _(
        "%(why)s Write to us: we return your answers, so that you can name a director who may "
        "sign alone."
    )
    said = told % {"why": why} if is_told else signing_authority.instruction(basis)
    return [Blocker("authority", said)]
