"""Programs in three languages that make ten calls with a client generated from the contract.

Arguments: the sandbox URL, a key, and the request bodies as JSON by operation. Each prints the
number of successful calls and stops at the first failure.
"""

PYTHON = """\
import json
import sys
import uuid

import openapi_client as api

server, key, bodies = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
client = api.ApiClient(api.Configuration(host=server, access_token=key))
customers, quotes = api.CustomersApi(client), api.ConversionsApi(client)
customer = customers.customers_create(
    api.CustomerCreate.from_dict(bodies["customers.create"]), idempotency_key=str(uuid.uuid4())
)
quote = quotes.quotes_create(str(uuid.uuid4()), api.QuoteCreate.from_dict(bodies["quotes.create"]))
answers = [
    customer,
    quote,
    quotes.conversions_create(str(uuid.uuid4()), api.ConversionCreate(quote_id=quote.id)),
    api.BalancesApi(client).me_read(),
    api.BalancesApi(client).balances_list(),
    customers.customers_read(customer.id),
    customers.customers_list(limit=5),
    api.RatesApi(client).rates_list(),
    api.PayoutsApi(client).payouts_create(
        str(uuid.uuid4()), api.PayoutCreate.from_dict(bodies["payouts.create"])
    ),
    api.WebhookEndpointsApi(client).webhook_endpoints_list(),
]
print(sum(bool(answer.request_id) for answer in answers))
"""

GO = """\
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"time"

	api "github.com/GIT_USER_ID/GIT_REPO_ID"
)

var calls = 0

func made[T any](answer T, _ any, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	calls++
	return answer
}

func body[T any](name string) (value T) {
	var bodies map[string]json.RawMessage
	if err := json.Unmarshal([]byte(os.Args[3]), &bodies); err != nil {
		log.Fatal(err)
	}
	if err := json.Unmarshal(bodies[name], &value); err != nil {
		log.Fatal(err)
	}
	return value
}

func once() string {
	return fmt.Sprintf("ten-calls-%d", time.Now().UnixNano())
}

func main() {
	settings := api.NewConfiguration()
	settings.Servers = api.ServerConfigurations{{URL: os.Args[1]}}
	client := api.NewAPIClient(settings)
	ctx := context.WithValue(context.Background(), api.ContextAccessToken, os.Args[2])
	made(client.BalancesAPI.MeRead(ctx).Execute())
	made(client.BalancesAPI.BalancesList(ctx).Execute())
	made(client.RatesAPI.RatesList(ctx).Execute())
	made(client.WebhookEndpointsAPI.WebhookEndpointsList(ctx).Execute())
	customer := made(client.CustomersAPI.CustomersCreate(ctx).
		CustomerCreate(body[api.CustomerCreate]("customers.create")).IdempotencyKey(once()).Execute())
	made(client.CustomersAPI.CustomersRead(ctx, customer.Id).Execute())
	made(client.CustomersAPI.CustomersList(ctx).Limit(5).Execute())
	quote := made(client.ConversionsAPI.QuotesCreate(ctx).
		QuoteCreate(body[api.QuoteCreate]("quotes.create")).IdempotencyKey(once()).Execute())
	made(client.ConversionsAPI.ConversionsCreate(ctx).
		ConversionCreate(*api.NewConversionCreate(quote.Id)).IdempotencyKey(once()).Execute())
	made(client.PayoutsAPI.PayoutsCreate(ctx).
		PayoutCreate(body[api.PayoutCreate]("payouts.create")).IdempotencyKey(once()).Execute())
	fmt.Println(calls)
}
"""

TYPESCRIPT = """\
import * as api from "./index";

declare const process: any;

async function main() {
  const [server, key, given] = process.argv.slice(2);
  const bodies = JSON.parse(given);
  const settings = new api.Configuration({ basePath: server, accessToken: key });
  const once = () => crypto.randomUUID();
  const customers = new api.CustomersApi(settings);
  const quotes = new api.ConversionsApi(settings);
  const customer = await customers.customersCreate({
    customerCreate: api.CustomerCreateFromJSON(bodies["customers.create"]),
    idempotencyKey: once(),
  });
  const quote = await quotes.quotesCreate({
    quoteCreate: api.QuoteCreateFromJSON(bodies["quotes.create"]),
    idempotencyKey: once(),
  });
  const answers = [
    customer,
    quote,
    await quotes.conversionsCreate({
      conversionCreate: { quoteId: quote.id },
      idempotencyKey: once(),
    }),
    await new api.BalancesApi(settings).meRead(),
    await new api.BalancesApi(settings).balancesList(),
    await customers.customersRead({ id: customer.id }),
    await customers.customersList({ limit: 5 }),
    await new api.RatesApi(settings).ratesList(),
    await new api.PayoutsApi(settings).payoutsCreate({
      payoutCreate: api.PayoutCreateFromJSON(bodies["payouts.create"]),
      idempotencyKey: once(),
    }),
    await new api.WebhookEndpointsApi(settings).webhookEndpointsList(),
  ];
  console.log(answers.filter((answer) => answer.requestId).length);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
"""
