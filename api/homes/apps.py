"""App config: the home pages of businesses and staff in the navigation."""

from django.apps import AppConfig
from django.utils.translation import gettext_noop as _


class HomesConfig(AppConfig):
    """Home pages."""

    name = "api.homes"
    label = "homes"

    def ready(self) -> None:
        from console.core import pages_above
        from console.shell import modules
        from console.shell.navigation import YOUR_WORK

        pages_above.register(business_home="api:home", staff_home="api:staff_home")
        modules.register(
            modules.ConsoleModule(
                key="home",
                name=_("Home"),
                route="api:home",
                icon="house",
                group=_("Business"),
                permission="business_view",
                order=10,
                key_hint="g h",
            ),
            modules.ConsoleModule(
                key="staff_home",
                name=_("Home"),
                route="api:staff_home",
                icon="house",
                group=YOUR_WORK,
                audience="staff",
                order=1,
                key_hint="g h",
            ),
        )
