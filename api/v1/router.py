"""The router: every ViewSet of the API, in the order of the documentation."""

from api.routers import ApiRouter
from api.v1.balances import Balances, Transactions
from api.v1.beneficiaries import Beneficiaries
from api.v1.cardholders import Cardholders
from api.v1.cards import Cards, CardTestHelpers, CardTransactions
from api.v1.checkout_sessions import CheckoutSessions, CheckoutTestHelpers
from api.v1.conversions import Conversions
from api.v1.crypto import CryptoAddresses, CryptoWithdrawals
from api.v1.customers import Customers
from api.v1.digital_services import DigitalServiceOrders, DigitalServices
from api.v1.events import WebhookEvents
from api.v1.financing import FinancingOffers
from api.v1.flights import FlightBookings, FlightOffers
from api.v1.identity_verifications import IdentityVerifications
from api.v1.inventory import Inventory
from api.v1.me import Me
from api.v1.merchant import Merchant
from api.v1.orders import Orders
from api.v1.otc import OtcOrders
from api.v1.payouts import Payouts
from api.v1.payroll import PayrollRuns
from api.v1.quotation import Quotations
from api.v1.quotes import Quotes
from api.v1.rates import ExchangeRates
from api.v1.refunds import Refunds
from api.v1.savings import SavingsAccounts
from api.v1.sub_accounts import SubAccounts, SubAccountTestHelpers
from api.v1.transfers import Transfers
from api.v1.usage import Usage
from api.v1.virtual_accounts import VirtualAccounts, VirtualAccountTestHelpers
from api.v1.webhook_deliveries import WebhookDeliveries
from api.v1.webhook_endpoints import WebhookEndpoints
from api.v1.webhook_verifications import WebhookVerifications

ROUTER = ApiRouter()
ROUTER.register("me", Me)
ROUTER.register("balances", Balances)
ROUTER.register("transactions", Transactions)
ROUTER.register("usage", Usage)
ROUTER.register("customers", Customers)
ROUTER.register("sub-accounts", SubAccounts)
ROUTER.register("test-helpers/sub-accounts", SubAccountTestHelpers)
ROUTER.register("orders", Orders)
ROUTER.register("currencies/quotation", Quotations)
ROUTER.register("merchant", Merchant)
ROUTER.register("checkout-sessions", CheckoutSessions)
ROUTER.register("test-helpers/checkout-sessions", CheckoutTestHelpers)
ROUTER.register("webhook-endpoints", WebhookEndpoints)
ROUTER.register("webhook-verifications", WebhookVerifications)
ROUTER.register("webhook-deliveries", WebhookDeliveries)
ROUTER.register("events", WebhookEvents)
ROUTER.register("beneficiaries", Beneficiaries)
ROUTER.register("transfers", Transfers)
ROUTER.register("rates", ExchangeRates)
ROUTER.register("virtual-accounts", VirtualAccounts)
ROUTER.register("test-helpers/virtual-accounts", VirtualAccountTestHelpers)
ROUTER.register("quotes", Quotes)
ROUTER.register("conversions", Conversions)
ROUTER.register("otc-orders", OtcOrders)
ROUTER.register("crypto/addresses", CryptoAddresses)
ROUTER.register("crypto/withdrawals", CryptoWithdrawals)
ROUTER.register("identity-verifications", IdentityVerifications)
ROUTER.register("cardholders", Cardholders)
ROUTER.register("cards", Cards)
ROUTER.register("card-transactions", CardTransactions)
ROUTER.register("test-helpers/cards", CardTestHelpers)
ROUTER.register("refunds", Refunds)
ROUTER.register("savings", SavingsAccounts)
ROUTER.register("inventory", Inventory)
ROUTER.register("digital-services", DigitalServices)
ROUTER.register("digital-services/orders", DigitalServiceOrders)
ROUTER.register("flights/offers", FlightOffers)
ROUTER.register("flights/bookings", FlightBookings)
ROUTER.register("payroll/runs", PayrollRuns)
ROUTER.register("financing", FinancingOffers)
ROUTER.register("payouts", Payouts)

OPERATIONS = ROUTER.operations()
# All fixed parts of paths, without parameters.
WORDS = frozenset(part for row in OPERATIONS for part in row.path.split("/") if part[:1] != "{")
