"""python3 check_evidence.py FOLDER [ROOT [TIME_ROOT]]: 0 in order, 1 not, 2 cannot be checked."""

import hashlib
import json
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
from datetime import datetime
from pathlib import Path

CHAIN = "-purpose any -no-CApath -no-CAstore -CAfile root"
CMS = "cms -verify -binary -inform DER -in cms -content content -signer by -out out"
STAMP = "ts -verify -no_check_time -data manifest.json -in manifest.tsr -untrusted tsa-chain.pem"
FIXED = (
    *"""00-certificate.pdf READ-ME.txt audit-head.json events.jsonl manifest.json manifest.sig
offer.json root.pem seal.pem signed-set.json verify.sh""".split(),
)
names, m, acts, decisions = set(), {}, {}, {}


def sha(data):
    return hashlib.sha256(data).hexdigest()


def read(name):
    return (work / name).read_bytes()


def openssl(words):
    subprocess.run(["openssl", *words.split()], cwd=work, capture_output=True, check=True)


def body(data, kind):
    whole = json.loads(data)
    return whole["body"] if whole["_type"] == f"agr.{kind}" else None


def certificates(name):
    found = re.findall(
        "-----BEGIN CERT.+?-----END CERTIFICATE-----", read(name).decode(), re.DOTALL
    )
    return [ssl.PEM_cert_to_DER_cert(one) for one in found]


def folder_is_plain():
    paths = [*folder.rglob("*")]
    names.update(str(path.relative_to(folder)) + "/" * path.is_dir() for path in paths)
    yield all(re.fullmatch("((?!-)[A-Za-z0-9._-]+(/|$)){1,2}", name) for name in names)
    yield all((path.is_file() or path.is_dir()) and not path.is_symlink() for path in paths)
    shutil.copytree(folder, work)


def seal():
    (root, *_), (leaf, *_) = certificates("root.pem"), certificates("seal.pem")
    (work / "root").write_text(ssl.DER_cert_to_PEM_cert(root))
    (work / "seal").write_text(ssl.DER_cert_to_PEM_cert(leaf))
    openssl("x509 -in seal -pubkey -noout -out key")
    openssl("dgst -sha256 -verify key -signature manifest.sig manifest.json")
    openssl("dgst -sha256 -verify key -signature SHA256SUMS.sig SHA256SUMS")
    m.update(body(read("manifest.json"), "manifest.v2"))
    yield m["seal"] == {"certificate_sha256": sha(leaf), "root_sha256": sha(root)}
    yield ROOT in ("", sha(root))
    at = datetime.strptime(m["executed_at"].replace("Z", "+0000"), "%Y-%m-%dT%H:%M:%S%z")
    openssl(f"verify -attime {int(at.timestamp())} {CHAIN} -untrusted seal.pem seal")


def hashes():
    bound = {"offer.json": m["offer_sha256"], "signed-set.json": m["signed_set_sha256"]}
    m["approvals"].append({"role": "countersignatory", "sha256": m["countersign_sha256"]})
    for n, one in enumerate(m["approvals"], 1):
        decisions[f"approvals/{n:02d}-{one['role']}.json"] = one["sha256"]
    acts.update({f"acts/{n:02d}.json": one for n, one in enumerate(m["acts"], 1)})
    for one in m["sealed"]:
        bound[one["file"]] = one["sealed_sha256"]
        bound[f"html/{one['file'][:-4]}.html"] = one["html_sha256"]
    bound |= {"audit-head.json": m["audit_head_sha256"], **acts, **decisions}
    times = () if m["time"] in ("none", "pending") else ("manifest.tsr", "tsa-chain.pem")
    listed = {*FIXED, *bound, *times}
    yield names == listed | {"acts/", "approvals/", "html/", "SHA256SUMS", "SHA256SUMS.sig"}
    yield [sha(read(name)) for name in bound] == [*bound.values()]
    for one in m["sealed"]:
        yield sha(read(one["file"])[: one["reviewed_bytes"]]) == one["unsigned_sha256"]
    yield read("SHA256SUMS").decode() == "".join(f"{sha(read(n))}  {n}\n" for n in sorted(listed))


