"""What others read instead of a text that compliance wrote."""

from django.utils.translation import gettext_lazy as _

NEUTRAL = _("Decision of compliance.")


def read(written: str, *, all_reasons: bool) -> str:
    """Return the text if the reader may read it, and otherwise that compliance decided."""
    return written if all_reasons or not written else str(NEUTRAL)
