// data-passkey="address": a form, or a button of one, that is submitted with a passkey's answer to
// the options of that address. Hidden where the browser supports none.
const supported = Boolean(window.PublicKeyCredential?.parseRequestOptionsFromJSON);
let asking = false;

async function answer(form, from) {
  const sent = { method: "POST", body: new FormData(form), redirect: "manual" };
  const response = await fetch(from.dataset.passkey, sent);
  // The form's page says why it is refused.
  if (from !== form && !response.ok) return null;
  // The address asks who they are, and so does this page when it opens again.
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
  if (asking) return; // a second press would end the first ceremony
  asking = true;
  const from = event.currentTarget;
  const form = from.form ?? from;
  const failed = form.querySelector("[data-passkey-failed]");
  failed.hidden = true;
  try {
    const credential = await answer(form, from);
    form.elements.credential.value = credential ? JSON.stringify(credential.toJSON()) : "";
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
    // It is only a hint.
  }
}
signal("signalAllAcceptedCredentials", "data-passkeys-accepted");
signal("signalUnknownCredential", "data-passkey-unknown");

if (supported) {
  for (const one of document.querySelectorAll("[data-passkey]")) {
    one.hidden = false;
    one.addEventListener(one.matches("form") ? "submit" : "click", submit);
  }
  for (const words of document.querySelectorAll("[data-passkey-without]")) words.hidden = true;
}
