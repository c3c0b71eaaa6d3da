"""Sanctions lists: versions, entries, their indexed names, and screening against a change."""

import console.audit.recorded
import console.core.frozen
import console.core.ids
import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.contrib.postgres.operations
import django.db.models.deletion
import functools
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
        ('audit', '0001_initial'),
        ('onboarding', '0001_initial'),
    ]

    operations = [
        django.contrib.postgres.operations.TrigramExtension(),
        migrations.CreateModel(
            name='ListDownload',
            fields=[
                ('kind', models.CharField(choices=[('ofac', 'OFAC Specially Designated Nationals'), ('un', 'United Nations Security Council'), ('eu', 'European Union'), ('uk', 'United Kingdom'), ('opensanctions', 'OpenSanctions')], max_length=20, primary_key=True, serialize=False)),
                ('attempted_at', models.DateTimeField()),
                ('error', models.TextField(blank=True)),
            ],
        ),
        migrations.CreateModel(
            name='ListVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('slv',), **{}), max_length=40, unique=True)),
                ('kind', models.CharField(choices=[('ofac', 'OFAC Specially Designated Nationals'), ('un', 'United Nations Security Council'), ('eu', 'European Union'), ('uk', 'United Kingdom'), ('opensanctions', 'OpenSanctions')], max_length=20)),
                ('source', models.CharField(max_length=500)),
                ('sha256', models.CharField(max_length=64)),
                ('published_at', models.DateTimeField(null=True)),
                ('imported_at', models.DateTimeField()),
                ('checked_at', models.DateTimeField()),
                ('validators', models.JSONField(default=dict)),
                ('entry_count', models.PositiveIntegerField(default=0)),
                ('name_count', models.PositiveIntegerField(default=0)),
                ('in_force_from', models.DateTimeField(null=True)),
                ('superseded_at', models.DateTimeField(null=True)),
                ('refused_because', models.TextField(blank=True)),
            ],
            options={
                'indexes': [models.Index(fields=['kind', '-id'], name='list_versions_newest')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('in_force_from__isnull', False), ('superseded_at', None)), fields=('kind',), name='one_version_of_a_list_in_force'), models.CheckConstraint(condition=models.Q(models.Q(('in_force_from', None), ('superseded_at', None), models.Q(('refused_because', ''), _negated=True)), models.Q(('in_force_from__isnull', False), ('refused_because', '')), _connector='OR'), name='a_list_version_is_in_force_or_refused'), console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'kind', 'sha256', 'published_at', 'imported_at', 'entry_count', 'name_count', 'in_force_from', 'superseded_at'], name='a_list_version_keeps_its_file', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"), console.audit.recorded.Recorded(about='', added=True, condition='true', fields=['in_force_from', 'refused_because'], name='versions_of_lists_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')")],
            },
        ),
        migrations.CreateModel(
            name='ListEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('sle',), **{}), max_length=40, unique=True)),
                ('kind', models.CharField(choices=[('ofac', 'OFAC Specially Designated Nationals'), ('un', 'United Nations Security Council'), ('eu', 'European Union'), ('uk', 'United Kingdom'), ('opensanctions', 'OpenSanctions')], max_length=20)),
                ('uid', models.CharField(max_length=200)),
                ('type', models.CharField(choices=[('person', 'Person'), ('organisation', 'Organisation'), ('vessel', 'Vessel'), ('other', 'Other')], max_length=20)),
                ('name', models.TextField()),
                ('programme', models.TextField(blank=True)),
                ('birth_dates', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=10), default=list, size=None)),
                ('countries', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=2), default=list, size=None)),
                ('identifiers', models.JSONField(default=list)),
                ('url', models.CharField(blank=True, max_length=500)),
                ('details', models.JSONField(default=dict)),
                ('sha256', models.CharField(max_length=64)),
                ('gone', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='removed_entries', to='screening.listversion')),
                ('since', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='added_entries', to='screening.listversion')),
            ],
        ),
        migrations.CreateModel(
            name='Rescreening',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('party_count', models.PositiveIntegerField()),
                ('match_count', models.PositiveIntegerField(default=0)),
                ('began_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(null=True)),
                ('version', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, to='screening.listversion')),
            ],
        ),
        migrations.CreateModel(
            name='WaitingParty',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rescreening', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='waiting', to='screening.rescreening')),
                ('screening', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='onboarding.check')),
            ],
        ),
        migrations.CreateModel(
            name='ListName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.TextField()),
                ('kind', models.CharField(choices=[('primary', 'Primary name'), ('alias', 'Alias'), ('weak', 'Weak alias')], max_length=10)),
                ('normal', models.TextField()),
                ('keys', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), size=None)),
                ('keys_version', models.PositiveSmallIntegerField()),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='names', to='screening.listentry')),
            ],
            options={
                'indexes': [django.contrib.postgres.indexes.GinIndex(fields=['keys'], name='list_names_by_key'), django.contrib.postgres.indexes.GinIndex(fields=['normal'], name='list_names_by_trigram', opclasses=['gin_trgm_ops']), models.Index(fields=['keys_version'], name='list_names_by_keys_version')],
                'constraints': [console.core.frozen.SetOnce(anew='', deletable=False, fields=['entry', 'name', 'kind'], name='a_listed_name_keeps_its_letters', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')")],
            },
        ),
        migrations.AddConstraint(
            model_name='listentry',
            constraint=models.UniqueConstraint(condition=models.Q(('gone', None)), fields=('kind', 'uid'), name='one_current_entry_of_a_uid'),
        ),
        migrations.AddConstraint(
            model_name='listentry',
            constraint=models.CheckConstraint(condition=models.Q(('gone', None), ('gone__gt', models.F('since')), _connector='OR'), name='an_entry_goes_after_it_came'),
        ),
        migrations.AddConstraint(
            model_name='listentry',
            constraint=console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'kind', 'uid', 'type', 'name', 'programme', 'birth_dates', 'countries', 'identifiers', 'url', 'details', 'sha256', 'since', 'gone'], name='a_list_entry_keeps_its_content', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
        migrations.AddConstraint(
            model_name='rescreening',
            constraint=console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'version'], name='a_rescreening_is_of_one_version', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
        migrations.AddConstraint(
            model_name='waitingparty',
            constraint=models.UniqueConstraint(fields=('rescreening', 'screening'), name='a_party_waits_once_for_a_version'),
        ),
    ]
