"""A published version of the widget never changes: shops load it with its hash."""

from api.checkout import widget

# Written once for each version. A changed script is a new version: a new file, and a line here.
PUBLISHED = {
    1: "sha384-HLZlt9l8K/IyBaTMYHgnNQ4dViCMD4KYDTuLwu6vMT7oYsmgcSzyJAUiXrpCtHhM",
}


def test_every_version_is_as_published():
    assert {version: widget.integrity(version) for version in widget.SCRIPTS} == PUBLISHED
