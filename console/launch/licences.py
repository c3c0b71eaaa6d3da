"""`make check ARGS=licences`: every package that production installs has a licence we accept."""

import json
import re
import sys
from typing import Any

from console.launch import sbom

# Free to use in any product. The packages under the LGPL are installed unchanged.
ALLOWED = {
    *("0BSD", "BSD License", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MIT-0", "MIT-CMU"),
    *("Apache-2.0", "Apache Software License", "Unlicense", "OFL-1.1", "PSF-2.0", "Python-2.0"),
    *("MPL-1.1", "MPL-2.0", "Mozilla Public License 2.0 (MPL 2.0)"),
    *("LGPL-2.1-only", "LGPL-3.0-only"),
    "GNU Lesser General Public License v2 or later (LGPLv2+)",
}
# What we chose where a package offers several, or what its files say where its metadata does not.
CHOSEN = {"protobuf": "BSD-3-Clause", "pyphen": "MPL-1.1", "uritemplate": "BSD-3-Clause"}


def main() -> None:
    """Read the list that the check `sbom` wrote, or write it."""
    if not sbom.PRODUCTION_FILE.exists():
        sbom.write()
    components = json.loads(sbom.PRODUCTION_FILE.read_text())["components"]
    found = {one["name"]: refused(one) for one in components}
    if wrong := [f"{name}: {', '.join(said)}" for name, said in found.items() if said]:
        sys.exit("Licences that nobody has accepted yet:\n" + "\n".join(wrong))
    print(f"{len(components)} packages, each with an accepted licence")


def refused(component: dict[str, Any]) -> list[str]:
    """Return the licences of a CycloneDX component that we do not accept."""
    names = licences(component) or ["no licence"]
    return [name for name in names if name not in ALLOWED]


def licences(component: dict[str, Any]) -> list[str]:
    if chosen := CHOSEN.get(component["name"]):
        return [chosen]
    said = [
        one.get("expression") or one["license"].get("id") or one["license"]["name"]
        for one in component.get("licenses", ())
    ]
    # A classifier is a name with spaces, an SPDX expression joins several.
    parts = [
        [name.rpartition(" :: ")[2]] if " :: " in name else re.split(r" (?:AND|OR) |[()]", name)
        for name in said
    ]
    return [name.strip() for each in parts for name in each if name.strip()]


if __name__ == "__main__":
    main()
