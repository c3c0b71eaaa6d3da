"""Check that a sealed file is the document that was read, plus only its seal.

    difference(reviewed, sealed) -> ""     they are the same
                                 -> words  what is different

Comparing the beginning is not enough, because an increment can redefine any earlier object. So
every object in the increment is checked. It may redefine two, the catalog and the page with the
seal's field, and only add the entries listed here. It may add three: the form, its one field, and
the signature. Everything else that a reader can reach, including structure tree, typefaces and
attachments, is then unchanged.
"""

from io import BytesIO
from typing import Any

from pyhanko.pdf_utils import generic, misc
from pyhanko.pdf_utils.decode_limits import (
    DecodeLimits,
    DocumentDecodeBudget,
    MiB,
    StreamDecodeLimits,
)
from pyhanko.pdf_utils.reader import PdfFileReader

CATALOG_GAINS = {"/AcroForm", "/Extensions", "/Perms", "/Version"}
FORM_KEYS = {"/Fields", "/SigFlags"}
FIELD_KEYS = {"/FT", "/T", "/Type", "/Subtype", "/F", "/Rect", "/P", "/V"}
# Print, with or without Locked.
FIELD_FLAGS = {4, 132}
SIGNATURE_KEYS = {
    *("/Type", "/Filter", "/SubFilter", "/Contents", "/ByteRange"),
    *("/M", "/Name", "/Reason", "/Reference"),
}
REFERENCE_KEYS = {"/Type", "/TransformMethod", "/TransformParams"}
NO_CHANGES = 1

# Only cross-reference and object streams are decompressed here, never page contents.
LIMITS = DecodeLimits(
    per_stream=StreamDecodeLimits(max_output_size=16 * MiB),
    document_budget=DocumentDecodeBudget(base_allowance=64 * MiB, max_ratio=4),
)

# An object's number and generation, as in a PDF reference.
Ref = tuple[int, int]


class Differs(Exception):
    """Raised at the first difference from the file that was read."""


def opened(data: bytes) -> PdfFileReader:
    """Open a PDF in strict mode, with limits on decompression."""
    return PdfFileReader(BytesIO(data), strict=True, decode_limits=LIMITS)


def difference(reviewed: bytes, sealed: bytes) -> str:
    """Return in words how the sealed file differs from the one that was read, or ""."""
    if not sealed.startswith(reviewed):
        return "it does not start with the document that we offered"
    try:
        _compare(opened(reviewed), opened(sealed))
    except Differs as found:
        return str(found)
    except (misc.PdfError, LookupError, TypeError, ValueError, AttributeError, RecursionError):
        return "what was added after the document cannot be read"
    return ""


def _compare(before: PdfFileReader, after: PdfFileReader) -> None:
    _one_increment(before, after)
    _same_trailer(before.trailer.flatten(), after.trailer.flatten())
    named = _named_last(after)
    changed = {ref for ref in named if ref[0] < int(before.trailer["/Size"])}
    form, field, signature = _form(after)
    _need(named - changed == {form, field, signature}, "something other than the seal was added")
    root = _ref(after.trailer.raw_get("/Root"))
    _need(root in changed and len(changed) == 2, "parts of the document were replaced")
    _same_catalog(before.root, after.root, signature)
    (holder,) = changed - {root}
    _same_holder(_get(before, holder), _get(after, holder), field)
    _unseen(_get(after, field))
    _allows_nothing(_get(after, signature))


def _one_increment(before: PdfFileReader, after: PdfFileReader) -> None:
    old, new = before.xrefs, after.xrefs
    last = old.total_revisions
    _need(
        new.total_revisions == last + 1
        and not new.hybrid_xrefs_present
        and not new.object_streams_used_in(last)
        and not new.get_xref_data(last).freed
        and all(
            new.get_startxref_for_revision(n) == old.get_startxref_for_revision(n)
            for n in range(last)
        ),
        "it was changed in ways other than sealing",
    )


def _same_trailer(before: generic.DictionaryObject, after: generic.DictionaryObject) -> None:
    _need("/Encrypt" not in after, "it was locked with a password")
    _same_entries(before, after, {"/Root", "/Info"})
    if "/ID" in before:
        old, new = (trailer["/ID"][0].original_bytes for trailer in (before, after))
        _need(old == new, "its identifier was replaced")


