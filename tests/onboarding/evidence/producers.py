"""Documents as the programs and devices write them that people send evidence from."""

import io
import re
import struct
import zlib
from base64 import a85encode
from typing import Any, Literal

import pikepdf
from PIL import Image
from PIL.TiffImagePlugin import TiffImageFile
from weasyprint import HTML

from tests.api.checkout.files import a_picture
from tests.onboarding.evidence.documents import a_pdf, a_stream, assembled, locked

_TEXT = b"BT /F1 12 Tf 72 720 Td (Invoice 4711) Tj ET"
_FONT = "/Resources <</Font <</F1 <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>>>>>"
#: What must not be in a copy: it is put where viewers do not look.
HIDDEN = b"hidden-behind-the-document"


def _with_text(content: bytes = _TEXT, entries: str = "", root: str = "") -> bytes:
    return a_pdf(root, f"{_FONT} /Contents 9 0 R", a_stream(entries, content))


def _saved(data: bytes, **options: Any) -> bytes:
    """Return the document as qpdf writes it with these options."""
    written = io.BytesIO()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        pdf.save(written, **options)
    return written.getvalue()


def _locked(revision: Literal[2, 3, 4, 6]) -> bytes:
    said = pikepdf.Encryption(
        owner="owner", user="", R=revision, aes=revision > 3, metadata=revision > 3
    )
    return _saved(_with_text(), encryption=said)


def _updated(data: bytes, *objects: tuple[int, str]) -> bytes:
    """Return the document with a further revision, as programs append one."""
    before = int(data.rsplit(b"startxref\n", 1)[1].split()[0])
    root = re.findall(rb"/Root (\d+ 0 R)", data)[-1].decode()
    written, places = bytearray(data), {}
    for number, content in objects:
        places[number] = len(written)
        written += f"{number} 0 obj\n{content}\nendobj\n".encode()
    start = len(written)
    rows = "".join(f"{number} 1\n{place:010} 00000 n \n" for number, place in places.items())
    written += f"xref\n{rows}trailer\n<</Size 99 /Root {root} /Prev {before}>>\n".encode()
    return bytes(written + f"startxref\n{start}\n%%EOF\n".encode())


def _pillow(*pages: Image.Image) -> bytes:
    written = io.BytesIO()
    pages[0].save(written, "PDF", save_all=True, append_images=pages[1:])
    return written.getvalue()


def _scanner(filters: str, data: bytes, entries: str = "") -> bytes:
    picture = f"/Type /XObject /Subtype /Image /Width 64 /Height 64 /Filter {filters} {entries}"
    page = "/Resources <</XObject <</I 9 0 R>>>> /Contents 10 0 R"
    return a_pdf("", page, a_stream(picture, data), a_stream("", b"q 595 0 0 842 0 0 cm /I Do Q"))


def _fax() -> bytes:
    """Return a page of a fax, as the strip of a TIFF file that scanners put into a PDF."""
    written = io.BytesIO()
    Image.new("1", (64, 64), 1).save(written, "TIFF", compression="group4")
    with TiffImageFile(io.BytesIO(written.getvalue())) as tiff:
        start, size = tiff.tag_v2[273][0], tiff.tag_v2[279][0]
    return written.getvalue()[start : start + size]


def _lzw(data: bytes) -> bytes:
    """Return data as LZW of nine bits, with a new table before each 200 codes."""
    codes = [one for place in range(0, len(data), 200) for one in (256, *data[place : place + 200])]
    bits = "".join(f"{one:09b}" for one in [*codes, 257])
    return bytes(int(bits[place : place + 8].ljust(8, "0"), 2) for place in range(0, len(bits), 8))


