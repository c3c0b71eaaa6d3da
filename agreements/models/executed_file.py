"""ExecutedFile: a file of an executed pack by SHA-256, with the seal of that pack."""

from django.db import models

from agreements.models.pack import Document, Pack
from console.core.database_rule import DatabaseRule
from console.core.frozen import NeverChanges


class ExecutedFile(models.Model):
    """A publicly verifiable file: recorded at execution and never changed.

    `seal_sha256` is the certificate of the seal used for the pack. `stamped_at` is the time stated
    by a time-stamping authority that we trust. A file that many packs share has a row for each.
    """

    pack = models.ForeignKey(Pack, on_delete=models.PROTECT, related_name="executed_files")
    document = models.ForeignKey(Document, null=True, on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=120)
    sha256 = models.CharField(max_length=64, db_index=True)
    seal_sha256 = models.CharField(max_length=64)
    stamped_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pack", "name"], name="a_pack_has_each_file_once"),
            NeverChanges(name="executed_files_never_change"),
            DatabaseRule.beside(__file__, "agreements_refuse_late_file"),
        ]

    def __str__(self) -> str:
        return f"{self.name} of {self.pack}"
