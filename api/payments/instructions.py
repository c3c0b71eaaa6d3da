"""Send instructions to live's providers, and apply what they answer.

Silence, time-outs and 5xx: the provider is asked again with growing pauses, first where the
instruction is. After about a day, staff decide. An instruction that has ended never changes again:
a later contradiction is stored as a break.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import orjson
from django.db import transaction

from api.payments import breaks, currencies, limits, scoping, virtual_accounts
from api.payments.disbursements import BY_WORD, CONVERSIONS
from api.payments.lifecycle import INSTRUCTION_LIFECYCLE, DisbursementStatus, InstructionStatus
from api.payments.models import ACCOUNT, STATUS, BreakKind, ProviderInstruction, VirtualAccount
from api.payments.models.disbursement import BLOCKED
from api.payments.screening_queue import LEASE
from api.providers import configured, http
from api.providers.configured import ConnectedProvider
from api.providers.installed import ProviderRefused, ProviderSilent
from api.providers.messages import AccountAnswer, InstructionAnswer
from apikeys.lifecycle import Environment
from console.accounts import access
from console.accounts.actors import SYSTEM, Actor
from console.accounts.models import User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core import clock
from console.events import outbox as events
from console.events.models import Event

# Attempts without an answer before staff decide: about a day.
_MOST_ATTEMPTS = 32
_FIRST_PAUSE, _LONGEST_PAUSE = timedelta(seconds=10), timedelta(hours=1)
# When we ask about one that the provider has accepted. Its events are faster.
_FIRST_QUESTION, _LONGEST_WAIT = timedelta(minutes=1), timedelta(hours=24)
_MOST_DOUBLINGS = 12
_AT_ONCE = 500


def send(event: Event) -> None:
    """Ask the provider of a due instruction, outside any transaction, and apply its answer."""
    instruction = ProviderInstruction.objects.get(public_id=event.subject_id)
    if instruction.is_closed:
        return
    provider = configured.named(instruction.provider)
    if provider is None:
        _wait(instruction, f"No provider called {instruction.provider} is connected.")
        return
    try:
        answer = _ask(provider, instruction)
    except ProviderSilent as silence:
        _wait(instruction, str(silence))
    except ProviderRefused as refusal:
        _stop(instruction, str(refusal))
    else:
        apply(instruction, answer)


def _ask(
    provider: ConnectedProvider, instruction: ProviderInstruction
) -> AccountAnswer | InstructionAnswer:
    """Return the provider's answer. After silence, ask where the instruction is before sending."""
    shape: type[AccountAnswer | InstructionAnswer] = (
        AccountAnswer if instruction.kind == ACCOUNT else InstructionAnswer
    )
    answer = None
    if instruction.attempts or instruction.status == InstructionStatus.ACCEPTED:
        answer = http.get(provider, instruction.path, shape)
    if answer is None:
        answer = http.put(provider, instruction.path, orjson.dumps(instruction.body), shape)
    if answer.id != instruction.public_id:
        raise ProviderSilent("Its answer is about another object.")
    return answer


def apply(instruction: ProviderInstruction, answer: AccountAnswer | InstructionAnswer) -> None:
    """Apply a provider's answer about one of its instructions."""
    said = answer.model_dump()
    if answer.status in ("accepted", "pending"):
        _accept(instruction)
    else:
        completed = answer.status in ("completed", "issued")
        end(instruction, completed=completed, said=said, by=instruction.provider_actor)


@transaction.atomic
def end(
    instruction: ProviderInstruction, *, completed: bool, said: Mapping[str, Any], by: Actor
) -> str:
    """Complete or fail an instruction and its object, once. Return what became of it.

    `said` is the provider's reference and reason, or the numbers of an account.
    """
    instruction = scoping.locked(instruction)
    to = InstructionStatus.COMPLETED if completed else InstructionStatus.FAILED
    if instruction.has_ended:
        if instruction.status == to:
            return "known"
        breaks.found(
            instruction.business,
            instruction.provider,
            BreakKind.CONTRADICTION,
            instruction.public_id,
            str(instruction.body.get("currency", "")),
            f"{instruction.public_id} is {instruction.status}, and the provider says {to}.",
            by=by,
        )
        return "contradiction"
    if problem := _obstacle(instruction, said, completed=completed):
        if not instruction.is_closed:
            _leave_to_staff(instruction, problem)
        return "stuck"
    INSTRUCTION_LIFECYCLE.check(instruction.status, to)
    instruction.status, instruction.ask_at, instruction.ended_at = to, None, clock.now()
    instruction.reason = said.get("reason") or ""
    instruction.provider_reference = said.get("provider_reference") or ""
    instruction.problem = ""
    instruction.save()
    _finish(instruction, to, said, by=by)
    if not completed and instruction.euro_cents:
        limits.give_back(instruction.business, instruction.euro_cents, instruction.created_at)
    return "applied"


