"""Audit log messages about evidence files."""

SENTENCES = {
    "evidence_file.added": "{actor} uploaded a file, {subject}",
    "evidence_file.scanned": "The virus scanner found nothing in a file, {subject}",
    "evidence_file.infected": "The virus scanner found a virus in a file, {subject}; we removed it",
    "evidence_file.viewed": "{actor} looked at a file, {subject}",
    "evidence_file.downloaded": "{actor} downloaded a file, {subject}",
    "evidence_file.relied_on": "{actor} decided a check on the evidence of a file, {subject}",
    "evidence_file.withdrawn": "{actor} removed a file, {subject}",
    "evidence_file.outlived": "We no longer need a file, {subject}; we removed it",
}
