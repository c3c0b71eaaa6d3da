"""E-mail about a product that is switched off, switched on again or withdrawn."""

from django.urls import reverse

from apikeys import notice_emails
from console.catalogue.lifecycle import HandSetting
from console.catalogue.models import BusinessProduct
from console.events.models import Event


def tell(event: Event) -> None:
    """Tell owners, administrators and the technical contact of a change to a product."""
    rows = BusinessProduct.objects.select_related("business")
    found: BusinessProduct | None
    if event.kind == "product.withdrawn":
        found, what = rows.get(public_id=event.subject_id), "withdrawn"
    else:
        was, now = event.payload["was"], event.payload["hand"]
        if HandSetting.OFF not in (was, now) or was == now:
            return
        of_module = rows.filter(
            business__public_id=event.payload["business"], product=event.payload["module"]
        )
        found, what = of_module.approved().first(), "off" if now == HandSetting.OFF else "on"
    if found is None:
        return
    context = {
        "business": found.business,
        "product": found,
        "what": what,
        "at": event.happened_at,
        "path": reverse("apikeys:own_products", args=[found.business.public_id]),
    }
    notice_emails.send("product_changed", found.business, context, *notice_emails.MANAGERS)
