"""Forms for staff decisions on a pack."""

from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreements.lifecycle import DecisionRole
from agreements.required_approvals import APPROVERS
from console.catalogue.definitions import BASE_PRODUCTS, PRODUCTS, Product
from console.shell.forms import NameField, ReasonField


class SignedSetForm(forms.Form):
    """A staff decision, bound to the signed set that was reviewed."""

    signed_set_sha256 = forms.CharField(max_length=64, widget=forms.HiddenInput)


def _capacity_field(*roles: DecisionRole) -> forms.TypedChoiceField:
    choices = [(role.value, role.label) for role in roles]
    return forms.TypedChoiceField(choices=choices, coerce=DecisionRole, widget=forms.HiddenInput)


class ApproveForm(SignedSetForm):
    """An approval and its capacity. Commercial decides on each product, on a separate page."""

    role = _capacity_field(*(role for role in APPROVERS if role != DecisionRole.COMMERCIAL))


class SendBackForm(SignedSetForm):
    """The changes that the business must make."""

    role = _capacity_field(*APPROVERS)
    note = ReasonField(
        gettext_lazy("What must change"),
        gettext_lazy(
            "The business sees this. Name the document or the answer, and say what to change."
        ),
        error_messages={"required": gettext_lazy("Say what must change. The business sees this.")},
    )


class ProductFields(NamedTuple):
    """A product's approval checkbox and its refusal reason."""

    product: Product
    approved: forms.BoundField
    sentence: forms.BoundField


class ApproveProductsForm(SignedSetForm):
    """The products that commercial approves, and for each other product the reason for refusal.

    `cleaned_data["refused"]` maps each refused product to its reason.
    """

    role = forms.Field(initial=DecisionRole.COMMERCIAL, disabled=True, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, products: list[str], initial: Any = None) -> None:
        super().__init__(data, initial=initial)
        self.optional = [key for key in products if key not in BASE_PRODUCTS]
        for key in self.optional:
            product = PRODUCTS[key]
            # When the form is shown again after a confirmation, a missing checkbox means unticked.
            was_sent = f"sentence_{key}" in (initial or {})
            self.fields[f"approve_{key}"] = forms.BooleanField(
                label=product.name, required=False, initial=not was_sent
            )
            self.fields[f"sentence_{key}"] = NameField(
                label=_("If not, why you refuse %(product)s") % {"product": product.name},
                required=False,
                max_length=500,
            )

    def products(self) -> list[ProductFields]:
        """Return the fields of each product that can be refused, in pack order."""
        return [
            ProductFields(PRODUCTS[key], self[f"approve_{key}"], self[f"sentence_{key}"])
            for key in self.optional
        ]

    def base(self) -> list[Product]:
        """Return the products that are part of every agreement."""
        return [PRODUCTS[key] for key in BASE_PRODUCTS]

    def clean(self) -> dict[str, Any]:
        sentences = {key: self.cleaned_data.get(f"sentence_{key}", "") for key in self.optional}
        refused = {key for key in self.optional if not self.cleaned_data.get(f"approve_{key}")}
        for key, sentence in sentences.items():
            if sentence and key not in refused:
                self.add_error(
                    f"sentence_{key}",
                    _("Untick the product to refuse it, or delete this reason."),
                )
            elif not sentence and key in refused and f"sentence_{key}" not in self.errors:
                self.add_error(
                    f"sentence_{key}", _("Say why in a sentence. The business sees this.")
                )
        return {
            "role": self.cleaned_data.get("role"),
            "signed_set_sha256": self.cleaned_data.get("signed_set_sha256"),
            "refused": {key: sentences[key] for key in self.optional if key in refused},
        }


class RetryForm(forms.Form):
    """The reason for retrying a stopped preparation or sealing, and where to restart."""

    anew = forms.BooleanField(
        label=gettext_lazy("Prepare every document again"),
        help_text=gettext_lazy(
            "Use the current templates and rules, not the ones from the first attempt."
        ),
        required=False,
    )

    reason = ReasonField(
        gettext_lazy("What you did about the cause"),
        gettext_lazy("Only our staff can read this in the log."),
        error_messages={
            "required": gettext_lazy("Say what you did about the cause. A sentence is enough.")
        },
    )
