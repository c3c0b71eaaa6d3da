"""Process that turns the picture on its standard input into a logo, or says why not."""

import sys
from io import BytesIO

from console.core import isolation, pictures

MEMORY, CPU_SECONDS = 512 * 1024 * 1024, 5
MOST_PIXELS = 10_000_000
SIDE = 512
LARGE, INCOMPLETE, UNREADABLE = b"large", b"incomplete", b"unreadable"


def main() -> None:
    """Write an upright PNG without metadata of at most SIDE x SIDE pixels, or why not."""
    isolation.limit(memory=MEMORY, cpu_seconds=CPU_SECONDS)
    sys.stdout.buffer.write(as_png(sys.stdin.buffer.read()))


def as_png(data: bytes) -> bytes:
    try:
        picture = pictures.decoded(data, most_pixels=MOST_PIXELS, mode="RGBA")
    except pictures.LargePicture:
        return LARGE
    except pictures.IncompletePicture:
        return INCOMPLETE
    except pictures.UnreadablePicture:
        return UNREADABLE
    picture.thumbnail((SIDE, SIDE))
    # Drops the colour profile, which is metadata too.
    picture.info.clear()
    written = BytesIO()
    picture.save(written, "PNG")
    return written.getvalue()


if __name__ == "__main__":
    main()
