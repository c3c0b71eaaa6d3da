"""Check an agreement pack as `evidence.md` says: check_evidence.py FOLDER [ROOT [TIME_ROOT]]
ends with 0 (in order), 1 (not in order) or 2 (cannot be checked, or no ROOT was named)."""

import base64, datetime, hashlib, itertools, json, re, ssl, subprocess, sys, tempfile  # noqa: E401, I001
from pathlib import Path
from unicodedata import normalize

ALWAYS = """00-certificate.pdf READ-ME.txt SHA256SUMS SHA256SUMS.sig events.jsonl manifest.json
    manifest.sig root.pem seal.pem verify.sh """
STAMPED = {"trusted": True, "simulated": True, "pending": False, "none": False}
PLAIN = r"(acts|approvals|html)/|((acts|approvals|html)/)?[A-Za-z0-9._][A-Za-z0-9._-]*"
PEM = r"-----BEGIN CERTIFICATE-----[A-Za-z0-9+/\s]+={0,2}\s+-----END CERTIFICATE-----\s*"


def sha(data):
    return hashlib.sha256(data).hexdigest()


def certificates(pem):  # openssl is given these alone, as it reads kinds of PEM that we do not
    return {sha(ssl.PEM_cert_to_DER_cert(x)): x.encode() for x in re.findall(PEM, pem.decode())}


def openssl(command, **copies):  # what it prints if all is good, which is never nothing
    with tempfile.TemporaryDirectory() as work:
        for name, data in copies.items():
            Path(work, name).write_bytes(data)
        run = subprocess.run(["openssl", *command.split()], cwd=work, capture_output=True)
    return b"" if run.returncode else run.stdout + run.stderr


