"""Set-up makes a small, reproducible subset of the typeface; pages also work without it."""

from django.core.management import call_command
from fontTools.ttLib import TTFont

from console.shell import typeface

MOST = 90_000


def test_the_command_makes_a_small_cut_that_has_the_letters(tmp_path, settings, capsys):
    settings.FONT_DIR = tmp_path
    call_command("fonts")

    assert "Inter:" in capsys.readouterr().out
    assert (tmp_path / typeface.SHEET).is_file()
    (path,) = tmp_path.glob("fonts/*.woff2")
    assert path.stat().st_size < MOST
    letters = TTFont(path).getBestCmap()
    for letter in "Aaz09ẹọńĐ₦€→“”…":
        assert ord(letter) in letters, letter


def test_without_the_package_the_systems_face_does(tmp_path, settings, monkeypatch, capsys):
    settings.FONT_DIR = tmp_path
    monkeypatch.setattr(typeface, "source", lambda: None)
    call_command("fonts")

    assert "system's typeface" in capsys.readouterr().out
    typeface.addresses.cache_clear()
    assert typeface.addresses() is None
    typeface.addresses.cache_clear()
