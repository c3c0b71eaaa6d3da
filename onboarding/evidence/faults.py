"""EvidenceFault: why the process that inspects files refuses one."""


class EvidenceFault(Exception):
    """Why the file is refused, as a code of `inspection.WORDS`."""