_RGB = {"entries": "/ColorSpace /DeviceRGB /BitsPerComponent 8"}
_MAC_HEADER = b"\0\x0binvoice.pdf" + bytes(115)
_TABLE = b"0000000000 65535 f"
PDFS: dict[str, bytes] = {
    "Pillow": _pillow(*(Image.new("RGB", (60, 30), one) for one in ("red", "blue"))),
    "WeasyPrint": HTML(string="<h1>Größe</h1><p>Invoice").write_pdf(),
    "ReportLab": _with_text(
        a85encode(zlib.compress(_TEXT)) + b"~>", "/Filter [/ASCII85Decode /FlateDecode]"
    ).replace(b"%PDF-1.7\n", b"%PDF-1.4\n%\x93\x8c\x8b\x9e ReportLab Generated\n"),
    "cairo": _with_text(zlib.compress(_TEXT), "/Filter /FlateDecode", "/Lang (en)"),
    "Ghostscript": _with_text(
        zlib.compress(_TEXT), "/Filter /FlateDecode", "/Metadata 10 0 R"
    ).replace(b"\n%%EOF\n", b"\n%%EOF"),
    "old Distiller": _with_text(_lzw(_TEXT), "/Filter /LZWDecode"),
    "Word for Mac": _saved(_with_text(), object_stream_mode=pikepdf.ObjectStreamMode.generate),
    "Acrobat, for the web": _saved(_with_text(), linearize=True),
    "LibreOffice": _saved(_with_text(), min_version="1.7", qdf=True),
    "iText, updated twice": _updated(
        _updated(_with_text(), (11, "<</Producer (iText)>>")), (12, "<</Producer (iText)>>")
    ),
    "Preview, with a deleted page": _updated(
        a_pdf("", "", "<</Type /Page /Parent 2 0 R>>"),
        (2, "<</Type /Pages /Kids [3 0 R] /Count 1>>"),
    ),
    "a bank, with an owner's password of 40 bits": _locked(2),
    "a bank, with an owner's password of 128 bits": _locked(3),
    "a bank, with an owner's password and AES": _locked(4),
    "a registry, with an owner's password and AES of 256 bits": _locked(6),
    "pyHanko, with an owner's password": locked(""),
    "scanner, JPEG": _scanner("/DCTDecode", a_picture("JPEG"), **_RGB),
    "scanner, CMYK": _scanner(
        "/DCTDecode",
        a_picture("JPEG", mode="CMYK"),
        "/ColorSpace /DeviceCMYK /BitsPerComponent 8 /Decode [1 0 1 0 1 0 1 0]",
    ),
    "scanner, JPEG 2000": _scanner("/JPXDecode", a_picture("JPEG2000")),
    "scanner, fax": _scanner(
        "/CCITTFaxDecode", _fax(),
        "/ColorSpace /DeviceGray /BitsPerComponent 1 /DecodeParms <</K -1 /Columns 64>>",
    ),
    "scanner, packed bits": _scanner(
        "/RunLengthDecode", b"\x81\xff" * 96 + b"\x80",
        "/ColorSpace /DeviceGray /BitsPerComponent 8",
    ),
    "scanner, table of objects from 1": a_pdf().replace(b"xref\n0 4", b"xref\n1 4"),
    "old library, first generation 65536": a_pdf().replace(_TABLE, b"0000000000 65536 f"),
    "old library, first generation 0": a_pdf().replace(_TABLE, b"0000000000 00000 f"),
    "old library, short rows": a_pdf().replace(b" n \n", b" n\n").replace(b" f \n", b" f\n"),
    "editor with the line ends of Windows": a_pdf().replace(b"\n", b"\r\n"),
    "mail program, without the last line": a_pdf().removesuffix(b"%%EOF\n"),
    "mail program, cut within the last line": a_pdf().removesuffix(b"OF\n"),
    "printer, job language before it": b"\x1b%-12345X@PJL ENTER LANGUAGE=PDF\r\n" + a_pdf(),
    "web server, byte order mark before it": b"\xef\xbb\xbf" + a_pdf(),
    "web server, lines before it": b"\r\n\r\n" + a_pdf(),
    "old Mac, header before it": _MAC_HEADER + a_pdf(),
    "tape, zeros behind it": a_pdf() + bytes(5000),
    "web server, HTML behind it": a_pdf() + b"<!-- " + HIDDEN + b" -->",
    "offsets from another place": a_pdf().replace(b"%PDF-1.7\n", b"%PDF-1.7\n%" + HIDDEN + b"\n"),
    "old Quartz, without any end": _with_text().partition(b"xref\n")[0],
    "for the web, without the last end": _saved(_with_text(), linearize=True).rpartition(
        b"startxref"
    )[0],
    # ssimms/pdfapi2 22, department-of-veterans-affairs/va.gov-team 90344
    "Sharp, words behind the version": a_pdf().replace(b"%PDF-1.7", b"%PDF-1.7 Sharp ImagePDF"),
    "a place of the table that is wrong": a_pdf().replace(b"startxref\n", b"startxref\n9"),
    "wrong length of a stream": _with_text().replace(b"/Length 43", b"/Length 99"),
    "a font's name in Latin-1": a_pdf("", "/Resources <</Font <</F1 9 0 R>>>>", b"<</Type /Font "
        b"/Subtype /TrueType /BaseFont /ABCDEF+Gr\xf6\xdfe>>"),
    "no type of a page tree": assembled(
        {1: "<</Type /Catalog /Pages 2 0 R>>", 2: "<</Kids [3 0 R] /Count 1>>",
         3: "<</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842]>>"}
    ),
    "a date and a title that are not text": assembled(
        {1: "<</Type /Catalog /Pages 2 0 R>>", 2: "<</Type /Pages /Kids [3 0 R] /Count 1>>",
         3: "<</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842]>>",
         4: b"<</Title (\xfe\xff\xd8) /CreationDate (yesterday) /Author <FEFF00>>>"},
        "/Info 4 0 R",
    ),
}  # fmt: skip


def _jpeg(mode: str = "RGB", **options: object) -> bytes:
    return a_picture("JPEG", (60, 30), mode, **options)


def _exif(turned: int) -> Image.Exif:
    exif = Image.Exif()
    exif[0x0112], exif[0x010F], exif[0x010E] = turned, "Maker", HIDDEN.decode()
    return exif


def _with_segment(marker: int, data: bytes) -> bytes:
    """Return a JPEG with a segment behind its first marker."""
    plain = _jpeg()
    segment = struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data
    return plain[:2] + segment + plain[2:]


