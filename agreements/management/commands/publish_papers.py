"""Publish every version of a paper that has no lock yet, after lint has nothing to say."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agreements import lint, templates


class Command(BaseCommand):
    """Check the library; write the lock of new versions."""

    help = "Checks every paper of the library and publishes versions that are new."

    def handle(self, *args: Any, **options: Any) -> None:
        for code in templates.codes():
            for version in templates.versions(code):
                self._publish(templates.read(code, version))

    def _publish(self, template: templates.Template) -> None:
        new = not templates.is_published(template)
        if new and (problems := lint.lint(template)):
            raise CommandError(f"{template.short_reference}: {'; '.join(problems)}")
        try:
            templates.publish(template)
        except templates.TemplateRefused as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(f"{'published' if new else 'unchanged'}  {template.reference}")