@transaction.atomic
def ask_due() -> None:
    """Let workers ask about the instructions that are due."""
    due = ProviderInstruction.objects.filter(ask_at__lte=clock.now()).order_by("ask_at")
    for instruction in due.select_for_update(no_key=True, skip_locked=True, of=("self",))[
        :_AT_ONCE
    ]:
        instruction.ask_at = clock.now() + LEASE
        instruction.save(update_fields=["ask_at"])
        events.publish("instruction.due", instruction)


@transaction.atomic
def ask_again(instruction: ProviderInstruction, *, by: User) -> None:
    """Let the provider be asked about a stuck instruction for another day."""
    access.require(by, Permission.OPERATE)
    instruction = scoping.locked(instruction)
    INSTRUCTION_LIFECYCLE.check(instruction.status, InstructionStatus.WAITING)
    instruction.status, instruction.attempts = InstructionStatus.WAITING, 1
    instruction.ask_at = clock.now() + LEASE
    instruction.save()
    audit.record("instruction.asked_again", instruction, by=by, business=instruction.business)
    events.publish("instruction.due", instruction)


@transaction.atomic
def _accept(instruction: ProviderInstruction) -> None:
    """Note that the provider works on it, and when to ask how far it is."""
    instruction = scoping.locked(instruction)
    if instruction.has_ended:
        return
    first = instruction.status != InstructionStatus.ACCEPTED
    if first:
        INSTRUCTION_LIFECYCLE.check(instruction.status, InstructionStatus.ACCEPTED)
        instruction.status = InstructionStatus.ACCEPTED
    instruction.attempts = 0 if first else instruction.attempts + 1
    instruction.problem = ""
    pause = _FIRST_QUESTION * 4 ** min(instruction.attempts, _MOST_DOUBLINGS)
    instruction.ask_at = clock.now() + min(pause, _LONGEST_WAIT)
    instruction.save()


@transaction.atomic
def _wait(instruction: ProviderInstruction, problem: str) -> None:
    """Note that there was no usable answer, and when to ask again."""
    instruction = scoping.locked(instruction)
    if instruction.is_closed:
        return
    pause = _FIRST_PAUSE * 2 ** min(instruction.attempts, _MOST_DOUBLINGS)
    instruction.attempts += 1
    if instruction.status == InstructionStatus.WAITING and instruction.attempts >= _MOST_ATTEMPTS:
        _leave_to_staff(instruction, problem)
    else:
        instruction.problem = problem
        instruction.ask_at = clock.now() + min(pause, _LONGEST_PAUSE)
        instruction.save()


@transaction.atomic
def _stop(instruction: ProviderInstruction, problem: str) -> None:
    """Leave it to staff: asking again would not help."""
    instruction = scoping.locked(instruction)
    if not instruction.is_closed:
        _leave_to_staff(instruction, problem)


def _leave_to_staff(instruction: ProviderInstruction, problem: str) -> None:
    INSTRUCTION_LIFECYCLE.check(instruction.status, InstructionStatus.STUCK)
    instruction.problem = problem
    instruction.status, instruction.ask_at = InstructionStatus.STUCK, None
    instruction.save()
    audit.record(
        "instruction.stuck",
        instruction,
        by=SYSTEM,
        business=instruction.business,
        problem=problem,
    )
    events.publish("instruction.stuck", instruction)


def _obstacle(instruction: ProviderInstruction, said: Mapping[str, Any], *, completed: bool) -> str:
    """Return why staff must look at what the provider says, or ""."""
    if not completed:
        refused = instruction.kind == STATUS
        return f"The provider refuses the new status: {said.get('reason')}." if refused else ""
    accounts = VirtualAccount.objects.filter(environment=Environment.LIVE)
    if (
        instruction.kind == ACCOUNT
        and accounts.filter(account_number=said["account_number"]).exists()
    ):
        return "Its account number belongs to another account."
    if instruction.kind == CONVERSIONS.word:
        currency = instruction.body["details"]["to_currency"]
        if not currencies.is_held(currency, instruction.business_id):
            return f"The business no longer has {currency}."
    return ""


def _finish(
    instruction: ProviderInstruction, to: InstructionStatus, said: Mapping[str, Any], *, by: Actor
) -> None:
    """Change the object that the instruction is about. New statuses are ours already."""
    if instruction.kind == STATUS:
        return
    if instruction.kind != ACCOUNT:
        status = DisbursementStatus(to.value)
        blocked = said.get("reason") == BLOCKED
        BY_WORD[instruction.kind].finish(instruction.public_id, status, blocked=blocked, by=by)
        return
    is_open = to == InstructionStatus.COMPLETED
    numbers = (said["account_number"], said["bank_name"]) if is_open else None
    virtual_accounts.answered(instruction.public_id, numbers, by=by)
