"""Check the audit log's JSON lines as `evidence.md` says: check_log.py FILE [COUNT:HASH ...]
ends with 0 (in order) or 1 (not in order). Name heads of the log that were published earlier."""

import hashlib, json, re, sys  # noqa: E401, I001
from pathlib import Path

LINE = re.compile(rb'\{"count":(\d+|null),"hash":"([0-9a-f]{64}|)","entry":(.*)\}')
HIDDEN = "console.audit.shortened_entry.v1"


def read(path):  # a line of another form is a fault; an entry that is too new has no place yet
    found, faults = {}, []
    for line in Path(path).read_bytes().splitlines():
        match = LINE.fullmatch(line)
        if match is None:
            faults.append(f"this is no entry: {line[:60]}")
        elif match[1] != b"null":
            found[int(match[1])] = match[2].decode(), match[3]
    return found, faults


def kind(count, found):  # what is known of the entry with this place
    said, entry = found[count]
    if json.loads(entry)["_type"] == HIDDEN:
        return "hidden text, hash taken from the log"
    before, _ = found.get(count - 1, ("" if count > 1 else "0" * 64, b""))
    if not before:
        return "not checked, because the file does not have the entry before it"
    right = hashlib.sha256(before.encode() + entry).hexdigest() == said
    return "" if right else "it does not have its hash"


def main(path, *heads):
    found, faults = read(path)
    kinds = {count: kind(count, found) for count in sorted(found)}
    for count, said in kinds.items():
        if said:
            print(f"entry {count}: {said}")
    faults += [
        f"entry {count} was changed" for count, said in kinds.items() if "not have its" in said
    ]
    for head in heads:
        count, _, said = head.partition(":")
        if found.get(int(count), ("",))[0] != said:
            faults.append(f"the file does not have the head {head}")
    proved = sum(not said for said in kinds.values())
    print(f"{proved} of {len(found)} entries were checked with the hash of the entry before them.")
    print(*faults or ["In order."], sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
