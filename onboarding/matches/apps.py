"""App config: audit messages about possible matches."""

from django.apps import AppConfig
from django.utils.translation import gettext_noop as _


class MatchesConfig(AppConfig):
    """Possible matches with list entries."""

    name = "onboarding.matches"
    label = "matches"

    def ready(self) -> None:
        from console.audit import messages

        sentences = {
            "possible_match.judged": _("{actor} judged a possible match, {subject}"),
            "possible_match.proposed": _("{actor} proposed to confirm a match, {subject}"),
            "possible_match.confirmed": _("{actor} confirmed a match, {subject}"),
            "possible_match.refused": _("{actor} did not confirm a match, {subject}"),
        }
        messages.register(sentences, confidential=sentences)
