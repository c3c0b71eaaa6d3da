"""Files that prove what an application says, and the decisions that rest on them."""

import console.audit.recorded
import console.core.frozen
import console.core.ids
import django.db.models.deletion
import functools
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('onboarding', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='EvidenceFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('evf',), **{}), max_length=40, unique=True)),
                ('kind', models.CharField(choices=[('passport', 'Passport or identity card'), ('address', 'Proof of address'), ('incorporation', 'Incorporation document'), ('licence', 'Licence'), ('ownership', 'Ownership chart'), ('other', 'Other document')], max_length=20)),
                ('name', models.CharField(max_length=200)),
                ('media_type', models.CharField(max_length=40)),
                ('size', models.PositiveIntegerField()),
                ('pages', models.PositiveIntegerField(null=True)),
                ('sha256', models.CharField(max_length=64)),
                ('preview_sha256', models.CharField(blank=True, max_length=64)),
                ('uploaded_at', models.DateTimeField()),
                ('scanned_at', models.DateTimeField(null=True)),
                ('removed_at', models.DateTimeField(null=True)),
                ('removed_because', models.CharField(blank=True, choices=[('withdrawn', 'Removed by the business'), ('infected', 'Removed: it contains a virus'), ('outlived', 'Removed: no longer needed')], max_length=20)),
                ('erased_at', models.DateTimeField(null=True)),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='evidence_files', to='onboarding.application')),
                ('uploaded_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='CheckEvidence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sha256', models.CharField(max_length=64)),
                ('act', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='evidence', to='onboarding.caseact')),
                ('file', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='evidence.evidencefile')),
            ],
        ),
        migrations.AddIndex(
            model_name='evidencefile',
            index=models.Index(condition=models.Q(('removed_at', None), ('scanned_at', None)), fields=['id'], name='evidence_to_scan'),
        ),
        migrations.AddConstraint(
            model_name='evidencefile',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['passport', 'address', 'incorporation', 'licence', 'ownership', 'other'])), name='a_kind_of_file_is_known'),
        ),
        migrations.AddConstraint(
            model_name='evidencefile',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('erased_at', None), ('removed_at', None), ('removed_because', '')), models.Q(('removed_at__isnull', False), ('removed_because__in', ['withdrawn', 'infected', 'outlived'])), _connector='OR'), name='a_removed_file_says_why'),
        ),
        migrations.AddConstraint(
            model_name='evidencefile',
            constraint=models.UniqueConstraint(condition=models.Q(('removed_at', None)), fields=('application', 'kind', 'sha256'), name='a_file_is_uploaded_once'),
        ),
        migrations.AddConstraint(
            model_name='evidencefile',
            constraint=console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'application', 'kind', 'name', 'media_type', 'size', 'pages', 'sha256', 'preview_sha256', 'uploaded_by', 'uploaded_at', 'scanned_at', 'removed_at', 'removed_because', 'erased_at'], name='a_file_is_what_was_uploaded', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
        migrations.AddConstraint(
            model_name='evidencefile',
            constraint=console.audit.recorded.Recorded(about='', added=True, condition='true', fields=['scanned_at', 'removed_at'], name='evidence_files_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
        migrations.AddConstraint(
            model_name='checkevidence',
            constraint=models.UniqueConstraint(fields=('act', 'file'), name='a_decision_names_a_file_once'),
        ),
        migrations.AddConstraint(
            model_name='checkevidence',
            constraint=console.core.frozen.NeverChanges(name='evidence_of_decisions_never_changes', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_change('%(label)s')"),
        ),
    ]
