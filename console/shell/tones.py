"""The icon that says the same as a tone, without colour."""

from console.core.status_table import Tone

ICONS: dict[Tone, str] = {
    "neutral": "",
    "quiet": "",
    "accent": "circle-dot",
    "ok": "circle-check",
    "warning": "triangle-alert",
    "danger": "octagon-x",
}
