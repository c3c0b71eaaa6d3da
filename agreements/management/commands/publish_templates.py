"""`manage.py publish_templates`: lock every new template version that passes lint."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agreements.document_templates import template_library
from agreements.linting import lint
from console.publishing.files import FileFault


class Command(BaseCommand):
    """Check the template library, and write the lock of each new version."""

    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        for code in template_library.codes():
            for version in template_library.versions(code):
                try:
                    self._publish(template_library.read(code, version))
                except (template_library.TemplateRefused, FileFault) as refused:
                    raise CommandError(str(refused)) from refused

    def _publish(self, template: template_library.Template) -> None:
        new = not template_library.is_published(template)
        if new and (problems := lint.lint(template)):
            raise CommandError(f"{template.short_reference}: {'; '.join(problems)}")
        template_library.publish(template)
        self.stdout.write(f"{'published' if new else 'unchanged'}  {template.reference}")
