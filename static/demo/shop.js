// What a shop writes: ask the own server for a session, mount the widget, and show what it says.
const order = document.querySelector("#order");
const log = document.querySelector("#log");
let sessionId;
let payment;
let transfers = [];

function say(words) {
  const line = document.createElement("li");
  line.textContent = words;
  log.append(line);
}

function shown(status, minor) {
  say(`onStatus: ${status}, ${(minor / 100).toLocaleString("en-GB", { minimumFractionDigits: 2 })} NGN to pay`);
}

async function transfer(part) {
  await fetch(`/orders/${sessionId}/pay/`, { method: "POST", body: new URLSearchParams({ part }) });
}

// The page behind a modal takes no clicks, so its payer's bank transfers by itself.
function transferLater() {
  transfers = [setTimeout(transfer, 5000, "half"), setTimeout(transfer, 10_000, "rest")];
}

// Without this script, or without the widget's, the form leads to the payment page.
document.querySelector("form").addEventListener("submit", async (event) => {
  const { ServiceCheckout } = window;
  if (!ServiceCheckout) return;
  event.preventDefault();
  const isModal = event.submitter.value === "modal";
  const answer = await fetch(event.target.action, {
    method: "POST",
    headers: { Accept: "application/json" },
  });
  if (!answer.ok) return say(`The shop’s server answered ${answer.status}.`);
  ({ sessionId } = await answer.json());
  order.hidden = false;
  log.replaceChildren();
  transfers.forEach(clearTimeout);
  payment?.unmount();
  payment = ServiceCheckout.mount({
    sessionId,
    container: isModal ? undefined : "#payment",
    onStatus: ({ status, outstandingAmountMinor }) => shown(status, outstandingAmountMinor),
    onSuccess: () => say("onSuccess: thank you!"),
    onClose: () => {
      transfers.forEach(clearTimeout);
      say("onClose: the payment is still open.");
    },
    onError: ({ code }) => say(`onError: ${code}`),
  });
  if (isModal) transferLater();
  else order.scrollIntoView({ block: "nearest" });
});

document.querySelector("#bank").addEventListener("click", (event) => {
  const part = event.target.closest("button")?.value;
  if (part) transfer(part);
});
