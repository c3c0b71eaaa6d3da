"""Copy logos from among the documents into a folder of their own."""

from contextlib import suppress
from typing import Any

from django.db import migrations

from console.core import blobs

_PNG = b"\x89PNG\r\n\x1a\n"


def copy(apps: Any, _: Any) -> None:
    rows = apps.get_model("checkout", "CheckoutSettings").objects.exclude(logo="")
    for sha256 in set(rows.values_list("logo", flat=True)):
        # A damaged file stays where it is, and the nightly check says so.
        with suppress(blobs.BlobDamaged):
            data = blobs.get(sha256)
            if data.startswith(_PNG):
                blobs.put(data, "logos")


class Migration(migrations.Migration):
    dependencies = [("checkout", "0001_initial")]
    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.RunPython(copy, migrations.RunPython.noop),
    ]
