#!/bin/sh
# Checks the evidence of an executed agreement pack, offline:
#
#   sh verify.sh ROOT [TIME_ROOT [FOLDER]]
#
# ROOT is the SHA-256 of our root, TIME_ROOT that of the time-stamping authority's, FOLDER the
# unpacked bundle where this script does not lie in it. Ends with 0 (in order), 1 (not in order) or
# 2 (cannot be checked). What is compared, and why, stands in evidence.md.
set -u
LC_ALL=C; export LC_ALL
unset CDPATH
umask 077
failed=0
say() { printf '%-64s %s\n' "$1" "$2"; }
good() { say "$1" "ok"; }
bad() { say "$1" "FAILED"; failed=1; }
check() { what=$1; shift; if "$@" >/dev/null 2>&1; then good "$what"; else bad "$what"; fi; }
cannot() { echo "This cannot be checked. $1"; exit 2; }

for tool in sha256sum openssl awk cat cmp comm cut dirname find fold grep head mktemp sed sort tail tr uniq wc; do
  command -v "$tool" >/dev/null 2>&1 || cannot "It needs the program $tool, which this machine does not have."
done
plain() { printf '%s' "$1" | tr 'A-F' 'a-f' | tr -d ': '; }
is_sha256() { case $1 in *[!0-9a-f]*) return 1 ;; esac; [ ${#1} -eq 64 ]; }
[ $# -le 3 ] || cannot "Use it like this: sh verify.sh ROOT [TIME_ROOT [FOLDER]]"
ROOT=$(plain "${1-}"); TIME_ROOT=$(plain "${2-}")
for named in "$ROOT" "$TIME_ROOT"; do
  [ -z "$named" ] || is_sha256 "$named" || cannot "A fingerprint has 64 characters, each from 0 to 9 or from a to f."
done
cd -- "${3:-$(dirname -- "$0")}" 2>/dev/null || cannot "The folder cannot be opened."
work=$(mktemp -d) || cannot "There is no place for temporary files."
trap 'rm -rf "$work"' EXIT

end() {
  echo
  if [ "$failed" != 0 ]; then
    echo "Something is NOT in order: see the lines that say FAILED."; exit 1
  elif [ -z "$ROOT" ]; then
    echo "Everything here fits together, under the root $root_here."
    echo "That proves nothing yet: anybody can make a root. Name ours, from our verification page"
    echo "or from the e-mail that came with the pack:  sh verify.sh ROOT"; exit 2
  fi
  echo "Everything is in order. It rests on the root that you named:"; echo "$ROOT"; exit 0
}

# The folder: plain files with plain names, so that nothing below can be led astray.
odd=$(find . ! -name . \( -name '*[!A-Za-z0-9._-]*' -o -name '-*' -o -path './*/*/*' -o ! -type f ! -type d \) -print | wc -l)
if [ "$odd" -ne 0 ]; then bad "The folder holds plain files with plain names alone"; end; fi
good "The folder holds plain files with plain names alone"
mine() { for file; do [ -s "$file" ] || return 1; done; }
if ! mine manifest.json root.pem seal.pem SHA256SUMS; then bad "Manifest, root, seal and sums are here"; end; fi

sha() { [ -f "$1" ] || return 1; set -- "$(sha256sum < "$1")"; echo "${1%% *}"; }
of_text() { set -- "$(printf '%s' "$1" | sha256sum)"; echo "${1%% *}"; }
is() { [ -n "$2" ] && [ "$(sha "$1")" = "$2" ]; }
# Only the first certificate of each file is believed; a second one would be a guest's.
only() { openssl x509 -in "$1" -out "$work/$1" 2>/dev/null && openssl x509 -in "$1" -outform DER 2>/dev/null | sha256sum | cut -c1-64; }
under() { openssl "$@" -no_check_time -purpose any -no-CApath -no-CAstore -CAfile "$work/root.pem"; }
signed() { openssl dgst -sha256 -verify "$work/key.pem" -signature "$2" "$1"; }
root_here=$(only root.pem); seal=$(only seal.pem)
openssl x509 -in "$work/seal.pem" -pubkey -noout > "$work/key.pem" 2>/dev/null
[ -z "$ROOT" ] || check "The root is the one that you named" [ "$ROOT" = "$root_here" ]
chained() { openssl verify -no_check_time -purpose any -no-CApath -no-CAstore -CAfile "$work/root.pem" -untrusted seal.pem "$work/seal.pem"; }
check "The seal's certificate was issued under that root" chained
check "manifest.json was signed with the seal" signed manifest.json manifest.sig
check "SHA256SUMS was signed with the seal" signed SHA256SUMS SHA256SUMS.sig

# The manifest: canonical JSON, one line. Every value is taken in a form that can do no harm.
sealed_manifest() {
  [ "$(tr -d '\040-\176\200-\377' < manifest.json | wc -c)" -eq 0 ] &&
    [ "$(head -c 35 manifest.json)" = '{"_type":"agr.manifest.v1","body":{' ]
}
check "manifest.json has the form that this script knows" sealed_manifest
text() { sed -En "s/.*\"$2\":\"([A-Za-z0-9:._-]*)\".*/\1/p" "$1" 2>/dev/null | head -n 1; }
number() { sed -En "s/.*\"$2\":([0-9]{1,12})[,}].*/\1/p" "$1" 2>/dev/null | head -n 1; }
rows() { { tr '{' '\n' < "$1"; echo; } 2>/dev/null | sed -En "$2"; }
pack=$(text manifest.json pack); offer=$(text manifest.json offer_sha256)
signed_set=$(text manifest.json signed_set_sha256); countersign=$(text manifest.json countersign_sha256)
executed=$(text manifest.json executed_at); state=$(text manifest.json time)
{ sed -En 's/.*"acts":\[([^]]*)\].*/\1/p' manifest.json | tr ',' '\n'; echo; } | sed -En 's/^"([0-9a-f]{64})"$/\1/p' > "$work/acts"
rows manifest.json 's/^"role":"([a-z_]*)","sha256":"([0-9a-f]{64})"}.*/\1 \2/p' > "$work/approvals"
echo "countersignatory $countersign" >> "$work/approvals"
rows manifest.json 's/^"code":"[A-Z-]*","file":"([0-9]{2}-[A-Z][A-Z-]*\.pdf)","html_sha256":"([0-9a-f]{64})","reviewed_bytes":([0-9]{1,12}),"sealed_bytes":[0-9]*,"sealed_sha256":"([0-9a-f]{64})","title":"[^"]*","unsigned_sha256":"([0-9a-f]{64})"}.*/\1 \3 \2 \5 \4/p' > "$work/documents"
check "The manifest names the root and the seal" grep -Fq "\"seal\":{\"certificate_sha256\":\"$seal\",\"root_sha256\":\"$root_here\"}" manifest.json
day() { # "notBefore=Nov 22 00:20:48 2026 GMT" as 2026-11-22T00:20:48Z
  openssl x509 -in "$work/seal.pem" -noout "$1" 2>/dev/null | sed 's/.*=//' | awk '{
    m = (index("JanFebMarAprMayJunJulAugSepOctNovDec", $1) + 2) / 3
    printf "%04d-%02d-%02dT%sZ", $4, m, $2, $3 }'
}
in_its_life() { printf '%s\n' "$(day -startdate)" "$executed" "$(day -enddate)" | sort -c; }
check "The seal's certificate was good when the pack was executed" in_its_life

# Which files there may be: those that the manifest calls for, and no other.
{
  echo 00-certificate.pdf; cut -d' ' -f1 "$work/documents"
  sed -E 's/^(.*)\.pdf .*/html\/\1.html/' "$work/documents"
  awk '{ printf "acts/%02d.json\n", NR }' "$work/acts"
  awk '{ printf "approvals/%02d-%s.json\n", NR, $1 }' "$work/approvals"
  for name in manifest.json manifest.sig offer.json facts.json ruleset.json trace.json profile.json signed-set.json \
    events.jsonl audit-head.json root.pem seal.pem verify.sh READ-ME.txt; do echo "$name"; done
  case $state in simulated | trusted) echo manifest.tsr; echo tsa-chain.pem ;; esac
} | sort > "$work/summed"
{ cat "$work/summed"; echo SHA256SUMS; echo SHA256SUMS.sig; } | sort > "$work/expected"
find . -type f | sed 's/^..//' | sort > "$work/present"
find . ! -name . -type d | sort | tr '\n' ' ' > "$work/folders"
complete() { cmp "$work/expected" "$work/present" && [ "$(cat "$work/folders")" = "./acts ./approvals ./html " ]; }
check "Every file that the manifest calls for is here, and no other" complete
comm -13 "$work/expected" "$work/present" | sed 's/^/  no list names it: /'
comm -23 "$work/expected" "$work/present" | sed 's/^/  missing: /'
summed() {
  ! grep -Evq '^[0-9a-f]{64}  [A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)?$' SHA256SUMS &&
    cut -c67- SHA256SUMS | sort | cmp - "$work/summed" && sha256sum --check --strict --status SHA256SUMS
}
check "Every file is as SHA256SUMS says" summed

# What was offered, signed, approved and countersigned.
offered() {
  is offer.json "$offer" && [ "$(text offer.json pack)" = "$pack" ] &&
    [ "$(number offer.json revision)" = "$(number manifest.json revision)" ] &&
    [ "$(text offer.json consent_sha256)" = "$(awk '$1 ~ /-ERC\.pdf$/ { print $4 }' "$work/documents")" ] &&
    [ -s "$work/documents" ] && rows offer.json 's/^"bytes":([0-9]{1,12}),"code":"([A-Z-]*)","html_sha256":"([0-9a-f]{64})","order":([0-9]{1,2}),"pages":[0-9]*,"template":"[^"]*","unsigned_sha256":"([0-9a-f]{64})"}.*/\4 \2 \1 \3 \5/p' |
    awk '{ printf "%02d-%s.pdf %s %s %s\n", $1, $2, $3, $4, $5 }' > "$work/offered" &&
    cut -d' ' -f1-4 "$work/documents" | cmp - "$work/offered"
}
check "offer.json is what was offered, and names these documents" offered
reason() { is "$1.json" "$(text offer.json "$1_sha256")"; }
for one in facts ruleset trace profile; do check "$one.json is what the offer names" reason "$one"; done
act_is_right() { # number, sha256
  file=$(printf 'acts/%02d.json' "$1")
  head -c 22 "$file" | grep -Exq '\{"_type":"agr\.act\.v[12]",' || return 1
  is "$file" "$2" && [ "$(text "$file" offer_sha256)" = "$offer" ] && [ "$(text "$file" pack)" = "$pack" ] || return 1
  said=$(sed -En 's/.*"statement":"(([^"\\]|\\.)*)","statement_sha256":.*/\1/p' "$file" | sed -E 's/\\(["\\])/\1/g')
  [ "$(of_text "$said")" = "$(text "$file" statement_sha256)" ] &&
    [ "$(of_text "${said% Fingerprint of the pack: "$offer".}")" = "$(text offer.json statement_sha256)" ]
}
# How each was proven. What a passkey signed is made again here from the act itself, so that it
# binds to nothing else; whatever else proved an act was checked by us alone.
bytes_of_hex() {
  fold -w 64 "$1" | awk -v h=0123456789abcdef '{ out = ""
    for (i = 1; i < length($0); i += 2)
      out = out sprintf("\\%03o", 16 * (index(h, substr($0, i, 1)) - 1) + index(h, substr($0, i + 1, 1)) - 1)
    print out }' | while IFS= read -r escaped; do printf "$escaped"; done
}
passkey_signed() { # file, act, role, sha256
  for part in authenticator_data client_data public_key signature; do
    text "$1" "$part" > "$work/hex" && [ -s "$work/hex" ] && bytes_of_hex "$work/hex" > "$work/$part" || return 1
  done
  origin=$(sed -En 's/.*"origin":"([A-Za-z0-9:\/._-]*)".*/\1/p' "$1" | head -n 1); host=${origin#*://}; host=${host%%[:/]*}
  products=$(sed -En 's/.*"products":(\{"approved":\[[^]]*\],"refused":\{.*\}\}|\{"approved":\[[^]]*\],"refused":\{\}\}),"role":.*/\1/p' "$1")
  terms=; [ -z "$products" ] || terms=$(of_text "{\"_type\":\"agr.products.v1\",\"body\":$products}")
  printf '{"_type":"console.act.v1","body":{"act":"%s","asked_at":"%s","nonce":"%s","origin":"%s","person":"%s","role":"%s","sha256":"%s","subject":"%s","terms_sha256":"%s"}}' \
    "$2" "$(text "$1" asked_at)" "$(text "$1" nonce)" "$origin" "$(text "$1" id)" "$3" "$4" "$pack" "$terms" > "$work/stated"
  challenge=$(openssl dgst -sha256 -binary "$work/stated" | openssl base64 -A | tr '+/' '-_' | tr -d '=')
  tr -d ' ' < "$work/client_data" > "$work/told"
  for member in '"type":"webauthn.get"' "\"challenge\":\"$challenge\"" "\"origin\":\"$origin\""; do
    grep -Fq "$member" "$work/told" || return 1
  done
  [ "$(text "$1" authenticator_data | cut -c1-64)" = "$(of_text "$host")" ] || return 1
  # The flags: somebody was there, and the passkey verified that it was its user.
  case $(text "$1" authenticator_data | cut -c66) in [57df]) ;; *) return 1 ;; esac
  { cat "$work/authenticator_data"; openssl dgst -sha256 -binary "$work/client_data"; } > "$work/assertion"
  openssl pkey -pubin -inform DER -in "$work/public_key" -out "$work/passkey.pem" || return 1
  if openssl pkey -pubin -in "$work/passkey.pem" -noout -text | grep -q ED25519; then
    openssl pkeyutl -verify -pubin -inkey "$work/passkey.pem" -rawin -in "$work/assertion" -sigfile "$work/signature"
  else
    openssl dgst -sha256 -verify "$work/passkey.pem" -signature "$work/signature" "$work/assertion"
  fi
}
claims_no_passkey() { [ -f "$1" ] && ! grep -Fq '"assertion":{' "$1"; }
look_at_proof() { # words, file, act, role, sha256
  case $(text "$2" method) in
    passkey) check "$1: a passkey signed exactly this" passkey_signed "$2" "$3" "$4" "$5" ;;
    *) check "$1 shows no passkey" claims_no_passkey "$2"
      case $(text "$2" method) in
        code) say "$1: a one-time code" "our word alone" ;;
        provider) say "$1: a company account" "our word alone" ;;
        stand_in) say "$1: a stand-in of the demo world" "no evidence" ;;
        *) say "$1: not said how it was proven" "our word alone" ;;
      esac ;;
  esac
}
count=0
while read -r hash; do
  count=$((count + 1)); check "Signature $count was given under this offer" act_is_right "$count" "$hash"
  look_at_proof "Signature $count" "$(printf 'acts/%02d.json' "$count")" sign "" "$offer"
