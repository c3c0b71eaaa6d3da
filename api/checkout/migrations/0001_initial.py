"""Domains of payment pages, and the other checkout settings of a business."""

import api.checkout.models
import console.core.frozen
import console.core.ids
import console.core.moves_constraint
import django.db.models.deletion
import functools
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='CheckoutDomain',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('dom',), **{}), max_length=40, unique=True)),
                ('domain', models.CharField(max_length=190)),
                ('token', models.CharField(default=api.checkout.models.new_token, max_length=32, unique=True)),
                ('token_expires_at', models.DateTimeField(null=True)),
                ('status', models.CharField(choices=[('unverified', 'Not verified'), ('verified', 'Verified'), ('revoked', 'Revoked')], default='unverified', max_length=20)),
                ('method', models.CharField(blank=True, choices=[('dns', 'DNS record'), ('file', 'File')], max_length=10)),
                ('created_at', models.DateTimeField()),
                ('verified_at', models.DateTimeField(null=True)),
                ('checked_at', models.DateTimeField(null=True)),
                ('missed_at', models.DateTimeField(null=True)),
                ('business', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='checkout_domains', to='accounts.business')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('status', 'verified')), fields=['checked_at'], name='domains_to_check_again')],
                'constraints': [models.UniqueConstraint(fields=('business', 'domain'), name='a_domain_is_added_once'), models.CheckConstraint(condition=models.Q(('domain__regex', '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$')), name='a_domain_is_a_labels'), models.CheckConstraint(condition=models.Q(models.Q(('checked_at__isnull', False), ('method__in', ['dns', 'file']), ('status', 'verified'), ('token_expires_at', None), ('verified_at__isnull', False)), models.Q(('status__in', ['unverified', 'revoked']), ('token_expires_at__isnull', False)), _connector='OR'), name='a_verified_domain_says_how_and_when'), console.core.moves_constraint.MovesConstraint(arrows=['>unverified', 'revoked>verified', 'unverified>verified', 'verified>revoked'], name='domain_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'), console.core.frozen.SetOnce(anew='', deletable=True, fields=['public_id', 'business', 'domain'], name='a_domain_is_one_domain', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')")],
            },
        ),
        migrations.CreateModel(
            name='CheckoutSettings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('allows_localhost', models.BooleanField(default=False)),
                ('logo', models.CharField(blank=True, max_length=64)),
                ('business', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='checkout_settings', to='accounts.business')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('logo', ''), _negated=True), fields=['logo'], name='settings_by_logo')],
            },
        ),
    ]
