"""Every icon named in a page exists."""

import re

from django.conf import settings
from lucide.templatetags.lucide import lucide

from console.shell import modules, tones

NAMED = re.compile(r'(?:{% icon |icon=)"([a-z0-9-]+)"')


def icons_of_templates() -> set[str]:
    pages = (settings.ROOT / "templates").rglob("*.html")
    return {name for page in pages for name in NAMED.findall(page.read_text())}


def icons() -> list[str]:
    named = {module.icon for module in modules.all_modules()} | set(tones.ICONS.values())
    return sorted((icons_of_templates() | named) - {""})


def test_every_icon_exists():
    assert all(lucide(name) for name in icons())