done < "$work/acts"
set_is_right() {
  [ "$count" -gt 0 ] && is signed-set.json "$signed_set" || return 1
  all=$(sort "$work/acts" | sed 's/.*/"&"/' | tr '\n' ',')
  printf '{"_type":"agr.signed-set.v1","body":{"acts":[%s],"offer_sha256":"%s"}}' "${all%,}" "$offer" | cmp - signed-set.json
}
check "signed-set.json is this offer with these signatures" set_is_right
decided() { # number, role, sha256
  file=$(printf 'approvals/%02d-%s.json' "$1" "$2"); verdict=approved
  [ "$2" != countersignatory ] || verdict=countersigned
  is "$file" "$3" && [ "$(text "$file" signed_set_sha256)" = "$signed_set" ] && [ "$(text "$file" pack)" = "$pack" ] &&
    [ "$(text "$file" role)" = "$2" ] && [ "$(text "$file" verdict)" = "$verdict" ]
}
# Who signed: people whom the offer names, each once, and as many as it needs.
by() { { cat "$1"; echo; } | sed -En 's/.*"person":\{"email":"([^"]*)".*/\1/p' | tr 'A-Z' 'a-z'; }
enough_signed() {
  rows offer.json 's/.*"email":"([^"]*)".*/\1/p' | tr 'A-Z' 'a-z' | sort -u > "$work/named"
  for file in acts/*.json; do by "$file"; done | sort > "$work/signers"
  needs=$(number offer.json needs)
  [ -s "$work/named" ] || [ -n "$needs" ] || return 0  # offers of the first format name nobody
  [ "$(wc -l < "$work/signers")" -eq "$count" ] && [ "$count" -ge "${needs:-1}" ] &&
    [ -z "$(uniq -d "$work/signers")" ] && [ -z "$(comm -23 "$work/signers" "$work/named")" ]
}
check "Enough of those whom the offer names have signed" enough_signed
count=0
while read -r role hash; do
  count=$((count + 1)); check "Decision $count ($role) is on what was signed" decided "$count" "$role" "$hash"
  act=approve; [ "$role" != countersignatory ] || act=countersign
  look_at_proof "Decision $count ($role)" "$(printf 'approvals/%02d-%s.json' "$count" "$role")" "$act" "$role" "$signed_set"
done < "$work/approvals"

# What happened: every link, the head, and that it tells of these signatures and decisions.
chain_is_whole() {
  prev=0000000000000000000000000000000000000000000000000000000000000000; seq=0; : > "$work/events"
  while IFS= read -r line; do
    case $line in '{"_type":"agr.event.v1","body":{'*"\"prev\":\"$prev\","*"\"seq\":$seq,"*) ;; *) return 1 ;; esac
    printf '%s\n' "$line" >> "$work/events"
    prev=$(of_text "$line"); seq=$((seq + 1))
  done < events.jsonl
  cmp "$work/events" events.jsonl && grep -Fq "\"events\":{\"count\":$seq,\"head\":\"$prev\"}" manifest.json || return 1
  while read -r hash; do grep -Fq "\"act_sha256\":\"$hash\"" events.jsonl || return 1; done < "$work/acts"
  while read -r role hash; do grep -Fq "\"decision_sha256\":\"$hash\"" events.jsonl || return 1; done < "$work/approvals"
}
check "events.jsonl is one unbroken chain, up to its head" chain_is_whole
check "audit-head.json is the head of the audit log of that time" is audit-head.json "$(text manifest.json audit_head_sha256)"

# Each PDF: one seal, over all of it, by this seal. The range is cut out, and openssl is asked.
sealed_whole() {
  [ -f "$1" ] && tr -c '[:print:]' '\n' < "$1" | grep -E '/ByteRange *\[' > "$work/ranges"
  [ "$(awk '{ n += gsub(/\/ByteRange *\[/, "") } END { print n + 0 }' "$work/ranges")" -eq 1 ] || return 1
  range=$(sed -En 's/.*\/ByteRange *\[ *0 ([0-9]{1,10}) ([0-9]{1,10}) ([0-9]{1,10}) *\].*/\1 \2 \3/p' "$work/ranges")
  [ -n "$range" ] || return 1
  before=${range%% *}; rest=${range##* }; after=${range#* }; after=${after% *}
  [ "$after" -gt $((before + 2)) ] && [ $((after + rest)) -eq "$(wc -c < "$1")" ] || return 1
  tail -c +$((before + 1)) "$1" | head -c $((after - before)) > "$work/gap"
  [ "$(wc -l < "$work/gap")" -eq 0 ] && grep -Exq '<([0-9A-Fa-f]{2})+>' "$work/gap" || return 1
  tr -d '<>' < "$work/gap" | tr 'A-F' 'a-f' > "$work/hex"
  bytes_of_hex "$work/hex" > "$work/cms"
  used=$(openssl asn1parse -inform DER -in "$work/cms" 2>/dev/null | sed -En '1s/.* hl=([0-9]+) +l= *([0-9]+) .*/\1 + \2/p')
  [ -n "$used" ] && [ "$(tail -c +$((2 * ($used) + 1)) "$work/hex" | tr -d 0 | wc -c)" -eq 0 ] || return 1
  { head -c "$before" "$1"; tail -c +$((after + 1)) "$1"; } > "$work/content"
  rm -f "$work/signer.pem"
  under cms -verify -binary -inform DER -in "$work/cms" -content "$work/content" -signer "$work/signer.pem" -out /dev/null || return 1
  [ "$(grep -c 'BEGIN CERTIFICATE' "$work/signer.pem")" -eq 1 ] &&
    [ "$(openssl x509 -in "$work/signer.pem" -outform DER | sha256sum | cut -c1-64)" = "$seal" ]
}
second_reader() {
  pdfsig -nocert "$1" > "$work/said" && grep -q 'Signature is Valid' "$work/said" && grep -q 'Total document signed' "$work/said"
}
asked=0; command -v pdfsig >/dev/null 2>&1 && asked=1
look_at_seal() {
  check "$1 has one seal, ours, over all of it" sealed_whole "$1"
  [ "$asked" = 0 ] || check "$1 is in order for pdfsig, too" second_reader "$1"
}
begins_with() { head -c "$2" "$1" > "$work/read" && is "$work/read" "$3"; }
while read -r file length html unsigned sealed; do
  check "$file is the executed copy" is "$file" "$sealed"
  check "$file begins with exactly what was offered" begins_with "$file" "$length" "$unsigned"
  check "html/${file%.pdf}.html is what the screen showed" is "html/${file%.pdf}.html" "$html"
  look_at_seal "$file"
done < "$work/documents"
holds_manifest() { sealed_manifest && grep -Fxq -f manifest.json 00-certificate.pdf; }
check "00-certificate.pdf holds this very manifest" holds_manifest
look_at_seal 00-certificate.pdf
[ "$asked" = 1 ] || say "A second reader of PDFs" "not asked: pdfsig is not here"

# The time: proven only under the root of an authority that the reader names.
stamped() { openssl ts -verify -no_check_time -data manifest.json -in manifest.tsr -untrusted tsa-chain.pem "$@"; }
time_is_proven() {
  awk -v to="$work/authority" '/BEGIN CERT/ { n++ } n { print > (to n) }' tsa-chain.pem
  for one in "$work"/authority*; do
    [ "$(openssl x509 -in "$one" -outform DER | sha256sum | cut -c1-64)" = "$TIME_ROOT" ] || continue
    openssl x509 -in "$one" -out "$work/believed" && stamped -CAfile "$work/believed"; return
  done
  return 1
}
case $state in
  simulated | trusted)
    check "manifest.tsr states a time of this manifest" stamped -partial_chain -CAfile tsa-chain.pem
    stated=$(openssl ts -reply -in manifest.tsr -text 2>/dev/null | sed -n 's/^Time stamp: \([A-Za-z0-9: .]*\)$/\1/p')
    if [ "$state" = simulated ]; then say "The time, $stated" "SIMULATED, no evidence"
    elif [ -z "$TIME_ROOT" ]; then say "The time, $stated" "unproven: you named no authority"; fi
    [ -z "$TIME_ROOT" ] || check "The authority that you named states the time, $stated" time_is_proven ;;
  none | pending) say "The time, $executed by our own clock" "unproven: no authority was asked" ;;
  *) bad "The manifest says what its time is worth" ;;
esac
end
