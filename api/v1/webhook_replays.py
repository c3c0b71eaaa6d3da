"""Replays of a webhook endpoint's deliveries, and how far they are."""

from api.problems import ApiProblem
from api.v1.examples import webhooks as examples
from api.v1.webhook_deliveries import WebhookReplaySerializer
from api.viewsets import RetrieveMixin
from apikeys.webhooks.models import ReplayJob


class WebhookReplayViewSet(RetrieveMixin):
    """Replays that a business requested."""

    product = "webhooks"
    resource = "webhook_replays"
    needs_provider = False
    serializer_class = WebhookReplaySerializer
    words = "replays", "replay"
    example = examples.REPLAYED

    def get_object(self) -> ReplayJob:
        own = ReplayJob.objects.filter(endpoint__business=self.business)
        found = own.select_related("endpoint").filter(public_id=self.kwargs["id"]).first()
        if found is None:
            raise ApiProblem("NOT_FOUND")
        self.require_environment(found.endpoint.environment)
        return found
