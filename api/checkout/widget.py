"""The script that shows payment pages in shops' pages: its versions, URL and integrity."""

import base64
import hashlib
from pathlib import Path

from django.conf import settings

# Shops load a version with its hash, so a version never changes. A change is a new file.
SCRIPTS = {
    int(file.stem): file.read_bytes()
    for file in Path(__file__).with_name("widget_scripts").glob("*.js")
}
LATEST = max(SCRIPTS)

# What the page's own script does next. `sessionId` comes from the server that created it.
EXAMPLE = """\
const payment = ServiceCheckout.mount({
  sessionId,
  container: "#payment", // leave it out to open a modal
  onStatus: ({ status, outstandingAmountMinor }) => console.log(status, outstandingAmountMinor),
  onSuccess: () => location.assign("/thank-you"),
  onClose: () => console.log("The payer closed the modal."),
  onError: ({ code }) => console.error(code),
});
"""


def url() -> str:
    """Return the URL of the newest version on the checkout host."""
    return f"{settings.CHECKOUT_ORIGIN}/widget/{LATEST}/checkout.js"


def integrity(version: int = LATEST) -> str:
    """Return the value of the `integrity` attribute for a version."""
    digest = hashlib.sha384(SCRIPTS[version]).digest()
    return f"sha384-{base64.b64encode(digest).decode()}"


def snippet() -> str:
    """Return the HTML that loads the newest version, to paste into a page."""
    return (
        f'<script src="{url()}"\n'
        f'        integrity="{integrity()}"\n'
        '        crossorigin="anonymous"></script>'
    )