def _camera() -> bytes:
    """Return a JPEG with a second picture, as cameras write it (MPF)."""
    written = io.BytesIO()
    first, second = (Image.new("RGB", (60, 30), one) for one in ("red", "blue"))
    first.save(written, "MPO", save_all=True, append_images=[second])
    return written.getvalue()


_SAMSUNG = (
    b"\0\0\1\x0a\x0e\0\0\0Image_UTC_Data1700000000000" + HIDDEN
    + b"SEFHk\0\0\0\1\0\0\0\0\0\1\x0a\x23\0\0\0\x23\0\0\0\x18\0\0\0SEFT"
)  # fmt: skip
_FILM = b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + HIDDEN * 20
#: All are 60 pixels wide and 30 high when they are upright.
PICTURES: dict[str, bytes] = {
    "baseline": _jpeg(),
    "progressive": _jpeg(progressive=True),
    "optimised, without subsampling": _jpeg(optimize=True, subsampling=0),
    "grey": _jpeg("L"),
    "CMYK": _jpeg("CMYK"),
    "mail program, without the mark of the end": _jpeg().removesuffix(b"\xff\xd9"),
    "mail program, with half the mark": _jpeg().removesuffix(b"\xd9"),
    "progressive, without the mark of the end": _jpeg(progressive=True).removesuffix(b"\xff\xd9"),
    "CMYK, without the mark of the end": _jpeg("CMYK").removesuffix(b"\xff\xd9"),
    "PNG without its last part": a_picture("PNG", (60, 30))[:-12],
    "Samsung, data of its own behind it": _jpeg() + _SAMSUNG,
    "motion photo": _jpeg() + _FILM,
    "camera, second picture": _camera(),
    "camera, second picture and a film": _camera() + _FILM,
    "camera, damaged list of pictures": _with_segment(0xE2, b"MPF\0II*\0\xff\xff\xff\xff"),
    "camera, damaged EXIF data": _with_segment(0xE1, b"Exif\0\0II*\0\x08\0\0\0\xff\xff"),
    "camera, comment": _with_segment(0xFE, HIDDEN),
    "Photoshop": _with_segment(0xED, b"Photoshop 3.0\0" + HIDDEN),
    "zeros behind it": _jpeg() + bytes(4096),
    "line end behind it": _jpeg() + b"\r\n",
    "PNG": a_picture("PNG", (60, 30)),
    "PNG with a palette": a_picture("PNG", (60, 30), "P"),
    "PNG of one bit": a_picture("PNG", (60, 30), "1"),
    "PNG of 16 bits": a_picture("PNG", (60, 30), "I;16"),
    "PNG with transparency": a_picture("PNG", (60, 30), "RGBA"),
    "PNG in grey with transparency": a_picture("PNG", (60, 30), "LA"),
    "PNG, screenshot with data behind it": a_picture("PNG", (60, 30)) + HIDDEN,
    "PNG with EXIF data": a_picture("PNG", (60, 30), exif=_exif(1)),
}
for _turned in range(1, 9):
    _size = (30, 60) if _turned > 4 else (60, 30)
    PICTURES[f"phone, turned ({_turned})"] = a_picture("JPEG", _size, exif=_exif(_turned))

OTHERS: dict[str, tuple[bytes, str]] = {
    "iphone.heic": (b"\0\0\0\x24ftypheic\0\0\0\0mif1heic", "a HEIC photo.*Most compatible"),
    "named.jpg": (b"\0\0\0\x1cftypmif1\0\0\0\0mif1heic", "a HEIC photo"),
    "android.avif": (b"\0\0\0\x1cftypavif\0\0\0\0", "an AVIF picture"),
    "clip.mov": (b"\0\0\0\x14ftypqt  \0\0\0\0", "a film"),
    "chat.webp": (a_picture("WEBP"), "a WebP picture"),
    "scan.tif": (a_picture("TIFF"), "a TIFF picture"),
    "letter.docx": (b"PK\3\4\x14\0\6\0[Content_Types].xml PK\3\4word/document.xml", "a Word doc"),
    "list.xlsx": (b"PK\3\4\x14\0\6\0[Content_Types].xml PK\3\4xl/workbook.xml", "an Excel"),
    "letter.odt": (b"PK\3\4mimetypeapplication/vnd.oasis.opendocument.text", "an OpenDocument"),
    "letter.doc": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "an older Office document"),
    "visura.pdf.p7m": (
        b"0\x82\x12\x34\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02" + a_pdf(),
        "a file with a signature around it.*PDF inside",
    ),
    "mail.eml": (b"Received: from mail.example by mx.example\r\n", "an e-mail"),
    "logo.svg": (b"<?xml version='1.0'?>\n<svg xmlns='http://www.w3.org/2000/svg'/>", "an SVG"),
    "login.pdf": (b"\n\n<!DOCTYPE html><html><title>Sign in", "a web page"),
    "text.pdf": (b"Dear Sir or Madam", "not a PDF, PNG or JPEG"),
}
