"""Render worker process: no network, no home directory and limited memory.

`python -m agreements.rendering.render_worker` reads one JSON object per line from standard input,
`{"html", "styles", "spelled", "variant", "attachments"}`, and answers each with one line: `{"pdf",
"pages"}` with the PDF in base64, or `{"failed"}` with the reason. It ends when its parent does.
"""

import base64
import json
import os
import resource
import shutil
import socket
import sys
import threading
import time
import warnings
from typing import IO, Any, Never

MEMORY = 1536 * 1024 * 1024
LARGEST_FILE = 64 * 1024 * 1024


def main() -> None:
    """Serve requests until the input ends."""
    answers = _take_standard_output()
    _watch_parent()
    _shut_in()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the process has no system fonts on purpose
        from agreements.rendering import document_pdf
    answers.write(json.dumps({"ready": profile()}) + "\n")
    answers.flush()
    for line in sys.stdin:
        answers.write(json.dumps(_answer(document_pdf, json.loads(line))) + "\n")
        answers.flush()
    _clear_away()


def _answer(document_pdf: Any, asked: dict[str, Any]) -> dict[str, Any]:
    try:
        pdf, pages = document_pdf.render_pdf(
            asked["html"].encode(),
            asked["styles"],
            asked["attachments"],
            asked["variant"],
            spelled=asked["spelled"],
        )
    except document_pdf.PdfFailed as failed:
        return {"failed": str(failed)}
    except MemoryError:
        return {"failed": "the document needs too much memory"}
    except Exception as error:  # noqa: BLE001 - report the renderer's own bugs to the parent
        return {"failed": f"{type(error).__name__}: {error}"}
    return {"pdf": base64.b64encode(pdf).decode(), "pages": pages}


def _take_standard_output() -> IO[str]:
    """Reserve standard output for answers; redirect anything else printed to standard error."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return answers


def _watch_parent() -> None:
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        _clear_away()
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def _clear_away() -> None:
    if folder := os.environ.get("RENDER_FOLDER"):
        shutil.rmtree(folder, ignore_errors=True)


def _shut_in() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    socket.socket = _NoSocket  # type: ignore[misc]


class _NoSocket(socket.socket):
    """Replacement for sockets, for systems where the network cannot be removed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        _refuse()


def _refuse() -> Never:
    raise OSError("The render process has no network.")


def profile() -> dict[str, str]:
    """Return the versions and options that determine the bytes of a PDF."""
    from importlib.metadata import version

    from weasyprint.text.ffi import pango

    from agreements.rendering.document_pdf import MOST_PAGES, OPTIONS

    pango_version = pango.pango_version()
    libraries = ("weasyprint", "pydyf", "fonttools", "tinycss2", "tinyhtml5", "jinja2", "pyphen")
    return {
        **{name: version(name) for name in libraries},
        "pango": f"{pango_version // 10000}.{pango_version // 100 % 100}.{pango_version % 100}",
        "harfbuzz": _harfbuzz(),
        "options": json.dumps(OPTIONS, sort_keys=True),
        "dates": "from the wording and the attachments; none from the clock",
        "fonts": "only those of the bundle",
        "most_pages": str(MOST_PAGES),
        "too_wide": "long words are broken, then any word",
    }


def _harfbuzz() -> str:
    """Return HarfBuzz's version, probed because its API only tells whether it is at least one."""
    from weasyprint.text.ffi import harfbuzz

    found: list[int] = []
    for _ in range(3):
        rest = [0] * (2 - len(found))
        known = [n for n in range(100) if harfbuzz.hb_version_atleast(*found, n, *rest)]
        found.append(max(known))
    return ".".join(map(str, found))


if __name__ == "__main__":
    main()
