"""Registry of readable messages for audit codes."""

from collections.abc import Collection, Mapping

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from console.core.text import isolated

OWN = {
    "request.changed_nothing": _("{actor} tried to change {subject}, and nothing changed"),
    "audit.head_published": _("The head of the log was published as {subject}"),
    "audit.restored": _("{actor} recorded the restore {subject} of the database"),
}
_sentences: dict[str, str] = {}
_confidential: set[str] = set()
# The detail that entries of a run have in common, by code.
_runs: dict[str, str] = {}


def register(
    sentences: Mapping[str, str],
    *,
    confidential: Collection[str] = (),
    runs: Mapping[str, str] | None = None,
) -> None:
    """Register a package's messages. Called from AppConfig.ready(), nowhere else.

    `confidential` are the codes whose reason compliance writes, and only compliance may read.
    `runs` are codes of which pages show entries made one after the other as one row, each with the
    detail that they have in common, beside their actor and subject.
    """
    if twice := _sentences.keys() & sentences.keys():
        raise ValueError(f"Two sentences for {sorted(twice)}.")
    if unknown := set(confidential) - sentences.keys():
        raise ValueError(f"No sentences for {sorted(unknown)}.")
    _sentences.update(sentences)
    _confidential.update(confidential)
    _runs.update(runs or {})


def run_of(code: str) -> str:
    """Return the detail that entries of a run have in common, or "" if they make no runs."""
    return _runs.get(code, "")


def sentence(code: str, *, actor: str, subject: str) -> str:
    """Return an entry's message; a code without one is shown as it is."""
    words = _sentences.get(code, "{actor}: " + code + " {subject}")
    return gettext(words).format(actor=isolated(actor), subject=isolated(subject))


def known() -> frozenset[str]:
    return frozenset(_sentences)


def confidential() -> frozenset[str]:
    """Return the codes whose reason only compliance may read."""
    return frozenset(_confidential)
