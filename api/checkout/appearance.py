"""What payers see of a business."""

from dataclasses import dataclass

from api.checkout import checkout_settings
from console.accounts.models import Business
from onboarding import application_facts


@dataclass(frozen=True)
class Appearance:
    """A business's name, its initials, and the path of its logo on the checkout host, or ""."""

    name: str
    initials: str
    logo_path: str


def of_business(business: Business) -> Appearance:
    """Return what payers see: the verified legal name, and the logo or else the initials."""
    name = application_facts.legal_name(business)
    words = [word for word in name.split() if word[:1].isalnum()]
    sha256 = checkout_settings.of(business).logo
    logo_path = f"/logo/{sha256}.png" if sha256 else ""
    return Appearance(name, "".join(word[0] for word in words[:2]).upper(), logo_path)