def agreement():
    offer, pack, under = body(read("offer.json"), "offer.v1"), m["pack"], m["offer_sha256"]
    yield m["sealed"] and (offer["pack"], offer["revision"]) == (pack, m["revision"])
    for o, d in zip(offer["documents"], m["sealed"], strict=True):
        yield f"{o['order']:02d}-{o['code']}.pdf" == d["file"] and o["bytes"] == d["reviewed_bytes"]
        yield all(o[key] == d[key] for key in ("html_sha256", "unsigned_sha256"))
    for name in acts:
        act = body(read(name), "act.v1")
        words = act["statement"].removesuffix(f" Fingerprint of the pack: {under}.")
        said = [sha(text.encode()) for text in (act["statement"], words)]
        yield said == [act["statement_sha256"], offer["statement_sha256"]]
        yield (act["pack"], act["offer_sha256"]) == (pack, under)
    signed, set_sha256 = body(read("signed-set.json"), "signed-set.v1"), m["signed_set_sha256"]
    yield acts and signed == {"acts": sorted(acts.values()), "offer_sha256": under}
    for name in decisions:
        one, role = body(read(name), "decision.v1"), name[13:-5]
        yield one["verdict"] == ("countersigned" if role == "countersignatory" else "approved")
        yield (one["pack"], one["role"], one["signed_set_sha256"]) == (pack, role, set_sha256)
    prev, *lines = "0" * 64, *read("events.jsonl").split(b"\n")
    told = [body(line, "event.v1") for line in lines[:-1]]
    for number, one in enumerate(told):
        yield (one["seq"], one["prev"]) == (number, prev)
        prev = sha(lines[number])
    yield lines[-1] == b"" and m["events"] == {"count": len(told), "head": prev}
    known = {one.get(key) for one in told for key in ("act_sha256", "decision_sha256")}
    yield known >= {*acts.values(), *decisions.values()}


def pdfs_and_time():
    for data in map(read, ("00-certificate.pdf", *(one["file"] for one in m["sealed"]))):
        (found,) = re.findall(rb"/ByteRange *\[([^]]*)", data)
        start, before, after, rest = map(int, found.split())
        cms = bytes.fromhex(re.fullmatch(b"<([0-9A-Fa-f]+)>", data[before:after])[1].decode())
        yield start == 0 and after + rest == len(data)
        (work / "cms").write_bytes(cms)
        (work / "content").write_bytes(data[:before] + data[after:])
        openssl(f"{CMS} -no_check_time {CHAIN}")
        yield [*map(sha, certificates("by"))] == [m["seal"]["certificate_sha256"]]
        head = 2 + (cms[1] & 127) * (cms[1] > 127)
        yield not cms[head + int.from_bytes(cms[2:head] or cms[1:2], "big") :].strip(b"\0")
    yield read("manifest.json") in read("00-certificate.pdf").split(b"\n")
    if "manifest.tsr" in names:
        openssl(f"{STAMP} -partial_chain -CAfile tsa-chain.pem")
    if "manifest.tsr" in names and TIME_ROOT:
        believed = {sha(one): one for one in certificates("tsa-chain.pem")}[TIME_ROOT]
        (work / "believed").write_text(ssl.DER_cert_to_PEM_cert(believed))
        openssl(f"{STAMP} -CAfile believed")


ROOT, TIME_ROOT, *rest = [one.lower().replace(":", "") for one in sys.argv[2:]] + [""] * 2
named = all(re.fullmatch("([0-9a-f]{64})?", one) for one in (ROOT, TIME_ROOT, *rest))
folder = Path([*sys.argv, ""][1])
if not (named and len(sys.argv) in (2, 3, 4) and folder.is_dir() and shutil.which("openssl")):
    sys.exit(print(__doc__) or 2)
with tempfile.TemporaryDirectory() as place:
    work, parts = Path(place, "copy"), (folder_is_plain, seal, hashes, agreement, pdfs_and_time)
    try:
        right = all(print(part.__name__) or all(part()) for part in parts)
    except Exception:  # what cannot be read is not in order
        right = False
print("In order." if right and ROOT else "Name the root." if right else "That is NOT in order.")
sys.exit(1 if not right else 0 if ROOT else 2)
