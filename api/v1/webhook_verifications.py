"""Verifications of webhook endpoints, with the result of each request."""

from rest_framework.request import Request
from rest_framework.response import Response

from api.problems import ApiProblem
from api.v1.examples import webhooks as examples
from api.v1.webhook_endpoint_serializers import WebhookVerificationDetailSerializer
from api.viewsets import ResourceViewSet, operation
from apikeys.webhooks import enforcement
from apikeys.webhooks.models import EndpointProbe


class WebhookVerificationViewSet(ResourceViewSet):
    """Verifications that a business or our weekly check requested."""

    product = "webhooks"
    resource = "webhook_verifications"
    needs_provider = False
    serializer_class = WebhookVerificationDetailSerializer

    @operation(answer=WebhookVerificationDetailSerializer, example=examples.VERIFICATION_RESULT)
    def retrieve(self, request: Request) -> Response:
        """Read one verification of a webhook endpoint: which requests failed, and why."""
        probe = self.get_object()
        probe.results = [
            result | {"explanation": enforcement.sentence(result)} for result in probe.results
        ]
        return self.answer(probe)

    def get_object(self) -> EndpointProbe:
        own = EndpointProbe.objects.filter(endpoint__business=self.business)
        found = own.select_related("endpoint").filter(public_id=self.kwargs["id"]).first()
        if found is None:
            raise ApiProblem("NOT_FOUND")
        self.require_environment(found.endpoint.environment)
        return found
