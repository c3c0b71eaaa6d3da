"""Why a request is answered before any application has seen it."""


class Unserved(Exception):
    """A request that gets no thread. `code` is for whoever writes the answer."""

    def __init__(self, code: str, status: int, *, retry_after: int = 0) -> None:
        super().__init__(code)
        self.code = code
        self.status = status
        self.retry_after = retry_after


class TooLarge(Unserved):
    """Its body is larger than any that is read here."""

    def __init__(self) -> None:
        super().__init__("too_large", 413)


class TooSlow(Unserved):
    """Its body stopped arriving, or took too long."""

    def __init__(self) -> None:
        super().__init__("too_slow", 408)


class CutShort(Unserved):
    """Its body ended before its end."""

    def __init__(self) -> None:
        super().__init__("cut_short", 400)


class Busy(Unserved):
    """As many are waiting as may wait."""

    def __init__(self, retry_after: int = 5) -> None:
        super().__init__("busy", 503, retry_after=retry_after)


class Stopping(Unserved):
    """This process ends; the next one will answer."""

    def __init__(self) -> None:
        super().__init__("stopping", 503, retry_after=5)
