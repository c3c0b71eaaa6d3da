"""`make check ARGS=sbom`: list installed packages as CycloneDX, and compare them with the lock.

Writes one list of everything, and one of what production installs.
"""

import json
import subprocess
import sys
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, canonicalize_version

from console.launch.setup import DEV_LOCK, PRODUCTION_LOCK, ROOT

FILE = ROOT / "build" / "sbom.cdx.json"
PRODUCTION_FILE = ROOT / "build" / "sbom-production.cdx.json"
# Validating its own output would take twenty times as long as writing it.
_LIST = ["-m", "cyclonedx_py", "environment", "--output-reproducible", "--no-validate"]
Packages = frozenset[tuple[str, str]]


def main() -> None:
    """Write both SBOMs, and fail if they differ from the locks."""
    write()
    if found := unlike_the_locks():
        sys.exit("\n".join(found))
    print(f"{FILE.relative_to(ROOT)}: {len(listed_in(FILE))} packages, as the lock says")


def unlike_the_locks() -> list[str]:
    """Return the differences between both SBOMs and the locks."""
    shipped = differences(listed_in(PRODUCTION_FILE), locked_in(PRODUCTION_LOCK))
    return differences(listed_in(FILE), locked_in(DEV_LOCK)) + shipped


def write() -> None:
    """List the installed packages, and those of them that production installs."""
    FILE.parent.mkdir(exist_ok=True)
    about = ["--pyproject", str(ROOT / "pyproject.toml"), "--of", "JSON", "-o", str(FILE)]
    subprocess.run([sys.executable, *_LIST, *about], check=True)
    sbom, shipped = json.loads(FILE.read_text()), locked_in(PRODUCTION_LOCK)
    kept = [one for one in sbom["components"] if _named(one["name"], one["version"]) in shipped]
    known = {one["bom-ref"] for one in (sbom["metadata"]["component"], *kept)}
    sbom["components"] = kept
    sbom["dependencies"] = [
        one | {"dependsOn": [each for each in one.get("dependsOn", ()) if each in known]}
        for one in sbom["dependencies"]
        if one["ref"] in known
    ]
    PRODUCTION_FILE.write_text(json.dumps(sbom, indent=2))


def listed_in(file: Path) -> Packages:
    """Return the packages in a CycloneDX file, with their versions."""
    components = json.loads(file.read_text())["components"]
    return frozenset(_named(one["name"], one["version"]) for one in components)


def locked_in(lock: Path) -> Packages:
    """Return the packages that a lock file requires on this machine, with their versions."""
    found = set()
    for line in lock.read_text().splitlines():
        if not line or line[0] in " #":
            continue
        pin = Requirement(line.removesuffix("\\").strip())
        if pin.marker is None or pin.marker.evaluate():
            found.add(_named(pin.name, str(pin.specifier).removeprefix("==")))
    return frozenset(found)


def _named(name: str, version: str) -> tuple[str, str]:
    """Normalise name and version: a package's `1.002` is the lock's `1.2`."""
    return canonicalize_name(name), canonicalize_version(version, strip_trailing_zero=False)


def differences(installed: Packages, locked: Packages) -> list[str]:
    """Return a message for each package that is only installed or only locked."""
    return [
        *(f"{name} {version} is installed and not locked" for name, version in installed - locked),
        *(f"{name} {version} is locked and not installed" for name, version in locked - installed),
    ]


if __name__ == "__main__":
    main()
