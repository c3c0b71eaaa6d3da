"""What stands between fresh tables and the first page: seal keys, static files, the demo world."""

import django
from django.conf import settings
from django.core.management import call_command


def main() -> None:
    """Do all of it in one process; each step finds what is done already."""
    django.setup()
    call_command("setup_seal")
    call_command("collectstatic", interactive=False, verbosity=0)
    if settings.DEMO:
        call_command("demo", "load")


if __name__ == "__main__":
    main()
