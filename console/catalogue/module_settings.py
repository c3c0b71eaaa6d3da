"""Manual settings of modules, and which modules a business sees.

Only our account team writes manual settings. `off` also closes the product's scopes; `on` shows the
module but never opens a scope.
"""

from django.db import transaction
from django.utils.translation import gettext as _

from console.accounts import access
from console.accounts.models import Business, User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.catalogue.definitions import PRODUCTS
from console.catalogue.lifecycle import HandSetting
from console.catalogue.models import ModuleSetting
from console.core import clock
from console.core.refusals import ReasonMissing, Refused, Stale
from console.core.text import says_something
from console.events import outbox as events

_COLUMNS = ["hand", "hand_by", "hand_at", "hand_reason"]


class AlreadySo(Refused):
    """The module already has this setting, or there is no manual setting to remove."""

    code = "already_so"


def shown(business_id: int) -> frozenset[str]:
    """Return the keys of the modules shown to a business. One query."""
    found = ModuleSetting.objects.filter(business_id=business_id).shown()
    return frozenset(found.values_list("module", flat=True))


@transaction.atomic
def set_by_hand(
    business: Business, module: str, hand: HandSetting, *, seen: str, reason: str, by: User
) -> ModuleSetting:
    """Show or hide a business's module, regardless of its products.

    `seen` is the manual setting that the page showed. Raises Stale if it has changed since,
    ReasonMissing without a reason, and AlreadySo if the module already has this setting.
    """
    assert hand != HandSetting.NONE, "Release it instead."
    setting = _held(business, module, seen=seen, reason=reason, by=by)
    if setting.hand == hand:
        raise AlreadySo(
            _("%(name)s is already set to %(setting)s.")
            % {"name": setting.name, "setting": hand.label}
        )
    return _change(setting, hand, "module_setting.set_by_hand", reason=reason, by=by)


@transaction.atomic
def release(business: Business, module: str, *, seen: str, reason: str, by: User) -> ModuleSetting:
    """Remove the manual setting of a module, which then follows the business's products again."""
    setting = _held(business, module, seen=seen, reason=reason, by=by)
    if setting.hand == HandSetting.NONE:
        raise AlreadySo(_("%(name)s has no manual setting.") % {"name": setting.name})
    return _change(setting, HandSetting.NONE, "module_setting.released", reason=reason, by=by)


def _held(business: Business, module: str, *, seen: str, reason: str, by: User) -> ModuleSetting:
    """Check permissions, and return the locked setting, created if necessary."""
    business = Business.objects.locked(business)
    access.require(by, Permission.ACCOUNT_MANAGE)
    access.require_outsider(by, business)
    if not says_something(reason):
        raise ReasonMissing(_("Say why, in a sentence."))
    setting, _created = ModuleSetting.objects.get_or_create(
        business=business, module=module, defaults={"automatic_since": clock.now()}
    )
    setting = ModuleSetting.objects.locked(setting)
    if setting.hand != seen:
        raise Stale(
            _("Somebody changed %(name)s after you opened this page.")
            % {"name": PRODUCTS[module].name}
        )
    return setting


def _change(
    setting: ModuleSetting, hand: HandSetting, code: str, *, reason: str, by: User
) -> ModuleSetting:
    """Save the manual setting, log it and publish the event."""
    before = {"hand": setting.hand, "reason": setting.hand_reason}
    setting.hand = hand
    if hand == HandSetting.NONE:
        setting.hand_by, setting.hand_at, setting.hand_reason = None, None, ""
    else:
        setting.hand_by, setting.hand_at, setting.hand_reason = by, clock.now(), reason.strip()
    setting.save(update_fields=_COLUMNS)
    audit.record(
        code, setting, by=by, before=before, after={"hand": str(hand), "reason": reason.strip()},
        module=setting.module,
    )  # fmt: skip
    events.publish(
        "module_setting.changed",
        setting,
        module=setting.module,
        was=before["hand"],
        hand=str(hand),
        business=setting.business.public_id,
    )
    return setting
