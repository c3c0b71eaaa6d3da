"""Icons for tones, so that meaning does not depend on colour alone."""

from console.core.status_table import Tone

ICONS: dict[Tone, str] = {
    "neutral": "",
    "quiet": "",
    "accent": "circle-dot",
    "ok": "circle-check",
    "warning": "triangle-alert",
    "danger": "octagon-x",
}
