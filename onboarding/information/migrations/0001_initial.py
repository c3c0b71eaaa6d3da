"""Requests for information about applications, and their questions."""

import console.audit.recorded
import console.core.frozen
import console.core.ids
import console.core.moves_constraint
import django.db.models.deletion
import functools
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('evidence', '0001_initial'),
        ('onboarding', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='InformationRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('rfi',), **{}), max_length=40, unique=True)),
                ('status', models.CharField(choices=[('open', 'Waiting for the business'), ('answered', 'Answered'), ('closed', 'Closed')], default='open', max_length=20)),
                ('note', models.TextField(blank=True)),
                ('asked_at', models.DateTimeField()),
                ('opened_at', models.DateTimeField()),
                ('due_at', models.DateTimeField()),
                ('answered_at', models.DateTimeField(null=True)),
                ('closed_at', models.DateTimeField(null=True)),
                ('reminders', models.PositiveSmallIntegerField(default=0)),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='information_requests', to='onboarding.application')),
                ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='InformationItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('rfq',), **{}), max_length=40, unique=True)),
                ('need', models.CharField(choices=[('explain', 'Explain in words'), ('correct', 'Correct the answer'), ('passport', 'Passport or identity card'), ('address', 'Proof of address'), ('incorporation', 'Incorporation document'), ('licence', 'Licence'), ('ownership', 'Ownership chart'), ('other', 'Other document')], max_length=20)),
                ('question', models.CharField(blank=True, max_length=60)),
                ('words', models.TextField()),
                ('reply', models.TextField(blank=True)),
                ('replied_at', models.DateTimeField(null=True)),
                ('about_file', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='evidence.evidencefile')),
                ('file', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='evidence.evidencefile')),
                ('request', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='items', to='information.informationrequest')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.AddIndex(
            model_name='informationrequest',
            index=models.Index(condition=models.Q(('status', 'open')), fields=['due_at'], name='requests_to_remind'),
        ),
        migrations.AddConstraint(
            model_name='informationrequest',
            constraint=console.core.moves_constraint.MovesConstraint(arrows=['>open', 'answered>closed', 'answered>open', 'open>answered', 'open>closed'], name='request_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'),
        ),
        migrations.AddConstraint(
            model_name='informationrequest',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['open', 'answered', 'closed'])), name='request_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='informationrequest',
            constraint=console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'application', 'asked_by', 'asked_at', 'closed_at'], name='a_request_is_of_one_case', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
        migrations.AddConstraint(
            model_name='informationrequest',
            constraint=console.audit.recorded.Recorded(about='', added=True, condition='true', fields=['status'], name='requests_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
        migrations.AddConstraint(
            model_name='informationitem',
            constraint=models.CheckConstraint(condition=models.Q(('need__in', ['explain', 'correct', 'passport', 'address', 'incorporation', 'licence', 'ownership', 'other'])), name='a_need_is_known'),
        ),
        migrations.AddConstraint(
            model_name='informationitem',
            constraint=console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'request', 'need', 'question', 'about_file', 'words'], name='a_question_is_as_it_was_sent', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
    ]
