"""Test vectors: files made from one of our documents."""

import zlib
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO

from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.pdf_utils.writer import copy_into_new_writer
from pyhanko.sign import PdfSigner

from agreements.pki import certificates, time_stamping
from agreements.pki.certificates import Seal
from agreements.sealing import pdf_seal
from console.core import clock
from tests.agreements.sealing import made

Mischief = Callable[[IncrementalPdfFileWriter], None]


def sealed() -> bytes:
    return made.a_sealed_document()


def flipped(data: bytes, bit: int) -> bytes:
    """Return the file with one bit flipped."""
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def byte_flipped() -> bytes:
    return flipped(sealed(), 8 * 1200)


def truncated() -> bytes:
    return sealed()[:-700]


def trailing_bytes() -> bytes:
    return sealed() + b"\n% and a little more\n"


def other_root_same_names() -> bytes:
    """A root and a seal with our names, but other keys."""
    theirs = certificates.make_seal("Access Console Payments Limited", clock.now())
    return pdf_seal.seal_pdf(made.a_document(), with_=pdf_seal.Tools(theirs))


def incremental_update() -> bytes:
    return changed(sealed(), open_action)


def two_seals() -> bytes:
    return sealed_twice(made.a_document(), made.a_seal())


def sealed_twice(data: bytes, seal: Seal) -> bytes:
    """Return a file with two approval signatures; our own certifying seal allows no second."""
    ours = pdf_seal.signer(pdf_seal.Tools(seal))
    for field in ("First", "Second"):
        meta = replace(ours.signature_meta, certify=False, field_name=field)
        data = _signed(PdfSigner(meta, ours.signer), IncrementalPdfFileWriter(BytesIO(data)))
    return data


def _signed(signer: PdfSigner, writer: IncrementalPdfFileWriter) -> bytes:
    return bytes(time_stamping.by_itself(lambda: signer.sign_pdf(writer)).getbuffer())


def encrypted() -> bytes:
    writer = copy_into_new_writer(PdfFileReader(BytesIO(made.a_document())))
    writer.encrypt(owner_pass="owner", user_pass="secret")
    output = BytesIO()
    writer.write(output)
    return output.getvalue()


# Changes made while sealing: the prefix is kept and the seal itself is valid -------------------


def changed(data: bytes, mischief: Mischief) -> bytes:
    """Return the file with one more incremental update."""
    writer = IncrementalPdfFileWriter(BytesIO(data), strict=True)
    mischief(writer)
    output = BytesIO()
    writer.write(output)
    return output.getvalue()


def sealed_with(mischief: Mischief, document: bytes = b"") -> bytes:
    """Return a document changed in the increment that seals it, with our own key."""
    writer = pdf_seal.OneIncrement(BytesIO(document or made.a_document()), strict=True)
    mischief(writer)
    return _signed(pdf_seal.signer(pdf_seal.Tools(made.a_seal())), writer)


def page_swapped(writer: IncrementalPdfFileWriter) -> None:
    page = writer.root["/Pages"]["/Kids"][0]
    page["/Contents"] = writer.add_object(generic.StreamObject(stream_data=b"BT ET"))
    writer.update_container(page)


def content_overwritten(writer: IncrementalPdfFileWriter) -> None:
    """Keep the page's reference, but replace what it refers to."""
    page = writer.root["/Pages"]["/Kids"][0]
    contents = page.raw_get("/Contents").reference
    writer.objects[(contents.generation, contents.idnum)] = generic.StreamObject(
        stream_data=b"BT ET"
    )


def comment_laid_over(writer: IncrementalPdfFileWriter) -> None:
    page = writer.root["/Pages"]["/Kids"][0]
    note = generic.DictionaryObject({generic.pdf_name("/Subtype"): generic.pdf_name("/FreeText")})
    page["/Annots"] = generic.ArrayObject([writer.add_object(note)])
    writer.update_container(page)


def open_action(writer: IncrementalPdfFileWriter) -> None:
    writer.root["/OpenAction"] = generic.ArrayObject([])
    writer.update_root()


def font_replaced(writer: IncrementalPdfFileWriter) -> None:
    fonts = writer.root["/Pages"]["/Kids"][0]["/Resources"]["/Font"]
    font = fonts[next(iter(fonts))]
    font["/ToUnicode"] = writer.add_object(generic.StreamObject(stream_data=b"evil"))
    writer.update_container(font)


def structure_replaced(writer: IncrementalPdfFileWriter) -> None:
    """Replace what a screen reader says, not what is visible."""
    tree = writer.root["/StructTreeRoot"]
    tree["/ClassMap"] = generic.DictionaryObject()
    writer.update_container(tree)


def metadata_replaced(writer: IncrementalPdfFileWriter) -> None:
    info = writer.trailer["/Info"]
    info["/Title"] = generic.TextStringObject("Another agreement")
    writer.update_container(info)


def attachment_swapped(writer: IncrementalPdfFileWriter) -> None:
    file = writer.root["/Names"]["/EmbeddedFiles"]["/Names"][1]
    file["/EF"]["/F"] = writer.add_object(generic.StreamObject(stream_data=b"{}"))
    writer.update_container(file)


def stray_object(writer: IncrementalPdfFileWriter) -> None:
    writer.add_object(generic.StreamObject(stream_data=b"nothing refers to this"))


MISCHIEF = {
    act.__name__: act
    for act in (
        page_swapped,
        content_overwritten,
        comment_laid_over,
        open_action,
        font_replaced,
        structure_replaced,
        metadata_replaced,
        stray_object,
    )
}


def with_attachment() -> bytes:
    """Return a certificate with the manifest embedded."""
    document = made.a_document()
    return made.a_certificate(made.a_manifest({"01-MSA.pdf": (document, document)}))


# Malicious files -------------------------------------------------------------------------------


def inflating() -> bytes:
    """A hundred megabytes compressed into a hundred kilobytes, where every reader looks first."""
    packed = zlib.compress(b"\0" * 100_000_000, 9)
    head = b"%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n"
    stream = (
        b"3 0 obj\n<</Type/XRef/Size 40000000/W[1 1 1]/Root 1 0 R/Filter/FlateDecode/Length %d>>\n"
        b"stream\n" % len(packed)
    )
    start = len(head)
    return head + stream + packed + b"\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n" % start


def nested() -> bytes:
    """Nested arrays, deeper than any stack."""
    deep = b"[" * 200_000 + b"]" * 200_000
    return written(
        [b"<</Type/Catalog/Pages 2 0 R/X %s>>" % deep, b"<</Type/Pages/Kids[]/Count 0>>"]
    )


def turning_in_circles() -> bytes:
    """A cross-reference table that names itself as its predecessor."""
    body = written([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[]/Count 0>>"])
    start = body.rindex(b"xref\n0")
    return body.replace(b"/Root 1 0 R", b"/Root 1 0 R/Prev %d" % start)


def many_pages() -> bytes:
    """More than ten thousand pages."""
    kids = b" ".join(b"%d 0 R" % n for n in range(3, 12_003))
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"
    return written(
        [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 12000/Kids[%s]>>" % kids]
        + [page] * 12_000
    )


def written(objects: list[bytes]) -> bytes:
    """Return a PDF of these objects; the first is its catalogue."""
    body, places = b"%PDF-1.7\n", []
    for number, text in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, text)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return (
        body
        + b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
        + b"trailer\n<</Size %d/Root 1 0 R>>\n" % (len(objects) + 1)
        + b"startxref\n%d\n%%%%EOF\n" % len(body)
    )


HOSTILE = {act.__name__: act for act in (inflating, nested, turning_in_circles, many_pages)}
