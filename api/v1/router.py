"""The router: every ViewSet of the API, in the order of the documentation."""

from api.routers import ApiRouter
from api.v1.balances import BalanceViewSet, TransactionViewSet
from api.v1.beneficiaries import BeneficiaryViewSet
from api.v1.cardholders import CardholderViewSet
from api.v1.cards import CardTestHelperViewSet, CardTransactionViewSet, CardViewSet
from api.v1.checkout_sessions import CheckoutSessionViewSet, CheckoutTestHelperViewSet
from api.v1.conversions import ConversionViewSet
from api.v1.crypto import CryptoAddressViewSet, CryptoWithdrawalViewSet
from api.v1.customers import CustomerViewSet
from api.v1.digital_services import DigitalServiceOrderViewSet, DigitalServiceViewSet
from api.v1.events import EventViewSet
from api.v1.financing import FinancingOfferViewSet
from api.v1.flights import FlightBookingViewSet, FlightOfferViewSet
from api.v1.identity_verifications import IdentityVerificationViewSet
from api.v1.inventory import InventoryItemViewSet
from api.v1.me import MeViewSet
from api.v1.merchant import MerchantViewSet
from api.v1.orders import OrderViewSet
from api.v1.otc import OtcOrderViewSet
from api.v1.payouts import PayoutViewSet
from api.v1.payroll import PayrollRunViewSet
from api.v1.quotation import QuotationViewSet
from api.v1.quotes import QuoteViewSet
from api.v1.rates import RateViewSet
from api.v1.refunds import RefundViewSet
from api.v1.savings import SavingsViewSet
from api.v1.sub_accounts import SubAccountTestHelperViewSet, SubAccountViewSet
from api.v1.transfers import TransferViewSet
from api.v1.usage import UsageViewSet
from api.v1.virtual_accounts import VirtualAccountTestHelperViewSet, VirtualAccountViewSet
from api.v1.webhook_deliveries import WebhookDeliveryViewSet
from api.v1.webhook_endpoints import WebhookEndpointViewSet
from api.v1.webhook_replays import WebhookReplayViewSet
from api.v1.webhook_verifications import WebhookVerificationViewSet

ROUTER = ApiRouter()
ROUTER.register("me", MeViewSet)
ROUTER.register("balances", BalanceViewSet)
ROUTER.register("transactions", TransactionViewSet)
ROUTER.register("usage", UsageViewSet)
ROUTER.register("customers", CustomerViewSet)
ROUTER.register("sub-accounts", SubAccountViewSet)
ROUTER.register("test-helpers/sub-accounts", SubAccountTestHelperViewSet)
ROUTER.register("orders", OrderViewSet)
ROUTER.register("currencies/quotation", QuotationViewSet)
ROUTER.register("merchant", MerchantViewSet)
ROUTER.register("checkout-sessions", CheckoutSessionViewSet)
ROUTER.register("test-helpers/checkout-sessions", CheckoutTestHelperViewSet)
ROUTER.register("webhook-endpoints", WebhookEndpointViewSet)
ROUTER.register("webhook-verifications", WebhookVerificationViewSet)
ROUTER.register("webhook-replays", WebhookReplayViewSet)
ROUTER.register("webhook-deliveries", WebhookDeliveryViewSet)
ROUTER.register("events", EventViewSet)
ROUTER.register("beneficiaries", BeneficiaryViewSet)
ROUTER.register("transfers", TransferViewSet)
ROUTER.register("rates", RateViewSet)
ROUTER.register("virtual-accounts", VirtualAccountViewSet)
ROUTER.register("test-helpers/virtual-accounts", VirtualAccountTestHelperViewSet)
ROUTER.register("quotes", QuoteViewSet)
ROUTER.register("conversions", ConversionViewSet)
ROUTER.register("otc-orders", OtcOrderViewSet)
ROUTER.register("crypto/addresses", CryptoAddressViewSet)
ROUTER.register("crypto/withdrawals", CryptoWithdrawalViewSet)
ROUTER.register("identity-verifications", IdentityVerificationViewSet)
ROUTER.register("cardholders", CardholderViewSet)
ROUTER.register("cards", CardViewSet)
ROUTER.register("card-transactions", CardTransactionViewSet)
ROUTER.register("test-helpers/cards", CardTestHelperViewSet)
ROUTER.register("refunds", RefundViewSet)
ROUTER.register("savings", SavingsViewSet)
ROUTER.register("inventory", InventoryItemViewSet)
ROUTER.register("digital-services", DigitalServiceViewSet)
ROUTER.register("digital-services/orders", DigitalServiceOrderViewSet)
ROUTER.register("flights/offers", FlightOfferViewSet)
ROUTER.register("flights/bookings", FlightBookingViewSet)
ROUTER.register("payroll/runs", PayrollRunViewSet)
ROUTER.register("financing", FinancingOfferViewSet)
ROUTER.register("payouts", PayoutViewSet)

OPERATIONS = ROUTER.operations()
# All fixed parts of paths, without parameters.
WORDS = frozenset(part for row in OPERATIONS for part in row.path.split("/") if part[:1] != "{")
