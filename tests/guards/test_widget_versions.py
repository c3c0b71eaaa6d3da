"""A published version of the widget never changes: shops load it with its hash."""

from api.checkout import widget

# Written once for each version. A changed script is a new version: a new file, and a line here.
PUBLISHED = {
    1: "sha384-OoJ95i+6hj7b0e1EzQAhm7jqK6+5WHIaaEc9XfJInjjPpN/Kjbmdh80FMCMbRO0I",
}


def test_every_version_is_as_published():
    assert {version: widget.integrity(version) for version in widget.SCRIPTS} == PUBLISHED