def _named_last(reader: PdfFileReader) -> set[Ref]:
    """Return all objects in the last increment, except its cross-reference stream."""
    last = reader.xrefs.total_revisions - 1
    index = reader.xrefs.get_xref_container_info(last).stream_ref
    named = reader.xrefs.explicit_refs_in_revision(last)
    return {(ref.idnum, ref.generation) for ref in named if ref != index}


def _form(reader: PdfFileReader) -> tuple[Ref, Ref, Ref]:
    """Return the references of the form, its only field, and the field's signature."""
    form = reader.root["/AcroForm"]
    _need(set(form) == FORM_KEYS and len(form["/Fields"]) == 1, "its form contains other fields")
    field = form["/Fields"].raw_get(0)
    signature = field.get_object().raw_get("/V")
    return _ref(reader.root.raw_get("/AcroForm")), _ref(field), _ref(signature)


def _same_catalog(
    before: generic.DictionaryObject, after: generic.DictionaryObject, signature: Ref
) -> None:
    _need(not {"/AcroForm", "/Perms"} & set(before), "it already was a form")
    gained = set(after) - set(before)
    _need(gained <= CATALOG_GAINS, "the actions on opening it were changed")
    _same_entries(before, after, set(before) - {"/Version", "/Extensions"})
    perms = after["/Perms"]
    _need(
        set(perms) == {"/DocMDP"} and _ref(perms.raw_get("/DocMDP")) == signature,
        "its seal does not forbid changes",
    )


def _same_holder(before: generic.PdfObject, after: generic.PdfObject, field: Ref) -> None:
    """Compare the page, or its list of annotations, to which the seal's field was added."""
    if isinstance(before, generic.DictionaryObject):
        assert isinstance(after, generic.DictionaryObject)
        _need(before.get("/Type") == "/Page", "parts of the document were replaced")
        _need(set(after) == set(before) | {"/Annots"}, "a page was changed")
        _same_entries(before, after, set(before) - {"/Annots"})
        before, after = before.get("/Annots", generic.ArrayObject()), after["/Annots"]
    assert isinstance(before, generic.ArrayObject)
    assert isinstance(after, generic.ArrayObject)
    old, new = ([_written(item) for item in _raw(items)] for items in (before, after))
    _need(
        new[:-1] == old and _ref(after.raw_get(len(after) - 1)) == field,
        "something was placed over a page",
    )


def _unseen(field: Any) -> None:
    left, bottom, right, top = (float(side) for side in field["/Rect"])
    _need(
        set(field) == FIELD_KEYS
        and field["/FT"] == "/Sig"
        and field["/Subtype"] == "/Widget"
        and int(field["/F"]) in FIELD_FLAGS
        and left == right
        and bottom == top,
        "its seal is visible or has other functions",
    )


def _allows_nothing(signature: Any) -> None:
    _need(set(signature) <= SIGNATURE_KEYS, "its seal contains other data")
    (reference,) = signature["/Reference"]
    _need(
        set(reference) <= REFERENCE_KEYS
        and reference["/TransformMethod"] == "/DocMDP"
        and reference["/TransformParams"]["/P"] == NO_CHANGES,
        "its seal does not forbid changes",
    )


def _same_entries(
    before: generic.DictionaryObject, after: generic.DictionaryObject, keys: set[str]
) -> None:
    for key in sorted(keys):
        old, new = (_written(one.raw_get(key)) if key in one else b"" for one in (before, after))
        _need(old == new, f"its entry {key[1:]} was replaced")


def _get(reader: PdfFileReader, ref: Ref) -> generic.PdfObject:
    found: generic.PdfObject = reader.get_object(generic.Reference(*ref, reader))
    return found


def _ref(held: Any) -> Ref:
    return held.idnum, held.generation


def _raw(items: generic.ArrayObject) -> list[generic.PdfObject]:
    return [items.raw_get(n) for n in range(len(items))]


def _written(item: generic.PdfObject) -> bytes:
    """Return the object's serialised form, with references by number."""
    output = BytesIO()
    item.write_to_stream(output, None)
    return output.getvalue()


def _need(holds: bool, otherwise: str) -> None:  # noqa: FBT001  reads as a sentence
    if not holds:
        raise Differs(otherwise)
