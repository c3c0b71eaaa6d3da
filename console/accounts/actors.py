"""Actors: a user, or something that acts without an account. Domain functions take one as `by`."""

from dataclasses import dataclass

from console.accounts.models import User


@dataclass(frozen=True)
class MachineActor:
    """An actor without an account. `name` appears in the audit log in place of a user's name.

    `public_id` is set for actors that have one, such as an API key.
    """

    name: str
    public_id: str = ""


Actor = User | MachineActor

# The schedule, event listeners and commands. Pages never use it: a request has its own actor.
SYSTEM = MachineActor("System")
# Whoever reports a secret that became public.
FINDER = MachineActor("Who found a key in public")
# Whoever has an e-mail and the link in it.
RECIPIENT = MachineActor("A recipient")
