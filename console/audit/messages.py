"""Each audit code as a sentence a person can read."""

from collections.abc import Mapping

OWN = {
    "request.changed_nothing": "{actor} tried {subject}, and nothing changed",
    "audit.head_published": "The end of the log's chain was published as {subject}",
}
_sentences: dict[str, str] = {}


def register(sentences: Mapping[str, str]) -> None:
    """Add a package's sentences. Called from AppConfig.ready(), nowhere else."""
    if twice := _sentences.keys() & sentences.keys():
        raise ValueError(f"Two sentences for {sorted(twice)}.")
    _sentences.update(sentences)


def of(code: str, *, actor: str, subject: str) -> str:
    """Return the sentence of an entry; a code without one is shown as it is."""
    return _sentences.get(code, "{actor}: " + code + " {subject}").format(
        actor=actor, subject=subject
    )


def known() -> frozenset[str]:
    return frozenset(_sentences)
