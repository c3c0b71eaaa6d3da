"""Who acts: a person, or nobody with an account. A verb is always told, as `by`."""

from dataclasses import dataclass

from console.accounts.models import User


@dataclass(frozen=True)
class MachineActor:
    """What acts without an account; `name` stands in the log where a person's would.

    `public_id` is given where there is one: an API key has it.
    """

    name: str
    public_id: str = ""


Actor = User | MachineActor

# The schedule, listeners and commands. No page passes it: a request is somebody's.
SYSTEM = MachineActor("System")
# Whoever shows a secret that became public.
FINDER = MachineActor("Who found a key in public")
# Whoever holds an e-mail and the link in it.
RECIPIENT = MachineActor("A recipient")
