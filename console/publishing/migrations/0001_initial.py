"""Publications of versioned files."""

import console.core.database_rule
import console.core.ids
import django.db.models.deletion
import functools
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Publication',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('pub',), **{}), max_length=40, unique=True)),
                ('kind', models.CharField(max_length=40)),
                ('version', models.CharField(max_length=40)),
                ('sha256', models.CharField(max_length=64)),
                ('proposed_at', models.DateTimeField()),
                ('in_use_from', models.DateTimeField(null=True)),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('proposed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('put_in_use_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('withdrawn_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['kind', '-in_use_from', '-id'], name='publications_newest')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('in_use_from__isnull', False), ('proposed_by', None), ('put_in_use_by', None)), models.Q(('in_use_from', None), ('proposed_by__isnull', False), ('put_in_use_by', None)), models.Q(('in_use_from__isnull', False), ('proposed_by__isnull', False), ('put_in_use_by__isnull', False), models.Q(('put_in_use_by', models.F('proposed_by')), _negated=True)), _connector='OR'), name='two_people_put_a_version_in_use'), models.CheckConstraint(condition=models.Q(models.Q(('withdrawn_at', None), ('withdrawn_by', None)), models.Q(('in_use_from', None), ('withdrawn_at__isnull', False), ('withdrawn_by__isnull', False)), _connector='OR'), name='only_a_proposal_is_withdrawn'), models.UniqueConstraint(condition=models.Q(('in_use_from', None), ('withdrawn_at', None)), fields=('kind',), name='one_proposal_of_a_kind_at_a_time'), models.UniqueConstraint(condition=models.Q(('proposed_by', None)), fields=('kind',), name='the_system_begins_a_kind_once')],
            },
        ),
        migrations.AddConstraint(
            model_name='publication',
            constraint=console.core.database_rule.DatabaseRule(name='publishing_keep_history', sql="CREATE FUNCTION public.publishing_keep_history() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  wrong text := '';\nBEGIN\n  IF TG_OP = 'DELETE' THEN\n    wrong := 'is kept';\n  ELSIF TG_OP = 'UPDATE' THEN\n    IF OLD.in_use_from IS NOT NULL OR OLD.withdrawn_at IS NOT NULL THEN\n      wrong := 'never changes once it was put in use or withdrawn';\n    ELSIF (NEW.id, NEW.public_id, NEW.kind, NEW.version, NEW.sha256, NEW.proposed_by_id,\n           NEW.proposed_at)\n      IS DISTINCT FROM (OLD.id, OLD.public_id, OLD.kind, OLD.version, OLD.sha256,\n                        OLD.proposed_by_id, OLD.proposed_at) THEN\n      wrong := 'is put in use or withdrawn as it was proposed';\n    END IF;\n  ELSIF NEW.proposed_by_id IS NOT NULL\n    AND (NEW.in_use_from IS NOT NULL OR NEW.withdrawn_at IS NOT NULL) THEN\n    wrong := 'begins as a proposal';\n  END IF;\n  IF wrong = '' AND TG_OP <> 'DELETE' AND NEW.in_use_from IS NOT NULL THEN\n    IF EXISTS (SELECT FROM public.publishing_publication AS earlier\n               WHERE earlier.kind = NEW.kind AND earlier.in_use_from IS NOT NULL\n                 AND (NEW.proposed_by_id IS NULL OR earlier.in_use_from >= NEW.in_use_from)) THEN\n      wrong := 'comes after what was put in use before it';\n    ELSIF EXISTS (SELECT FROM public.publishing_publication AS earlier\n                  WHERE earlier.kind = NEW.kind AND earlier.version = NEW.version\n                    AND earlier.in_use_from IS NOT NULL AND earlier.sha256 <> NEW.sha256) THEN\n      wrong := 'is one file for ever';\n    END IF;\n  END IF;\n  IF wrong <> '' THEN\n    RAISE EXCEPTION 'a published version %', wrong\n      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER what_was_in_use_is_kept\nBEFORE INSERT OR UPDATE OR DELETE ON public.publishing_publication\nFOR EACH ROW EXECUTE FUNCTION public.publishing_keep_history();\n"),
        ),
    ]
