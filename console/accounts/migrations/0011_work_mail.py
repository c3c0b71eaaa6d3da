"""When our staff hear by e-mail of work that waits for them."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0010_recorded_people'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.AddField(
            model_name='user',
            name='work_mail',
            field=models.CharField(choices=[('at_once', 'At once: one e-mail for each thing, when it becomes your turn'), ('daily', 'Daily: one e-mail with everything that waits for you')], db_default='at_once', default='at_once', max_length=10),
        ),
    ]
