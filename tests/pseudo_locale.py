"""A pseudo-locale that reveals unmarked texts, and shows how pages cope with longer words.

Each marked text is bracketed and grows by 40 %: "Save" becomes "⟦Save xx⟧".
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.utils.translation import trans_real

OPEN, CLOSE = "⟦", "⟧"
# Parts that are not translated: placeholders, tags and entities.
_FIXED = re.compile(r"%\(\w+\)[a-z]|%[sd%]|\{[^{}]*\}|<[^<>]*>|&#?\w+;")
_MARKED = re.compile(f"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}")
_LONGEST_WORD = 9


class PseudoLocale(trans_real.DjangoTranslation):
    """Translate every text into itself, bracketed and longer."""

    def gettext(self, message: str) -> str:
        text = message.rpartition(trans_real.CONTEXT_SEPARATOR)[2]
        return text and _longer(text)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def _longer(text: str) -> str:
    """Return the text in brackets, with 40 % more letters."""
    more = "x" * round(len(_FIXED.sub("", text)) * 0.4)
    words = [more[at : at + _LONGEST_WORD] for at in range(0, len(more), _LONGEST_WORD)]
    return f"{OPEN}{' '.join([text, *words])}{CLOSE}"


@contextmanager
def pseudo_locale() -> Iterator[None]:
    """Use the pseudo-locale in this thread, and in every thread without a chosen language."""
    # Django has no API to add a language without files.
    django: Any = trans_real
    before, chosen = django._default, getattr(django._active, "value", None)
    django._default = django._active.value = PseudoLocale(settings.LANGUAGE_CODE)
    try:
        yield
    finally:
        django._default = before
        django.deactivate()
        if chosen:
            django._active.value = chosen


def unmarked(text: str) -> list[str]:
    """Return the unmarked parts of texts that are separated by "\x1f"."""
    while (inner := _MARKED.sub("\x1f", text)) != text:
        text = inner
    return [part for part in text.split("\x1f") if part.strip()]
