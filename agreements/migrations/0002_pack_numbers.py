"""Packs are numbered from a sequence, which the site may advance and not set."""

from django.db import migrations

FORWARD = "CREATE SEQUENCE public.agreements_pack_number"
BACKWARD = "DROP SEQUENCE public.agreements_pack_number"


class Migration(migrations.Migration):
    dependencies = [("agreements", "0001_initial")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
