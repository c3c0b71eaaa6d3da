"""Mark texts for translation in modules that know no framework."""


def gettext_noop(text: str) -> str:
    """Return the text as it is. `makemessages` finds the call, and a page translates the text."""
    return text
