"""POST /sub-accounts, and test helpers that change a sub-account's status."""

from collections.abc import Callable

from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import StrictSerializer
from api.payments import sub_accounts
from api.payments.lifecycle import SubAccountStatus
from api.payments.models import SubAccount
from api.renderers import ResultRenderer, succeeded
from api.serializers import ResourceSerializer
from api.v1.examples import second_family as examples
from api.v1.shared_fields import EmailField
from api.viewsets import ResourceViewSet, operation


class SubAccountCreateSerializer(StrictSerializer):
    """POST /sub-accounts: the holder."""

    email = EmailField(help_text="The e-mail address of the future holder.")


class SubAccountSerializer(ResourceSerializer):
    """A sub-account that is linked to your business."""

    reference = serializers.CharField(
        source="public_id", help_text="The reference of the sub-account."
    )
    email = serializers.CharField(help_text="The e-mail address of the holder.")
    status = serializers.ChoiceField(
        choices=SubAccountStatus.values,
        help_text="`pending` until the holder has accepted and passed our checks.",
    )
    createdAt = serializers.DateTimeField(  # noqa: N815
        source="created_at", help_text="When you created it."
    )


class SubAccountBaseViewSet(ResourceViewSet):
    """Base of the operations on sub-accounts."""

    product = "customers"
    resource = "sub_accounts"
    renderer_classes = (ResultRenderer,)
    queryset = SubAccount.objects.all()
    serializer_class = SubAccountSerializer

    def succeed(self, message: str, account: SubAccount) -> Response:
        return self.respond(succeeded(message, SubAccountSerializer(account).data))

    def move(self, verb: Callable[..., SubAccount], message: str) -> Response:
        return self.succeed(message, verb(self.get_object(), by=self.actor))


class SubAccountViewSet(SubAccountBaseViewSet):
    """A business's sub-accounts."""

    @operation(body=SubAccountCreateSerializer, status=201, example=examples.NEW_SUB_ACCOUNT)
    def create(self, request: Request) -> Response:
        """Create a sub-account that is linked to your business.

        If the e-mail address already has a sub-account that is not rejected or closed, we return
        it.
        """
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        email = serializer.validated_data["email"]
        account = sub_accounts.create(self.business, self.environment, email, by=self.actor)
        return self.succeed("Sub-account created successfully", account)


class SubAccountTestHelperViewSet(SubAccountBaseViewSet):
    """Test helpers that act as the holder of a sub-account, or as compliance."""

    needs_provider = False

    @action(detail=True, methods=["post"])
    @operation(example=examples.ACTIVATED_SUB_ACCOUNT)
    def activate(self, request: Request) -> Response:
        """Activate a pending sub-account, as if its holder accepted and passed the checks."""
        return self.move(sub_accounts.activate, "Sub-account activated")

    @action(detail=True, methods=["post"])
    @operation(example=examples.REJECTED_SUB_ACCOUNT)
    def reject(self, request: Request) -> Response:
        """Reject a pending sub-account, as if its holder failed the checks."""
        return self.move(sub_accounts.reject, "Sub-account rejected")

    @action(detail=True, methods=["post"])
    @operation(example=examples.SUSPENDED_SUB_ACCOUNT)
    def suspend(self, request: Request) -> Response:
        """Suspend an active sub-account, as compliance would."""
        return self.move(sub_accounts.suspend, "Sub-account suspended")

    @action(detail=True, methods=["post"])
    @operation(example=examples.LIFTED_SUB_ACCOUNT)
    def lift(self, request: Request) -> Response:
        """Lift the suspension of a sub-account, as compliance would."""
        return self.move(sub_accounts.lift, "Suspension lifted")

    @action(detail=True, methods=["post"])
    @operation(example=examples.CLOSED_SUB_ACCOUNT)
    def close(self, request: Request) -> Response:
        """Close a sub-account, as if nobody accepted it in time or it was no longer needed."""
        return self.move(sub_accounts.close, "Sub-account closed")
