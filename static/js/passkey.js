// data-passkey="address": a form that is submitted with a passkey's answer to the options of that
// address. Forms that need a passkey stay hidden where the browser supports none.
const supported = Boolean(window.PublicKeyCredential?.parseRequestOptionsFromJSON);
let asking = false;

async function answer(form) {
  const sent = { method: "POST", body: new FormData(form), redirect: "manual" };
  const response = await fetch(form.dataset.passkey, sent);
  // The address asks its user to confirm who they are, and so does this page when it opens again.
  if (response.type === "opaqueredirect") location.assign(location.href);
  if (!response.ok) throw new Error("no options");
  const options = await response.json();
  if ("passkeyNew" in form.dataset) {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    return navigator.credentials.create({ publicKey });
  }
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return navigator.credentials.get({ publicKey });
}

async function submit(event) {
  event.preventDefault();
  if (asking) return; // options for a second press would end the first one's ceremony
  asking = true;
  const form = event.target;
  const failed = form.querySelector("[data-passkey-failed]");
  failed.hidden = true;
  try {
    const credential = await answer(form);
    form.elements.credential.value = JSON.stringify(credential.toJSON());
    form.submit();
  } catch {
    failed.hidden = false;
  } finally {
    asking = false;
  }
}

// Browsers that can (WebAuthn 3) stop offering passkeys that were removed here.
async function signal(method, attribute) {
  const said = document.querySelector(`[${attribute}]`)?.getAttribute(attribute);
  if (!said || !window.PublicKeyCredential?.[method]) return;
  try {
    await PublicKeyCredential[method](JSON.parse(said));
  } catch {
    // It is only a hint, and the browser may refuse it.
  }
}
signal("signalAllAcceptedCredentials", "data-passkeys-accepted");
signal("signalUnknownCredential", "data-passkey-unknown");

if (supported) {
  for (const form of document.querySelectorAll("form[data-passkey]")) {
    form.hidden = false;
    form.addEventListener("submit", submit);
  }
  for (const words of document.querySelectorAll("[data-passkey-without]")) words.hidden = true;
}
