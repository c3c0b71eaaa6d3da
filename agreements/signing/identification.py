"""How a signatory was identified, for the file of their signature."""

from agreements.models import Pack
from onboarding.checks import required_checks
from onboarding.models import Check
from onboarding.models.check import CheckKind


def of_signatory(pack: Pack, place: int) -> list[dict[str, str]]:
    """Return the settled checks of a signatory's identity, each with its provider's reference."""
    application = pack.application
    rows = Check.objects.filter(
        application=application,
        submission=application.submission,
        kind=CheckKind.SIGNATORY,
        subject=required_checks.subject_of_signatory(place),
    )
    return [
        {
            "check": one.public_id,
            "name": one.subject_name,
            "outcome": str(one.status),
            "provider": one.provider,
            "reference": one.reference,
            "simulated": "yes" if one.simulated else "no",
        }
        for one in rows.in_order()
    ]
