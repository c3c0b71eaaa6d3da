"""The e-mail that tells one of our staff at once that it is their turn."""

from console.accounts.models import User, WorkMail
from console.events.models import Event
from console.governance import turns
from console.shell import mail


def tell(event: Event) -> None:
    """Tell a person who wants to hear at once of one turn, if it is still theirs."""
    people = User.objects.filter(is_active=True, work_mail=WorkMail.AT_ONCE)
    person = people.filter(public_id=event.subject_id).first()
    if person is not None and (turn := turns.now(event, person)):
        mail.send("your_turn", person.email, {"person": person, "turn": turn})
