"""Base ViewSet of the API: declares operations and runs them."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, wraps
from typing import Any, ClassVar, TypeVar

from django.db import models
from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.viewsets import GenericViewSet

from api import examples, leaked_keys, pagination, parsers
from api.fields import StrictSerializer
from api.idempotency import Action, IdempotencyMixin
from api.operations import Operation, OperationExample
from api.pagination import KeysetPagination, PageQuerySerializer
from api.problems import ApiProblem, Fault, unknown_id
from api.providers import connected
from api.renderers import ResultRenderer
from api.serializers import ResourceSerializer, answer_of, page_of, result_of, shared
from api.validation import QuerySerializer
from api.views import ApiView
from apikeys.models import Grant
from console.accounts.actors import MachineActor
from console.accounts.models import Business

ModelT = TypeVar("ModelT", bound=models.Model)
# API names of REST framework's actions.
_VERBS = {"retrieve": "read", "partial_update": "change", "destroy": "delete"}
_ELSEWHERE = "This object belongs to the other environment of your business."


def operation(*, many: bool = False, verb: str = "", **declared: Any) -> Callable[[Action], Any]:
    """Make a ViewSet method an operation of the API.

    `many` is for a list. `verb` is the second part of its name, if not the method's name. The other
    arguments are fields of `Operation` that differ from the ViewSet's defaults: `body`, `query`,
    `answer`, `status`, `codes`, `financial`, `example`. The docstring is the title in the
    documentation. `answer` is the serializer of an object, or of the whole response. The method
    runs once for each Idempotency-Key, in one transaction.
    """

    def decorate(action: Action) -> Any:
        @wraps(action)
        def perform(self: "ResourceViewSet", request: Request, **kwargs: str) -> Response:
            return self.run_once(action, request)

        perform.declared = (many, verb, declared)  # type: ignore[attr-defined]
        return perform

    return decorate


class ResourceViewSet(IdempotencyMixin, ApiView, GenericViewSet[Any]):
    """Operations on one kind of object, limited to the calling business and environment.

    `resource` is the first part of its operations' names: `payouts.create`. The scope is `scope`,
    by default the product, with `read` or `write`. `words` are the plural and singular names of its
    objects. `example` is one documented object, or several. `codes` are errors that all its
    operations can return. `settle_due` completes what is due for a business, before each read.
    """

    product: ClassVar[str]
    resource: ClassVar[str]
    scope: ClassVar[str] = ""
    words: ClassVar[tuple[str, str]] = ("", "")
    example: ClassVar[Mapping[str, Any] | Sequence[Mapping[str, Any]]] = ()
    codes: ClassVar[tuple[str, ...]] = ()
    query_class: ClassVar[type[PageQuerySerializer]] = PageQuerySerializer
    # Whether changes need a provider of the product.
    needs_provider: ClassVar[bool] = True
    settle_due: ClassVar[Any] = None

    http_method_names: ClassVar[list[str]] = ["get", "head", "post", "patch", "delete"]  # type: ignore[misc]
    pagination_class = KeysetPagination
    lookup_url_kwarg = "id"
    lookup_value_converter = "str"

    grant: Grant
    # The validated query string.
    parameters: Mapping[str, Any]

    @classmethod
    @cache
    def describe(cls, action: str, method: str, path: str) -> Operation:
        """Return the operation for an action at a path."""
        function = getattr(cls, action)
        many, verb, declared = function.declared
        word = "read" if method == "GET" else "write"
        financial = declared.get("financial", False)
        codes = [*cls.codes, *declared.get("codes", ())]
        codes += ["NO_PROVIDER_ENABLED"] if cls.needs_provider and method != "GET" else []
        shown: Any = declared.get("answer", cls.serializer_class)
        answer = (
            page_of if many else result_of if ResultRenderer in cls.renderer_classes else answer_of
        )
        title = (function.__doc__ or "").partition("\n")[0]
        found = {
            "scope": f"{cls.scope or cls.product}:{word}",
            "query": cls.query_class if many else QuerySerializer,
            "kind": "financial" if financial else "endpoint",
            "summary": title.format(*cls.words),
            **declared,
            "codes": tuple(codes),
        }
        if "answer" not in declared or issubclass(shown, ResourceSerializer):
            found["answer"] = answer(shown)
        if "example" not in found:
            found["example"] = cls._example(many=many)
        name = f"{cls.resource}.{verb or _VERBS.get(action, action)}"
        return Operation(name, method, path, cls.product, view=cls, action=action, **found)

    @classmethod
    def _example(cls, *, many: bool) -> OperationExample:
        shown = [cls.example] if isinstance(cls.example, Mapping) else cls.example
        if many or not shown:
            return examples.page_of(*shown)
        return examples.reading(shown[0])

    def find_operation(self, request: Request) -> Operation:
        method = (request.method or "").lower()
        action = self.action_map.get(method) if method in self.http_method_names else None
        if action is None:
            detail = f"This address accepts {', '.join(self.allowed_methods)}."
            raise ApiProblem("NOT_FOUND", detail, status=405)
        assert request.resolver_match is not None
        route = request.resolver_match.route.partition("v1/")[2]
        # HEAD is the same operation as GET. The server leaves the body out.
        return self.describe(action, "GET" if method == "head" else method.upper(), path_of(route))

    @property
    def allowed_methods(self) -> list[str]:
        return sorted(one.upper() for one in self.action_map if one in self.http_method_names)

    @property
    def business(self) -> Business:
        return self.grant.business

    @property
    def actor(self) -> MachineActor:
        return MachineActor(self.key.name, self.key.public_id)

    @property
    def has_provider(self) -> bool:
        return connected.serves(self.environment, self.product)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.grant = self.key.grant
        sent = parsers.read(request)
        leaked_keys.refuse(sent, request.META.get("HTTP_IDEMPOTENCY_KEY", ""))

    def run(self, action: Action, request: Request) -> Response:
        """Check what every action needs, then run it. It validates its body itself."""
        self.check_input(request.META.get("QUERY_STRING", ""))
        if self.operation.changes:
            if self.operation.body is None:
                StrictSerializer(data=request.data).is_valid(raise_exception=True)
            self.require_provider()
        elif self.operation.of_provider and not self.has_provider:
            return pagination.whole([])
        return action(self, request)

    def check_input(self, query_string: str) -> None:
        """Validate the path and the query string: an ID with a NUL byte cannot be looked up."""
        if any("\0" in name for name in self.kwargs.values()):
            raise ApiProblem("NOT_FOUND")
        query = self.operation.query(data=query_string)
        query.is_valid(raise_exception=True)
        self.parameters = query.validated_data

    def require_provider(self) -> None:
        """Refuse a change for which no provider is connected; first, name its mistakes."""
        if self.needs_provider and not self.has_provider:
            if self.operation.body:
                self.get_serializer(data=self.request.data).is_valid(raise_exception=True)
            where: dict[str, Any] = {"product": self.product, "environment": self.environment}
            raise ApiProblem("NO_PROVIDER_ENABLED", reason="not_connected", **where)

    def get_serializer_class(self) -> Any:
        """Return the serializer of the body, or of the answer if the operation takes no body."""
        return self.operation.body or super().get_serializer_class()

    def get_queryset(self) -> QuerySet[Any]:
        """Return the business's rows in both environments, except removed ones."""
        return self.rows_of(super().get_queryset())

    def rows_of(self, rows: QuerySet[ModelT]) -> QuerySet[ModelT]:
        removable = any(one.name == "removed_at" for one in rows.model._meta.concrete_fields)
        kept = rows.filter(removed_at=None) if removable else rows
        return kept.filter(business=self.business.pk)

    def filter_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Filter a list by environment and by the lookups that its parameters have as `source`.

        Refuse an ID that names nothing of the caller's: its list would be empty without a reason.
        """
        related = self.operation.query.related  # type: ignore[attr-defined]
        named = {
            name: model.objects.filter(
                business=self.business, public_id=self.parameters[name]
            ).first()
            for name, model in related.items()
            if name in self.parameters
        }
        if unknown := [name for name, own in named.items() if own is None]:
            raise unknown_id(*unknown)
        for name, own in named.items():
            self.require_environment(own.environment, name)
        of_pages = PageQuerySerializer._declared_fields
        lookups = {n: v for n, v in self.parameters.items() if n not in of_pages and v}
        return queryset.filter(environment=self.environment, **lookups)

    def get_object(self) -> Any:
        """Return the object with the ID in the URL."""
        return self.find(super().get_queryset(), self.kwargs["id"])

    def new(
        self, model: type[ModelT], sent: Mapping[str, Any] | None = None, **fields: Any
    ) -> ModelT:
        """Return a new object of the calling business and environment.

        It takes those of its fields that were `sent`, and others, which win.
        """
        own = {field.name for field in model._meta.concrete_fields}
        given = {name: value for name, value in (sent or {}).items() if name in own}
        return model(business=self.business, environment=self.environment, **given | fields)

    def find(self, rows: QuerySet[ModelT], public_id: str) -> ModelT:
        """Return the caller's object with that ID, or raise the same error as reading it."""
        own = self._own(rows, public_id)
        if own is None:
            raise ApiProblem("NOT_FOUND")
        self.require_environment(getattr(own, "environment"))  # noqa: B009  # of any model
        return own

    def find_named(self, rows: QuerySet[ModelT], member: str, sent: Mapping[str, Any]) -> ModelT:
        """Return the caller's object that the member names in `sent`, or raise an error at it."""
        own: ModelT = self.find_all_named({member: rows}, sent)[member]
        return own

    def find_all_named(
        self, rows: Mapping[str, QuerySet[Any]], sent: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the caller's objects that these members name, or raise one error at all of them.

        Members that are not in `sent` are left out.
        """
        found = {name: self._own(own, sent[name]) for name, own in rows.items() if name in sent}
        if unknown := [name for name, own in found.items() if own is None]:
            raise unknown_id(*unknown)
        for name, own in found.items():
            self.require_environment(getattr(own, "environment"), name)  # noqa: B009
        return found

    def _own(self, rows: QuerySet[ModelT], public_id: str) -> ModelT | None:
        return self.rows_of(rows).filter(public_id=public_id).select_related("business").first()

    def require_environment(self, environment: str, member: str = "") -> None:
        """Raise ENVIRONMENT_MISMATCH for the caller's own object of the other environment."""
        if environment != self.environment:
            faults = [Fault(f"/{member}", "other_environment", _ELSEWHERE)] if member else []
            raise ApiProblem("ENVIRONMENT_MISMATCH", _ELSEWHERE, errors=faults)

    def settle(self) -> None:
        """Complete what is due for the calling business, so that no response shows overdue rows."""
        if self.settle_due is not None:
            self.settle_due(self.business.pk)

    def get_serializer_context(self) -> dict[str, Any]:
        # Pages read objects without an API request.
        return {}

    def answer(self, one: Any, shape: type[BaseSerializer[Any]] | None = None) -> Response:
        """Return an object as the response, in the ViewSet's serializer or in another."""
        chosen: Any = shape or self.serializer_class
        return self.respond(shared(chosen).to_representation(one))

    def respond(self, body: Any, status: int = 0) -> Response:
        """Return a body as the response, with the operation's status or another."""
        return Response(body, status or self.operation.status)


class ListMixin(ResourceViewSet):
    """GET for a list."""

    @operation(many=True)
    def list(self, request: Request) -> Response:
        """List {0}, newest first."""
        self.settle()
        rows = self.paginate_queryset(self.filter_queryset(self.get_queryset()))
        return self.get_paginated_response(self.get_serializer(rows, many=True).data)


class RetrieveMixin(ResourceViewSet):
    """GET for one object."""

    @operation()
    def retrieve(self, request: Request) -> Response:
        """Read one {1}."""
        self.settle()
        return self.answer(self.get_object())


def path_of(route: str) -> str:
    """Return a route as written in the contract: `/payouts/{id}`."""
    return "/" + route.replace("<str:", "{").replace(">", "}")
