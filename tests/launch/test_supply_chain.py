"""R29: every package is pinned, listed, licensed, and without a known hole."""

import json

from console.launch import audit, licences, sbom
from console.launch.setup import DEV_LOCK, PRODUCTION_LOCK
from tests.launch.test_locks import pins
from tests.proofs import Proven, proof


@proof("R29", "hashes, list, licences and known holes of all packages", small=0)
def test_every_package_is_known(proven: Proven) -> None:
    sbom.write()
    locked = pins(DEV_LOCK) | pins(PRODUCTION_LOCK)
    unpinned = [name for name, pin in locked.items() if "--hash=sha256:" not in pin]
    unlisted = sbom.unlike_the_locks()
    shipped = json.loads(sbom.PRODUCTION_FILE.read_text())["components"]
    refused = [one["name"] for one in shipped if licences.refused(one)]
    holes = known_holes()
    asked = "not asked about" if holes is None else f"{len(holes)}"

    figure = (
        f"{len(locked)} packages: {len(unpinned)} without a hash, {len(unlisted)} not listed,"
        f" {len(refused)} of {len(shipped)} in production without an accepted licence,"
        f" known holes {asked}"
    )
    wrong = [*unpinned, *unlisted, *refused, *(holes or ())]
    proven.reached(figure, met=not wrong and holes is not None, wrong=wrong)


def known_holes() -> list[str] | None:
    """Return the known holes, or None if nobody could be asked."""
    try:
        return audit.known_holes()
    except SystemExit:
        return None
