"""StoppedMail: an address whose owner chose “This is not me”, and which senders it blocks."""

from django.db import models

from console.accounts.models.business import Business


class StoppedMail(models.Model):
    """Stops e-mails to an address from a business, or from our public pages."""

    email = models.EmailField()
    business = models.ForeignKey(Business, null=True, on_delete=models.PROTECT)
    stopped_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["email", "business"], nulls_distinct=False, name="mail_is_stopped_once"
            ),
        ]

    def __str__(self) -> str:
        return f"no e-mail to {self.email} from {self.business or 'public pages'}"
