"""Keys are read with each request: no process keeps one in memory, so none is told of a change."""

from importlib import import_module

from django.db import migrations

_first = import_module("apikeys.migrations.0001_initial")


class Migration(migrations.Migration):

    dependencies = [("accounts", "0003_one_person"), ("apikeys", "0002_one_key")]

    operations = [migrations.RunSQL(_first.NO_RULES, _first.RULES)]
