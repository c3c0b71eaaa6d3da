"""What stands between fresh tables and the first page: seal keys, static files, the demo world."""

import django
from django.conf import settings
from django.core.management import call_command, get_commands


def main() -> None:
    """Do all of it in one process; each step finds what is done already."""
    django.setup()
    known = get_commands()
    if "setup" in known:
        call_command("setup")
    call_command("collectstatic", interactive=False, verbosity=0)
    if settings.DEMO and "demo" in known:
        call_command("demo", "load")


if __name__ == "__main__":
    main()
