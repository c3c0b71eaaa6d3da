// Speaks with the site that frames the page. Silent unless the server accepted that site.
import { page, pause, read } from "./checkout.js";

const PROTOCOL = { p: "service-checkout", v: 1 };
const RETRY_SECONDS = 3;
const nonce = /^#n=([\w-]{16,64})$/.exec(location.hash)?.[1];
let port, told, succeeded;

// The site's origin, if the list names it. Only entries for local development have wildcards.
function acceptedOrigin() {
  let site;
  try {
    site = new URL(document.referrer);
  } catch {
    return "";
  }
  const fits = (entry) => {
    if (!entry.endsWith(":*")) return entry === site.origin;
    const [scheme, host] = entry.slice(0, -2).split("://");
    const matches = host.startsWith("*.") ? site.hostname.endsWith(host.slice(1)) : site.hostname === host;
    return site.protocol === `${scheme}:` && matches;
  };
  return page().dataset.ancestors.split(" ").some(fits) ? site.origin : "";
}

async function tellState() {
  const { status, outstanding } = page().dataset;
  if (!port || told === status + outstanding) return;
  told = status + outstanding;
  port.postMessage({ type: "status", status, outstandingAmountMinor: Number(outstanding) });
  if (status !== "paid" || succeeded) return;
  succeeded = true;
  // Ask the server again, until it answers: it alone knows.
  let state;
  while (!(state = await read().catch(() => null))) await pause(RETRY_SECONDS);
  if (state.status === "paid") port.postMessage({ type: "success" });
}

function tellSize() {
  port?.postMessage({ type: "resize", height: Math.ceil(document.body.getBoundingClientRect().height) });
}

const origin = parent === window || !nonce ? "" : acceptedOrigin();
if (origin && origin !== "null") {
  addEventListener("message", (event) => {
    const { data, ports } = event;
    if (port || event.source !== parent || event.origin !== origin || ports.length !== 1) return;
    if (data?.p !== PROTOCOL.p || data.v !== PROTOCOL.v || data.nonce !== nonce) return;
    [port] = ports;
    tellState();
    tellSize();
    new ResizeObserver(tellSize).observe(document.body);
  });
  document.addEventListener("checkout:change", tellState);
  document.addEventListener("checkout:failure", () => port?.postMessage({ type: "error", code: "STATE_UNAVAILABLE" }));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") port?.postMessage({ type: "close" });
  });
  parent.postMessage({ ...PROTOCOL, type: "ready", nonce }, origin);
}
