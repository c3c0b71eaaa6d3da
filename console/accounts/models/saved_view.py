"""SavedView: the filters of a list, under a name of one person."""

from django.db import models

from console.accounts.models.person import User
from console.core import clock, ids


class SavedView(models.Model):
    """A list's query string, named by the one person who sees it.

    `module` is the key of the list's module, and `query` is cleaned by `saved_views`.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("view"))
    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="saved_views")
    module = models.CharField(max_length=30)
    name = models.CharField(max_length=60)
    query = models.CharField(max_length=500)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["person", "module", "name"], name="one_view_of_a_list_by_a_name"
            ),
        ]

    def __str__(self) -> str:
        return self.name
