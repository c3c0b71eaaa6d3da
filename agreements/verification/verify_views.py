"""Public page where anyone can verify a document of ours, with or without an account."""

import hashlib
import re
from dataclasses import replace
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreements.pki import certificates, revocation, seal_keys
from agreements.pki.revocation import RevocationList
from agreements.verification import executed_files, inspect_process, verdicts, zip_comparison
from agreements.verification.findings import Findings
from agreements.verification.outcomes import Registered
from agreements.verification.trust import trust
from agreements.verification.verdicts import Verdict
from agreements.verification.zip_comparison import ZipComparison
from console.accounts import limits
from console.accounts.page_access import public_page
from console.accounts.throttle import take
from console.core import addresses, clock
from console.core.isolation import LARGEST_BODY, LARGEST_FILE
from console.shell.attachments import attachment

_PLAIN = re.compile(r"(?<![0-9a-z])[0-9a-f]{64}(?![0-9a-z])", re.ASCII)
_SEPARATORS = re.compile(r"^sha-?256(?![0-9a-f])|[\s:=-]")
# Files for checking the list of withdrawn seals without us.
LIST_FILES = {
    "json": "application/json",
    "sig": "application/octet-stream",
    "pem": "application/x-pem-file",
}


class FileForm(forms.Form):
    """The file to verify."""

    file = forms.FileField(label=gettext_lazy("The file"), allow_empty_file=True)


class FingerprintForm(forms.Form):
    """A SHA-256 in any common notation."""

    sha256 = forms.CharField(
        label=gettext_lazy("Fingerprint (SHA-256)"),
        max_length=500,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def clean_sha256(self) -> str:
        typed = self.cleaned_data["sha256"].strip().lower()
        # Accept prefixes such as `SHA256:` or `sha256=`, and a hash with a file name.
        found = _PLAIN.findall(typed)
        written = found[0] if len(found) == 1 else "".join(_SEPARATORS.split(typed))
        if not _PLAIN.fullmatch(written):
            raise forms.ValidationError(
                _("Enter 64 characters, each a digit from 0 to 9 or a letter from a to f")
            )
        return written


@public_page(methods=("GET", "POST"), largest_body=LARGEST_BODY)
def verify(request: HttpRequest) -> HttpResponse:
    """Show a verdict on an uploaded file, or on a hash in the query string."""
    sent = request.method == "POST"
    upload = FileForm(request.POST, request.FILES) if sent else FileForm()
    lookup = FingerprintForm(request.GET if "sha256" in request.GET and not sent else None)
    verdict = _on_file(request, upload) if sent else _on_fingerprint(request, lookup)
    context = {"upload": upload, "lookup": lookup, "verdict": verdict, "roots": _roots()}
    problems = upload.errors or lookup.errors
    return render(request, "agreements/verify.html", {**context, "problems": problems})


@public_page()
def withdrawn_seals(request: HttpRequest, kind: str) -> HttpResponse:
    """Download the list of withdrawn seals, its signature, or the signer's certificate."""
    data = revocation.public(kind) if kind in LIST_FILES else b""
    if not data:
        raise Http404
    return attachment(data, f"withdrawn.{kind}", LIST_FILES[kind])


def _on_file(request: HttpRequest, form: FileForm) -> Verdict | None:
    if not form.is_valid():
        return None
    with inspect_process.place():
        take("verify-file", addresses.network(request), limits.CHECKED_FILES_PER_ADDRESS)
        file = form.cleaned_data["file"]
        sha256 = _sha256(file)
        registered = executed_files.find(sha256, holds_file=True)
        # For executed files, the certificate must have been valid at the time of execution.
        at = (registered and registered.executed_at) or clock.now()
        try:
            found = inspect_process.inspect(_read(file), trust(), at)
        except seal_keys.SealMissing:  # without our roots we cannot tell whose seal it is
            return verdicts.judge(sha256, registered, RevocationList(), at=clock.now())
        if found.files and registered is None:
            return _on_zip(sha256, found)
    return _judged(sha256, registered, found)


def _on_zip(sha256: str, found: Findings) -> Verdict:
    """Judge a zip that is not byte for byte one of ours by its files."""
    comparison = zip_comparison.compare(found.files)
    if comparison is None:
        found = replace(found, unreadable="it is a zip without a file of a pack that we executed")
        return _judged(sha256, None, found)
    registered = comparison.registered if comparison.same else None
    return _judged(sha256, registered, found, comparison)


def _on_fingerprint(request: HttpRequest, form: FingerprintForm) -> Verdict | None:
    if not form.is_valid():
        return None
    take("verify-fingerprint", addresses.network(request), limits.CHECKED_FINGERPRINTS_PER_ADDRESS)
    sha256 = form.cleaned_data["sha256"]
    return _judged(sha256, executed_files.find(sha256, holds_file=False))


def _judged(
    sha256: str,
    registered: Registered | None,
    found: Findings | None = None,
    comparison: ZipComparison | None = None,
) -> Verdict:
    revoked = revocation.current()
    return verdicts.judge(
        sha256, registered, revoked, at=clock.now(), found=found, comparison=comparison
    )


def _sha256(file: "UploadedFile[Any]") -> str:
    """Return the hash of the whole file, which may be larger than the inspection limit."""
    made = hashlib.sha256()
    for chunk in file.chunks():
        made.update(chunk)
    return made.hexdigest()


def _read(file: "UploadedFile[Any]") -> bytes:
    """Read one byte more than the limit, so that larger files are recognised."""
    file.seek(0)
    return bytes(file.read(LARGEST_FILE + 1))


def _roots() -> list[str]:
    """Return the hashes of our roots, to compare with the one in a bundle; empty if unreadable."""
    try:
        return [certificates.fingerprint(root) for root in seal_keys.roots()]
    except (OSError, ValueError):
        return []
