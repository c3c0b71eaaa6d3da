"""Products of a business."""

import functools

import console.core.ids
import console.core.moves
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='BusinessProduct',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, "prd"), max_length=40, unique=True)),
                ('product', models.CharField(max_length=40)),
                ('status', models.CharField(choices=[('none', 'Not asked for'), ('requested', 'Asked for'), ('approved', 'Approved'), ('refused', 'Refused'), ('withdrawn', 'Withdrawn')], default='none', max_length=20)),
                ('since', models.DateTimeField()),
                ('business', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
            options={
                'constraints': [console.core.moves.MovesConstraint(arrows=['>none', 'approved>withdrawn', 'none>requested', 'refused>requested', 'requested>approved', 'requested>refused', 'withdrawn>requested'], name='product_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'), models.UniqueConstraint(fields=('business', 'product'), name='a_product_stands_once_per_business'), models.CheckConstraint(condition=models.Q(('product__in', ['balances', 'cards', 'checkout', 'conversions', 'crypto', 'customers', 'digital_services', 'financing', 'flights', 'identity_verification', 'inventory', 'merchant', 'otc', 'payouts', 'payroll', 'rates', 'refunds', 'remittance', 'savings', 'virtual_accounts', 'webhooks'])), name='product_is_in_the_catalogue')],
            },
        ),
    ]
