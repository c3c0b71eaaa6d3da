"""`manage.py screening`, called in this process."""

from io import StringIO

from django.core.management import call_command


def screening(*words: object) -> str:
    """Run the command and return what it printed."""
    said = StringIO()
    call_command("screening", *map(str, words), stdout=said)
    return said.getvalue()
