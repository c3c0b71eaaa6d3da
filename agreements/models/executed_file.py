"""ExecutedFile: one file of an executed pack, by its fingerprint, with the seal it stands on."""

from django.db import models

from agreements.models.pack import Document, Pack
from console.core.database_rule import DatabaseRule
from console.core.frozen import NeverChanges


class ExecutedFile(models.Model):
    """What anybody may ask about: written with the execution, and never changed.

    `seal_sha256` is the certificate of the seal that the pack was executed with, `stamped_at` the
    time that an authority which we believe stated for it. A file that is the same in many packs
    has a row for each.
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
