from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('agreements', '0002_list_pages'),
    ]

    operations = [
        # The column stays for now: the previous release writes it until the update has ended.
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField(model_name='pack', name='leased_until')],
        ),
    ]
