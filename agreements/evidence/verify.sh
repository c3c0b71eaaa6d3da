#!/bin/sh
# Checks this folder offline: sh verify.sh [root-fingerprint]
# Needs sha256sum and openssl. With pdfsig (poppler-utils) it also asks a second reader of PDFs.
set -u
cd "$(dirname "$0")" || exit 2
failed=0
say() { printf '%-58s %s\n' "$1" "$2"; }
good() { say "$1" "ok"; }
bad() { say "$1" "FAILED"; failed=1; }
check() { what=$1; shift; if "$@" >/dev/null 2>&1; then good "$what"; else bad "$what"; fi; }

for tool in sha256sum openssl head sed tr; do
  command -v "$tool" >/dev/null 2>&1 || { echo "verify.sh needs $tool."; exit 2; }
done
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

check "No file of this folder has changed (SHA256SUMS)" sha256sum --check --strict --quiet SHA256SUMS

# Everything below rests on the root. Compare its fingerprint with the one you were given.
root=$(openssl x509 -in root.pem -outform DER 2>/dev/null | sha256sum | cut -d' ' -f1)
if [ $# -gt 0 ]; then
  if [ "$1" = "$root" ]; then good "The root is the one you named"; else bad "The root is the one you named"; fi
fi

# At the moment of the seal's first day: a seal that has lapsed since is still a good one.
first=$(openssl x509 -in seal.pem -noout -startdate | cut -d= -f2)
when=$(date -u -d "$first" +%s 2>/dev/null || date +%s)
check "The seal's certificate was issued under the root" \
  openssl verify -attime "$((when + 60))" -CAfile root.pem -untrusted seal.pem seal.pem
openssl x509 -in seal.pem -pubkey -noout > "$work/key.pem" 2>/dev/null
check "The manifest was signed with the seal" \
  openssl dgst -sha256 -verify "$work/key.pem" -signature manifest.sig manifest.json

if [ -s manifest.tsr ] && [ -s tsa-chain.pem ]; then
  if grep -q SIMULATED tsa-chain.pem; then
    say "The time of the manifest" "SIMULATED, no evidence"
  else
    check "The time of the manifest was stated by an authority" \
      openssl ts -verify -data manifest.json -in manifest.tsr -CAfile tsa-chain.pem
  fi
else
  say "The time of the manifest" "no independent time"
fi

# Each paper: the sealed file is the one in the manifest, and it begins with the one that was read.
{ tr '{' '\n' < manifest.json; echo; } | sed -n \
  's/.*"file":"\([^"]*\)".*"reviewed_bytes":\([0-9]*\),.*"sealed_sha256":"\([0-9a-f]*\)".*"unsigned_sha256":"\([0-9a-f]*\)".*/\1 \2 \3 \4/p' \
  > "$work/papers"
named=$(wc -l < "$work/papers"); present=$(ls [0-9][0-9]-*.pdf | grep -cv '^00-certificate.pdf$')
if [ "$named" -gt 0 ] && [ "$named" -eq "$present" ]; then
  good "The manifest names every paper here, and no other"
else
  bad "The manifest names every paper here, and no other"
fi
sealed_over_all() {
  command -v pdfsig >/dev/null 2>&1 || return 0
  pdfsig -nocert "$1" > "$work/said" 2>/dev/null
  if grep -q 'Signature is Valid' "$work/said" && grep -q 'Total document signed' "$work/said"; then
    good "$1 has a valid seal over all of it"
  else
    bad "$1 has a valid seal over all of it"
  fi
}
sealed_over_all 00-certificate.pdf
while read -r file length sealed unsigned; do
  if [ "$(sha256sum < "$file" | cut -d' ' -f1)" = "$sealed" ]; then
    good "$file is the executed copy"
  else
    bad "$file is the executed copy"
  fi
  if [ "$(head -c "$length" "$file" | sha256sum | cut -d' ' -f1)" = "$unsigned" ]; then
    good "$file begins with exactly what was read"
  else
    bad "$file begins with exactly what was read"
  fi
  sealed_over_all "$file"
done < "$work/papers"

echo
echo "Root: $root"
[ $# -gt 0 ] || echo "Compare it with the fingerprint on our verification page and in the letter that came with the pack."
if [ "$failed" = 0 ]; then echo "Everything is in order."; else echo "Something is NOT in order."; fi
exit "$failed"
