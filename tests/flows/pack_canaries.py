"""A pack from its answers to its bundle, with canary secrets for everyone involved.

The worker renders, seals and stores the pack while the secrets are in use.
"""

import base64
import time

from django.db import transaction

from agreements.lifecycle import PackStatus
from agreements.models import Pack
from console.accounts.models import User
from console.accounts.roles import Role
from onboarding.lifecycle import ApplicationStatus
from tests import factories
from tests.agreements.pages.addresses import of_case, own
from tests.flows.canaries import OWNER, Canaries
from tests.flows.visitor import Visitor
from tests.waiting import eventually

COUNTERSIGNING_PASSWORD = "twelve amber lynxes reading"


class PackFlow:
    """A second business of the owner, whose pack is rendered while other flows run."""

    def __init__(self, owner: Visitor) -> None:
        self.owner = owner
        person = User.objects.get(email=OWNER)
        named = {"ow_signatory_name": person.name, "ow_signatory_email": OWNER}
        # In one transaction, so the worker sees the application only once it is cleared.
        with transaction.atomic():
            self.business = factories.a_business("Harbour Kiosk", owner=person)
            application = factories.an_application(
                ApplicationStatus.SUBMITTED, business=self.business, **named
            )
            factories.cleared(application)

    def signed_by_all(self, seed: bytes) -> Canaries:
        """Sign, approve and countersign, which makes the worker start sealing."""
        pack = factories.accepted(self._pack_at(PackStatus.IN_REVIEW))
        yield from self.signing(pack, seed)
        factories.approve(self._pack_at(PackStatus.IN_APPROVAL))
        factories.checked_seal()
        yield from self.countersigning(self._pack_at(PackStatus.APPROVED))

    def wait_for_the_seal(self) -> None:
        """Wait until the pack is executed and its last blob is written."""
        self._pack_at(PackStatus.EXECUTED)

    def signing(self, pack: Pack, seed: bytes) -> Canaries:
        """Sign on the page, which asks for a code of the app."""
        assert pack.revision is not None
        yield "signatory's session cookie", self.owner.cookie("session")
        sign = own("sign", pack)
        signed = {"offer_sha256": pack.revision.offer_sha256}
        self.owner.post(sign, code=factories.a_code(seed, ahead=1), **signed)
        assert "You have signed the pack" in self.owner.page, self.owner.page

    def countersigning(self, pack: Pack) -> Canaries:
        yield "countersignatory's password", COUNTERSIGNING_PASSWORD
        person = factories.one_of_staff(Role.COUNTERSIGNATORY, password=COUNTERSIGNING_PASSWORD)
        seed = factories.seed_of(person)
        yield "bytes of the countersignatory's seed", seed
        yield "seed of the countersignatory's authenticator", base64.b32encode(seed).decode()
        staff = Visitor(self.owner.url)
        staff.post("/sign-in/", email=person.email, password=COUNTERSIGNING_PASSWORD)
        staff.post("/sign-in/code/", code=factories.a_code(seed))
        yield "countersignatory's session cookie", staff.cookie("session")
        bound = factories.signed_set(pack)
        time.sleep(factories.seconds_left_of_this_code())
        sent = {"signed_set_sha256": bound, "code": factories.a_code(seed)}
        staff.post(of_case("countersign", pack), on=of_case("countersign", pack), **sent)

    def _pack_at(self, status: str) -> Pack:
        found = Pack.objects.filter(business=self.business, status=status)
        eventually(found.exists)
        return factories.fresh_pack(found.get())
