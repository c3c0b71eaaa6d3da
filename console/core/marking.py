"""Mark texts for translation in modules that must not import Django."""


def gettext_noop(text: str) -> str:
    """Return the text unchanged. `makemessages` finds the call, and pages translate the text."""
    return text
