"""SamePerson: whether two users ever shared a mailbox, for queries."""

from django.db.models import BooleanField, F, Func, Value

from console.accounts.models.person import User


class SamePerson(Func):
    """Compare the user in a column with a user. The rules of the database call this too."""

    function = "public.accounts_same_person"
    output_field = BooleanField()

    def __init__(self, column: str, user: User) -> None:
        super().__init__(F(column), Value(user.pk))
