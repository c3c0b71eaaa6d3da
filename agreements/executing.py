"""Seal a countersigned pack: steps 2 to 5 of 4.6-g, safe against being killed at any line."""

from agreements.models import Pack
from console.events.models import Event


def on_countersigning(event: Event) -> None:
    """Seal the pack that was countersigned."""
    seal(Pack.objects.get(public_id=event.subject_id))


def seal(pack: Pack) -> None:
    """Seal every paper, the manifest and the certificate, then execute the pack."""