def canonical(kind, body):
    read = {"_type": kind, "body": body}
    return json.dumps(read, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def body(data, *kinds):
    read = json.loads(data, parse_float=int, parse_constant=int)  # int refuses what is no integer
    text = canonical(read["_type"], read["body"])
    if normalize("NFC", text.decode()).encode() != data or read["_type"] not in kinds:
        raise ValueError(f"this is not canonical JSON of the kind {kinds}: {data[:60]}")
    return read["body"]


def proven(one, kind):  # a passkey signed a statement that is made again from the act itself
    said, by_passkey = one.get("assertion"), one.get("method") == "passkey"
    if not by_passkey or not said:
        return by_passkey == bool(said)
    acts = {"approved": "approve", "countersigned": "countersign"}
    of = "offer" if kind == "act" else "signed_set"
    act = {"act": "sign" if kind == "act" else acts[one["verdict"]], "subject": one["pack"]}
    act |= {"role": one.get("role", ""), "sha256": one[f"{of}_sha256"], "terms_sha256": ""}
    act |= {"person": one["person"]["id"]} | {x: said[x] for x in ("asked_at", "nonce", "origin")}
    if "products" in one:
        act["terms_sha256"] = sha(canonical("agr.products.v1", one["products"]))
    names = "authenticator_data", "client_data", "public_key", "signature"
    data, client, key, sig = (bytes.fromhex(said[x]) for x in names)
    challenge = hashlib.sha256(canonical("console.act.v1", act)).digest()
    challenge = base64.urlsafe_b64encode(challenge).rstrip(b"=").decode()
    told = {"type": "webauthn.get", "challenge": challenge, "origin": said["origin"]}
    site = hashlib.sha256(re.sub(r"^[a-z]+://|[:/].*", "", said["origin"]).encode()).digest()
    signed = data + hashlib.sha256(client).digest()
    copies = {
        "key": openssl("pkey -pubin -inform DER -in der", der=key),
        "data": signed,
        "sig": sig,
    }
    command = "dgst -sha256 -verify key -signature sig data"
    if b"ED25519" in openssl("pkey -pubin -in key -noout -text", **copies):
        command = "pkeyutl -verify -pubin -inkey key -rawin -in data -sigfile sig"
    good = data[:32] == site and data[32] & 5 == 5  # somebody was there, and it verified its user
    return good and json.loads(client) | told == json.loads(client) and openssl(command, **copies)


def seals(files, it, named, time_root):
    roots, chain = (certificates(files[x]) for x in ("root.pem", "seal.pem"))
    (root,), (by, *_) = roots, chain  # the root stands alone in its file
    yield f"you named {named or 'no root'}, the root is {root}", root == named if named else None
    yield "the manifest names both", it["seal"] == {"certificate_sha256": by, "root_sha256": root}
    copies = {"root": roots[root], "seal": chain[by], "all": b"".join(chain.values())}
    at = datetime.datetime.strptime(it["executed_at"] + "+0000", "%Y-%m-%dT%H:%M:%SZ%z").timestamp()
    command = f"verify -no-CApath -no-CAstore -CAfile root -untrusted all -attime {at:.0f} seal"
    yield "the seal was issued under it, and was good at the execution", openssl(command, **copies)
    yield "its key is P-256", b"OID: prime256v1" in openssl("x509 -in seal -noout -text", **copies)
    copies["key"] = openssl("x509 -in seal -noout -pubkey", **copies)
    for name, sig in ("manifest.json", "manifest.sig"), ("SHA256SUMS", "SHA256SUMS.sig"):
        copies |= {"data": files[name], "sig": files[sig]}
        yield f"{name} is signed", openssl("dgst -sha256 -verify key -signature sig data", **copies)
    for name, pdf in ((x, files[x]) for x in files if x.endswith(".pdf")):  # fails but for 1 range
        a, b, c = map(int, *re.findall(rb"/ByteRange \[(?: *0 +(\d+) +(\d+) +(\d+) *])?", pdf))
        cms = bytes.fromhex(re.fullmatch(rb"<([0-9A-Fa-f]+)>", pdf[a:b])[1].decode())
        head = 2 + (cms[1] & 127)  # in DER so many bytes say the length, which is above 127
        whole = b + c == len(pdf) and not any(cms[head + int.from_bytes(cms[2:head], "big") :])
        command = "cms -verify -binary -noverify -inform DER -in cms -content pdf -out x -signer "
        signers = openssl(command + "/dev/stdout", cms=cms, pdf=pdf[:a] + pdf[b:])
        yield f"{name} has one seal, this, over all", whole and [*certificates(signers)] == [by]
    yield "00 has the manifest", files["manifest.json"] in files["00-certificate.pdf"].split(b"\n")
    chain = certificates(files["tsa-chain.pem"]) if STAMPED[it["time"]] else {}  # all may end it
    copies = {"all": b"".join(chain.values()), "tsr": files.get("manifest.tsr", b"")}
    command = "ts -verify -in tsr -data data -untrusted all -partial_chain -no_check_time -CAfile x"
    ends = [x for x in chain if openssl(command, x=chain[x], data=files["manifest.json"], **copies)]
    if STAMPED[it["time"]]:
        yield f"the time-stamp is over the manifest, by {ends}", ends and time_root in (*ends, "")
    yield f"time ({it['time']}) is proven: {it['time'] == 'trusted' and time_root in ends}", None


def bound(it, offer):  # each other file of JSON, its kind, its hash and what stands in it
    pack, offered, signed = ({x: it[x]} for x in ("pack", "offer_sha256", "signed_set_sha256"))
    consent = next((x["unsigned_sha256"] for x in it["sealed"] if x["code"] == "ERC"), "")
    said = {"revision": it["revision"], "consent_sha256": consent, "sha256": it["offer_sha256"]}
    yield "offer.json", "offer", pack | said
    said = {"acts": sorted(it["acts"]), "sha256": it["signed_set_sha256"]}
    yield "signed-set.json", "signed-set", offered | said
    yield "audit-head.json", "audit-head", {"sha256": it["audit_head_sha256"]}
    for x in ("facts", "ruleset", "trace", "profile"):  # what the documents were made from, and how
        yield f"{x}.json", x.replace("profile", "render-profile"), {"sha256": offer[f"{x}_sha256"]}
    for n, one in enumerate(it["acts"], 1):
        yield f"acts/{n:02}.json", "act", pack | offered | {"sha256": one}
    last = {"role": "countersignatory", "sha256": it["countersign_sha256"]}
    for n, one in enumerate([*it["approvals"], last], 1):
        said = pack | signed | one | {"verdict": "countersigned" if one is last else "approved"}
        yield f"approvals/{n:02}-{one['role']}.json", "decision", said


def contents(files, it):
    *lines, rest = files["events.jsonl"].split(b"\n")
    events, chain = [body(x, "agr.event.v1") for x in lines], ["0" * 64, *map(sha, lines)]
    linked = events == [x | {"seq": n, "prev": chain[n]} for n, x in enumerate(events)]
    yield "each event follows the one before", linked and not rest
    yield "the manifest names the last", it["events"] == {"count": len(lines), "head": chain[-1]}
    names = {*(ALWAYS + "manifest.tsr tsa-chain.pem" * STAMPED[it["time"]]).split()}
    offer, before, signers = body(files["offer.json"], "agr.offer.v1"), {}, []
    for name, kind, said in bound(it, offer):
        names.add(name)
        kinds = [f"agr.{kind}.v1"] + [f"agr.{kind}.v2"] * (kind in ("act", "decision"))
        one = body(files[name], *kinds) | {"sha256": sha(files[name])}
        if kind == "act":
            text, *more = one["statement"].split(f" Fingerprint of the pack: {it['offer_sha256']}.")
            same = [sha(text.encode()), more] == [offer["statement_sha256"], [""]]
            yield f"{name} states what the offer does", same
            signers.append(one.get("person", {}).get("email", "").lower())
            said |= {"statement_sha256": sha(one["statement"].encode())}
        yield f"{name} has its hash, and is bound to this pack", one | said == one
        if kind in ("act", "decision"):
            method = one.get("method", "nothing that it names")
            yield f"{name} was proven by {method}, as it says", proven(one, kind)
            told = one["sha256"] in [x.get(f"{kind}_sha256") for x in events]
            yield f"{name} is among the events", told and before.get(kind, "") <= one["time"]
            before[kind] = one["time"]
    if who := offer.get("authority", {}).get("signatory"):  # the first format names nobody
        named = {x["email"].lower() for x in [who, *who.get("others", ())]}
        enough = len({*signers} & named) >= max(len(signers), offer["authority"].get("needs", 1))
        yield f"enough of those whom the offer names have signed, each once: {signers}", enough
    for n, (one, shown) in enumerate(zip(it["sealed"], offer["documents"], strict=True), 1):
        name = f"{n:02}-{one['code']}"
        names |= {f"{name}.pdf", f"html/{name}.html"}
        pdf, html = files[f"{name}.pdf"], files[f"html/{name}.html"]
        plain = pdf[: one["reviewed_bytes"]]
        same = {"html_sha256": sha(html), "unsigned_sha256": sha(plain), "code": one["code"]}
        known = {"sealed_sha256": sha(pdf), "sealed_bytes": len(pdf), "reviewed_bytes": len(plain)}
        yield f"{name} is as the manifest says", one | known | same | {"file": f"{name}.pdf"} == one
        yield f"{name} is as offered", shown | same | {"order": n, "bytes": len(plain)} == shown
    odd = sorted({*files} ^ names)
    yield f"there are exactly these files {odd or ''}", not odd and it["acts"] and it["sealed"]
    sums = "".join(f"{sha(files[x])}  {x}\n" for x in sorted(names) if "SHA256SUMS" not in x)
    yield "SHA256SUMS lists every file with its hash", sums.encode() == files["SHA256SUMS"]


def main(folder="", *named):
    root, time_root, *_ = (re.sub(r"[\s:]", "", x).lower() for x in (*named, "", ""))
    code, failed = 0 if root else 2, 2  # a failure is the folder's own fault once it was listed
    try:
        if not folder or not all(re.fullmatch("([0-9a-f]{64})?", x) for x in (root, time_root)):
            raise ValueError("name a folder, and fingerprints of 64 hexadecimal digits")
        openssl("version")
        found, failed = sorted([*Path(folder).iterdir(), *Path(folder).glob("*/*")]), 1
        names = {str(x.relative_to(folder)) + "/" * (not x.is_file()): x for x in found}
        if odd := [x for x in names if names[x].is_symlink() or not re.fullmatch(PLAIN, x)]:
            raise ValueError(f"these are no plain files with plain names: {odd}")
        files = {name: path.read_bytes() for name, path in names.items() if path.is_file()}
        it = body(files["manifest.json"], "agr.manifest.v1")
        for words, good in itertools.chain(seals(files, it, root, time_root), contents(files, it)):
            print("note " if good is None else "ok   " if good else "WRONG", ascii(words))
            code = code if good or good is None else 1
    except Exception as fault:
        code, mark = failed, "WRONG" if failed == 1 else "note "
        print(mark, ascii(f"what comes next cannot be read: {type(fault).__name__}: {fault}"))
    print(("In order.", "Not in order.", "Cannot be checked: see the notes above.")[code])
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
