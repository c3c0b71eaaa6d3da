"""Every icon that is named exists."""

import re

import pytest
from django.conf import settings
from lucide import IconDoesNotExist
from lucide.templatetags.lucide import lucide

from console.shell import modules, tones

NAMED = re.compile(r'(?:{% icon |icon=)"([a-z0-9-]+)"')


def icons_of_templates() -> set[str]:
    pages = (settings.ROOT / "templates").rglob("*.html")
    return {name for page in pages for name in NAMED.findall(page.read_text())}


def icons() -> list[str]:
    named = {module.icon for module in modules.all_modules()} | set(tones.ICONS.values())
    return sorted((icons_of_templates() | named) - {""})


@pytest.mark.parametrize("name", icons())
def test_it_exists(name):
    assert lucide(name)


def test_one_that_does_not_is_seen():
    with pytest.raises(IconDoesNotExist):
        lucide("no-such-drawing")
