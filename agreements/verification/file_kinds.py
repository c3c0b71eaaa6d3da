"""What each file of an executed pack is, and what it says and does not say: one sentence a kind.

    of(name)    the kind of a file by its name in the bundle

A shared file is the same in many packs, so it tells nothing about any one of them.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class FileKind:
    """A kind of file: its title, what one of them is, and what it is worth."""

    title: str
    noun: str
    worth: str
    shared: bool = False
    sealed_pdf: bool = False
    is_seal: bool = False


DOCUMENT = FileKind(
    "Document",
    "the sealed copy of a document that both parties executed",
    "What they signed is the offer: it names, by their fingerprints, this PDF as it was before "
    "our seal and the text that was read.",
    sealed_pdf=True,
)
CERTIFICATE_NAME = "00-certificate.pdf"
CERTIFICATE = FileKind(
    "Certificate of execution",
    "the certificate of execution of a pack",
    "It says who signed, approved and countersigned the pack, and when. It is evidence, and no "
    "agreement itself.",
    sealed_pdf=True,
)
BUNDLE = FileKind(
    "Agreement pack (the zip)",
    "the zip of an executed pack",
    "It holds the sealed copies of the pack’s documents and the evidence about them.",
)
MANIFEST = FileKind(
    "Agreement pack (its manifest)",
    "the manifest of an executed pack",
    "It lists the fingerprints of the pack, and is no agreement itself.",
)
OFFER = FileKind(
    "Offer",
    "an offer: the one thing that people sign",
    "It names every document by the fingerprints of its text and of its PDF.",
)
REVIEW_COPY = FileKind(
    "Review copy",
    "a PDF that we offered, before any seal",
    "It was rendered from the same facts as the text that is read, and proves nobody’s agreement.",
)
SIGNED_SET = FileKind(
    "Signed set",
    "a signed set: an offer with the signatures under it",
    "It is what our approvers approve.",
)
_SIGNED_OFFER = FileKind("Offer", "the offer that was signed, of an executed pack", OFFER.worth)
_TEXT = FileKind(
    "Text of a document",
    "the text of a document of an executed pack, as it was put before its readers",
    "The signed offer names its fingerprint, and that of the PDF rendered from the same facts.",
)
_EXACT = {
    CERTIFICATE_NAME: CERTIFICATE,
    "bundle.zip": BUNDLE,
    "manifest.json": MANIFEST,
    "manifest.sig": FileKind(
        "Signature of a manifest",
        "the signature over the manifest of an executed pack",
        "Together with the manifest it shows that the list of fingerprints is ours.",
    ),
    "manifest.tsr": FileKind(
        "Time stamp of a manifest",
        "the time stamp over the manifest of an executed pack",
        "It is worth as much as the authority that made it.",
    ),
    "events.jsonl": FileKind(
        "Record of events",
        "the record of events of an executed pack",
        "It says what happened to the pack until it was sealed, each line chained to the one "
        "before.",
    ),
    "offer.json": _SIGNED_OFFER,
    "facts.json": FileKind(
        "Facts of a pack",
        "the facts that the documents of an executed pack were made from",
        "The signed offer names its fingerprint.",
    ),
    "profile.json": FileKind(
        "Renderer", "the programs and options that rendered a pack", "", shared=True
    ),
    "ruleset.json": FileKind(
        "Rules", "the rules that chose the documents of a pack", "", shared=True
    ),
    "trace.json": FileKind(
        "Choice of documents",
        "what the rules were asked for an executed pack, and what they answered",
        "The signed offer names its fingerprint.",
    ),
    "signed-set.json": FileKind(
        SIGNED_SET.title,
        "the signed set of an executed pack: the offer with the signatures under it",
        "It is what our approvers approved.",
    ),
    "SHA256SUMS": FileKind(
        "Sums of a pack",
        "the list of sums of an executed pack",
        "It helps to find a damaged file, and proves nothing by itself.",
    ),
    "SHA256SUMS.sig": FileKind(
        "Signature of sums",
        "the signature over the list of sums of an executed pack",
        "Together with that list it shows that the files of the pack are the ones that we put "
        "there.",
    ),
    "audit-head.json": FileKind(
        "Head of the audit log",
        "the head of our audit log at the execution of a pack",
        "It shows later whether the log was changed before that moment.",
    ),
    "READ-ME.txt": FileKind(
        "Instructions",
        "the instructions in an executed pack",
        "They say how to check the pack, and prove nothing by themselves.",
    ),
    "root.pem": FileKind("Root certificate", "the certificate of a root of ours", "", shared=True),
    "seal.pem": FileKind(
        "Seal certificate", "the certificate of a seal of ours", "", shared=True, is_seal=True
    ),
    "tsa-chain.pem": FileKind(
        "Time-stamping certificates",
        "the certificates of whoever stated the time of a pack",
        "",
        shared=True,
    ),
    "verify.sh": FileKind(
        "Checking program", "the program in a pack that checks it", "", shared=True
    ),
}
_FOLDERS = {
    "acts/": FileKind(
        "Signature",
        "a signature under an executed pack",
        "It says who signed the offer, when and how, and what they declared.",
    ),
    "approvals/": FileKind(
        "Decision",
        "a decision of ours on an executed pack",
        "It says who decided, in which capacity, and on which signed set.",
    ),
}
OTHER = FileKind("File of a pack", "a file of an executed pack", "")
OTHER_SHARED = FileKind("File in many packs", "a file that we put into packs", "", shared=True)


def of(name: str) -> FileKind:
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
    # A certificate, a program, a description: no pack is in it.
    return OTHER_SHARED if name.endswith((".pem", ".sh", ".py", ".md")) else OTHER
