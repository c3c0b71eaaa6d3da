"""Pictures to offer as a logo, and files that are hostile."""

import gzip
import io
import struct
import zipfile
import zlib

from PIL import Image
from PIL.PngImagePlugin import PngInfo

SECRET = b"who-took-this-picture"


def a_picture(
    kind: str = "PNG", size: tuple[int, int] = (64, 64), mode: str = "RGB", **options: object
) -> bytes:
    """Return a picture of one colour."""
    written = io.BytesIO()
    Image.new(mode, size, 1 if mode in ("1", "L", "P", "I;16") else "teal").save(
        written, kind, **options
    )
    return written.getvalue()


def a_logo() -> bytes:
    return a_picture()


def with_metadata() -> bytes:
    """Return a PNG with a comment, EXIF data and a colour profile."""
    notes = PngInfo()
    notes.add_text("Author", SECRET.decode())
    exif = Image.Exif()
    exif[0x010E] = SECRET.decode()
    return a_picture(pnginfo=notes, exif=exif, icc_profile=SECRET)


def chunk(kind: bytes, data: bytes) -> bytes:
    """Return one chunk of a PNG."""
    checked = kind + data
    return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))


def png(width: int, height: int, rows: bytes, *more: bytes, kind: int = 2) -> bytes:
    """Return a PNG whose header claims a size, whatever its rows hold."""
    header = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    chunks = [chunk(b"IHDR", header), *more, chunk(b"IDAT", zlib.compress(rows))]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks) + chunk(b"IEND", b"")


def a_zip(name: str = "a.png", data: bytes = b"a") -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return written.getvalue()


_SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>'
_PDF = b"%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj"
_HTML = b"<!doctype html><script>alert(1)</script>"
_EICAR = rb"X5O!P%@AP[4\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"
_XXE = b'<!DOCTYPE s [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>'
_BMP = a_picture("BMP")
_PNG, _JPEG = a_picture(), a_picture("JPEG")
_BROKEN = _PNG[:20] + bytes([_PNG[20] ^ 255]) + _PNG[21:]

#: Pictures with something behind them, which no viewer shows.
BEHIND: dict[str, bytes] = {
    "html-behind.png": _PNG + _HTML,
    "zip-behind.png": _PNG + a_zip(),
    "php-behind.jpg": _JPEG + b"<?php system('id'); ?>",
    "pdf-behind.jpg": _JPEG + _PDF,
    "zip-behind.jpg": _JPEG + a_zip(),
}
#: By name as uploaded. Most claim to be a picture by their name, type or first bytes.
HOSTILE: dict[str, bytes] = {
    # Other kinds of files
    "script.svg": _SVG,
    "named.svg.png": _SVG,
    "entity.svg": _XXE,
    "packed.svgz": gzip.compress(_SVG),
    "page.html": _HTML,
    "page.png": _HTML,
    "script.js.png": b"alert(1)",
    "javascript.pdf": _PDF,
    "pdf.png": _PDF,
    "encrypted.pdf": _PDF + b"\ntrailer<</Encrypt 2 0 R>>",
    "eicar.com": _EICAR,
    "eicar.com.png": _EICAR,
    "shell.php.png": b"<?php system($_GET['c']); ?>",
    "shell.sh": b"#!/bin/sh\nrm -rf /\n",
    "program.exe.png": b"MZ" + bytes(200),
    "program.elf": b"\x7fELF" + bytes(200),
    "archive.zip": a_zip(),
    "paths.zip": a_zip("../../etc/passwd"),
    "bomb.zip": a_zip("bomb", bytes(50_000_000)),
    "bomb.gz": gzip.compress(bytes(50_000_000)),
    "animation.gif": a_picture("GIF"),
    "gif.png": a_picture("GIF"),
    "comment.gif": b"GIF89a/*" + bytes(40) + b"*/=1;alert(1)",
    "bitmap.bmp": _BMP,
    "bitmap.png": _BMP,
    "tiff.jpg": a_picture("TIFF"),
    "webp.png": a_picture("WEBP"),
    "icon.ico": a_picture("ICO"),
    "phone.heic": b"\0\0\0\x24ftypheic\0\0\0\0mif1heic",
    "phone.png": b"\0\0\0\x24ftypheic\0\0\0\0mif1heic",
    "letter.docx": a_zip("word/document.xml"),
    "picture.ppm": a_picture("PPM"),
    "postscript.eps": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(%pipe%id) (w) file\n",
    "mvg.png": b"push graphic-context\nfill 'url(https://127.0.0.1/\"|id\")'\npop graphic-context",
    "playlist.png": b"#EXTM3U\nfile:///etc/passwd\n",
    # Pixel bombs
    "wide.png": png(200_000, 200_000, b""),
    "largest.png": png(2**31 - 1, 2**31 - 1, b""),
    "twelve-megapixels.png": png(4000, 3000, bytes(3000 * 12_001)),
    "ninety-megapixels.png": png(10_000, 9_000, bytes(1000)),
    "large.jpg": a_picture("JPEG", (5000, 4000)),
    "text-bomb.png": png(
        9, 9, bytes(252), chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(50_000_000)))
    ),
    "profile-bomb.png": png(
        9, 9, bytes(252), chunk(b"iCCP", b"a\0\0" + zlib.compress(bytes(50_000_000)))
    ),
    # Broken pictures
    "no-pixels.png": png(0, 0, b""),
    "half.png": _PNG[: len(_PNG) // 2],
    "half.jpg": _JPEG[: len(_JPEG) // 2],
    "signature-alone.png": _PNG[:8],
    "wrong-checksum.png": _BROKEN,
    "few-rows.png": png(500, 500, bytes(10)),
    "jpeg-marker.jpg": b"\xff\xd8\xff\xe0" + bytes(50) + b"\xff\xd9",
    # Names and sizes
    "../../../etc/cron.d/logo.svg": _SVG,
    "nothing.png": b"",
    "too-large.png": png(9, 9, bytes(252), chunk(b"junK", bytes(1024 * 1024))),
}
