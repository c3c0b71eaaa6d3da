"""The people and businesses of the chaos walk, made here or in an installation of its own.

`python -m tests.flows.chaos_world 12` makes them in the installation of DATA_DIR.
"""

import json
import os
import sys
from typing import Any

from console.launch.data_folder import DataFolder

STAFF = ("analyst", "compliance", "commercial", "legal", "countersignatory")


def world(count: int) -> dict[str, Any]:
    """Make that many businesses with answers, and everybody signed in."""
    from django.test import Client

    from console.accounts.models import User
    from console.accounts.roles import Role
    from tests import factories

    def session(person: User) -> dict[str, str]:
        client = factories.signed_in(Client(), person)
        seed = factories.seed_of(person).hex()
        return {"session": client.cookies["session"].value, "seed": seed}

    cases = []
    for number in range(count):
        owner = factories.a_person("Mara Ellwood", email=f"mara{number}@kettle.example")
        business = factories.a_business(f"Kettle & Kiosk {number}", owner=owner)
        application = factories.an_application(
            "answered", business=business, ow_signatory_email=owner.email
        )
        case = {"business": business.public_id, "application": application.public_id}
        cases.append({**case, "email": owner.email, **session(owner)})
    staff = {
        who: session(factories.one_of_staff(Role.COMPLIANCE if who == "analyst" else Role(who)))
        for who in STAFF
    }
    return {"cases": cases, "staff": staff}


def main(count: int) -> None:
    """Write what was made as JSON, for the test process."""
    os.environ.update(DataFolder.named_by_the_environment().environment())
    import django

    django.setup()
    from tests.databases import begin_company
    from tests.factories import checked_seal

    begin_company()  # without it, no documents are prepared
    checked_seal()
    json.dump(world(count), sys.stdout)


if __name__ == "__main__":
    main(int(sys.argv[1]))
