// A form is sent once, however often its button is pressed while the answer is on its way. A second
// request would replace that answer, which may show a secret. The form may be sent again after the
// user stops the request; in browsers that do not report this, the server alone refuses repeats.
const sent = new WeakSet();

function again() {
  for (const form of document.forms) sent.delete(form);
}

function once(event) {
  if (!sent.has(event.target)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

function note(event) {
  const form = event.target;
  if (!event.defaultPrevented && form.getAttribute("method") === "post") sent.add(form);
}

if (window.navigation) {
  document.addEventListener("submit", once, { capture: true });
  document.addEventListener("submit", note);
  navigation.addEventListener("navigateerror", again);
  addEventListener("pageshow", again);
}
