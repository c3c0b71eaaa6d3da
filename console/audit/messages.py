"""Registry of readable messages for audit codes."""

from collections.abc import Mapping

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

OWN = {
    "request.changed_nothing": _("{actor} tried to change {subject}, and nothing changed"),
    "audit.head_published": _("The head of the log was published as {subject}"),
    "audit.restored": _("{actor} recorded the restore {subject} of the database"),
}
_sentences: dict[str, str] = {}


def register(sentences: Mapping[str, str]) -> None:
    """Register a package's messages. Called from AppConfig.ready(), nowhere else."""
    if twice := _sentences.keys() & sentences.keys():
        raise ValueError(f"Two sentences for {sorted(twice)}.")
    _sentences.update(sentences)


def sentence(code: str, *, actor: str, subject: str) -> str:
    """Return an entry's message; a code without one is shown as it is."""
    words = _sentences.get(code, "{actor}: " + code + " {subject}")
    return gettext(words).format(actor=actor, subject=subject)


def known() -> frozenset[str]:
    return frozenset(_sentences)
