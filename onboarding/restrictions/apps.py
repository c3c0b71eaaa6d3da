"""App config: the restricted list as a kind of publication, and its page."""

from django.apps import AppConfig
from django.utils.translation import gettext_noop as _


class RestrictionsConfig(AppConfig):
    """Connects the restricted list to the console."""

    name = "onboarding.restrictions"
    label = "restrictions"

    def ready(self) -> None:
        from console.audit import messages
        from console.publishing import published_kinds
        from console.shell import modules
        from onboarding.restrictions.list_versions import KIND

        entered = "restriction.entered"
        messages.register(
            {entered: _("{actor} entered a change of the restricted list, {subject}")},
            confidential=[entered],
        )
        published_kinds.register(KIND)
        modules.register(
            modules.ConsoleModule(
                key="restrictions",
                name=_("Restricted countries"),
                route="restrictions:entries",
                icon="map-pin-off",
                group=_("Governance"),
                audience="staff",
                permission="review_view",
                order=86,
                key_hint="g x",
                work_of=("restriction_change",),
            )
        )
