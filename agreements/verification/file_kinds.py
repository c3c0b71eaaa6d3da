"""Kinds of files in an executed pack, with one sentence about what each proves.

    kind_of(name)    the kind of a file by its name in the bundle

A shared file is the same in many packs, so it says nothing about any one of them.
"""

from dataclasses import dataclass

from django.utils.translation import gettext_noop as _


@dataclass(frozen=True)
class FileKind:
    """A kind of file: its title, its noun, and what it proves."""

    title: str
    noun: str
    worth: str
    shared: bool = False
    sealed_pdf: bool = False
    is_seal: bool = False


DOCUMENT = FileKind(
    _("Document"),
    _("the sealed copy of a document that both parties executed"),
    _(
        "They signed the offer, which lists the fingerprints of this PDF before our "
        "seal and of the text they read."
    ),
    sealed_pdf=True,
)
CERTIFICATE_NAME = "00-certificate.pdf"
CERTIFICATE = FileKind(
    _("Certificate of execution"),
    _("the certificate of execution of a pack"),
    _(
        "It shows who signed, approved and countersigned the pack, and when. It is "
        "evidence, not an agreement."
    ),
    sealed_pdf=True,
)
BUNDLE = FileKind(
    _("Agreement pack (the zip)"),
    _("the zip of an executed pack"),
    _("It contains the sealed copies of the pack’s documents and the evidence about them."),
)
REPACKED = FileKind(
    _("Agreement pack (packed again)"),
    _("every file of an executed pack, in another zip"),
    _("The files are the sealed copies of the pack’s documents and the evidence about them."),
)
UNCOMPARED = FileKind(
    _("Agreement pack (packed again)"), _("at least one file of an executed pack"), ""
)
MANIFEST = FileKind(
    _("Agreement pack (its manifest)"),
    _("the manifest of an executed pack"),
    _("It lists the fingerprints of the pack. It is not an agreement."),
)
OFFER = FileKind(
    _("Offer"),
    _("an offer, which is what people sign"),
    _("It lists the fingerprints of the text and the PDF of every document."),
)
REVIEW_COPY = FileKind(
    _("Review copy"),
    _("a PDF that we offered, before any seal"),
    _(
        "We rendered it from the same facts as the text on screen. It does not prove "
        "that anyone agreed."
    ),
)
SIGNED_SET = FileKind(
    _("Signed set"),
    _("a signed set, which is an offer with its signatures"),
    _("Our approvers approve it."),
)
_SIGNED_OFFER = FileKind(
    _("Offer"), _("the offer that was signed, of an executed pack"), OFFER.worth
)
_TEXT = FileKind(
    _("Text of a document"),
    _("the text of a document of an executed pack, as its readers saw it"),
    _("The signed offer lists its fingerprint and that of the PDF rendered from the same facts."),
)
_EXACT = {
    CERTIFICATE_NAME: CERTIFICATE,
    "bundle.zip": BUNDLE,
    "manifest.json": MANIFEST,
    "manifest.sig": FileKind(
        _("Signature of a manifest"),
        _("the signature over the manifest of an executed pack"),
        _("Together with the manifest, it proves that the list of fingerprints is ours."),
    ),
    "manifest.tsr": FileKind(
        _("Time stamp of a manifest"),
        _("the time stamp over the manifest of an executed pack"),
        _("You can rely on it as far as you trust the authority that made it."),
    ),
    "events.jsonl": FileKind(
        _("Record of events"),
        _("the record of events of an executed pack"),
        _(
            "It shows what happened to the pack until it was sealed. Each line is chained "
            "to the one before."
        ),
    ),
    "offer.json": _SIGNED_OFFER,
    "facts.json": FileKind(
        _("Facts of a pack"),
        _("the facts used for the documents of an executed pack"),
        _("The signed offer lists its fingerprint."),
    ),
    "profile.json": FileKind(
        _("Renderer"), _("the programs and options that rendered a pack"), "", shared=True
    ),
    "ruleset.json": FileKind(
        _("Rules"), _("the rules that chose the documents of a pack"), "", shared=True
    ),
    "trace.json": FileKind(
        _("Choice of documents"),
        _("the input and the result of the rules for an executed pack"),
        _("The signed offer lists its fingerprint."),
    ),
    "signed-set.json": FileKind(
        SIGNED_SET.title,
        _("the signed set of an executed pack, which is the offer with its signatures"),
        _("Our approvers approved it."),
    ),
    "SHA256SUMS": FileKind(
        _("Checksums of a pack"),
        _("the list of checksums of an executed pack"),
        _("It helps to find a damaged file. It proves nothing alone."),
    ),
    "SHA256SUMS.sig": FileKind(
        _("Signature of checksums"),
        _("the signature over the list of checksums of an executed pack"),
        _(
            "Together with that list, it proves that the files of the pack are the ones we "
            "put there."
        ),
    ),
    "audit-head.json": FileKind(
        _("Head of the audit log"),
        _("the head of our audit log at the execution of a pack"),
        _("It shows whether the log was changed before that moment."),
    ),
    "READ-ME.txt": FileKind(
        _("Instructions"),
        _("the instructions in an executed pack"),
        _("They explain how to check the pack. They prove nothing alone."),
    ),
    "root.pem": FileKind(_("Root certificate"), _("one of our root certificates"), "", shared=True),
    "seal.pem": FileKind(
        _("Seal certificate"), _("one of our seal certificates"), "", shared=True, is_seal=True
    ),
    "tsa-chain.pem": FileKind(
        _("Time-stamping certificates"),
        _("the certificates of the authority that stamped the time of a pack"),
        "",
        shared=True,
    ),
    "verify.sh": FileKind(
        _("Checking program"), _("the program in a pack that checks it"), "", shared=True
    ),
}
_FOLDERS = {
    "acts/": FileKind(
        _("Signature"),
        _("a signature under an executed pack"),
        _("It shows who signed the offer, when and how, and what they declared."),
    ),
    "approvals/": FileKind(
        _("Decision"),
        _("one of our decisions on an executed pack"),
        _("It shows who decided, in which capacity, and on which signed set."),
    ),
}
OTHER = FileKind(_("File of a pack"), _("a file of an executed pack"), "")
OTHER_SHARED = FileKind(
    _("File in many packs"), _("a file that we put into packs"), "", shared=True
)


def kind_of(name: str) -> FileKind:
    """Return the kind of a file by its name in the bundle."""
    if kind := _EXACT.get(name):
        return kind
    for folder, kind in _FOLDERS.items():
        if name.startswith(folder):
            return kind
    if name.endswith(".html"):
        return _TEXT
    if name.endswith(".pdf"):
        return DOCUMENT
    # Certificates, programs and descriptions are the same in every pack.
    return OTHER_SHARED if name.endswith((".pem", ".sh", ".py", ".md")) else OTHER
