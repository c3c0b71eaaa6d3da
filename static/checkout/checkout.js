// Keeps a payment page up to date: the countdown, the state, and the copy buttons.
const WAIT = 14; // seconds; shorter than the time that a stopping server gives its requests
const MOST_FAILURES = 3;

let ahead; // the server's clock, minus ours
let etag = page().dataset.etag;

export function page() {
  return document.querySelector("#pay");
}

// A state without waiting, or null.
export async function read() {
  const answer = await fetch(page().dataset.state, { cache: "no-store", credentials: "omit" });
  return answer.ok ? answer.json() : null;
}

function setClock(moment) {
  ahead = Date.parse(moment) - Date.now(); // which goes on while the machine sleeps
}

function tick() {
  const at = document.querySelector("[data-left]");
  if (!at) return;
  const left = Math.max(0, Math.ceil((Date.parse(page().dataset.expires) - Date.now() - ahead) / 1000));
  at.hidden = left >= 86_400; // the day is enough
  const parts = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
  if (!parts[0]) parts.shift();
  at.textContent = parts.map((part, place) => (place ? String(part).padStart(2, "0") : part)).join(":");
}

// The payer's own time, beside UTC where the two differ.
function showLocal() {
  const local = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" });
  for (const time of page().querySelectorAll("[data-local]")) {
    const at = new Date(time.dateTime);
    time.hidden = !at.getTimezoneOffset();
    time.textContent = `(${local.format(at)}, ${time.dataset.local})`;
  }
}

async function redraw() {
  const answer = await fetch(location.pathname, { cache: "no-store", credentials: "omit" });
  if (!answer.ok) throw new Error(answer.status);
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("#pay");
  const focused = document.activeElement?.id;
  page().replaceWith(document.adoptNode(fresh));
  if (focused) document.getElementById(focused)?.focus();
  document.querySelector("#said").textContent = fresh.querySelector("h1").innerText;
  etag = fresh.dataset.etag;
  setClock(fresh.dataset.now);
  tick();
  showLocal();
}

function tell(name) {
  document.dispatchEvent(new Event(`checkout:${name}`));
}

export const pause = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

// Asks once and returns how many seconds to pause before the next time.
async function ask() {
  const began = performance.now();
  const answer = await fetch(`${page().dataset.state}?wait=${WAIT}`, {
    cache: "no-store",
    credentials: "omit",
    headers: { "If-None-Match": etag },
    signal: AbortSignal.timeout(30_000),
  });
  if (answer.status === 200) {
    await redraw();
    tell("change");
    return 0;
  }
  if (answer.status === 429) return Number(answer.headers.get("Retry-After"));
  if (answer.status !== 304) throw new Error(answer.status);
  // A busy server answers at once.
  return performance.now() - began > 2000 ? 0 : 4;
}

async function follow() {
  let failures = 0;
  while (page().dataset.status === "awaiting_payment") {
    try {
      await pause(await ask());
      failures = 0;
    } catch {
      failures += 1;
      if (failures === MOST_FAILURES) tell("failure");
      await pause(Math.min(30, 2 ** failures));
    }
  }
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    const words = button.querySelector("span");
    const before = words.textContent;
    words.textContent = document.querySelector("#said").textContent = button.dataset.done;
    setTimeout(() => (words.textContent = before), 2000);
  } catch {
    getSelection().selectAllChildren(document.getElementById(button.dataset.from));
  }
});

setClock(page().dataset.now);
tick();
showLocal();
setInterval(tick, 1000);
follow();
