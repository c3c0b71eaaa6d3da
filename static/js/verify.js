// Computes a chosen file's SHA-256 here, so that it can be checked without leaving this device.
// Sending the file is then the second thing one can do, no longer the first.
const form = document.querySelector("[data-verify]");
const local = form?.querySelector("[data-verify-local]");
const LARGEST = 200 * 1024 * 1024;

function show(isLocal) {
  local.hidden = !isLocal;
  form.querySelector("[data-verify-plain]").hidden = isLocal;
  form.querySelector("[data-verify-deeper]").hidden = !isLocal;
  const send = form.querySelector("[data-verify-send]");
  if (isLocal) delete send.dataset.kind;
  else send.dataset.kind = "primary";
}

form?.addEventListener("change", async (event) => {
  const file = event.target.files?.[0];
  show(false);
  // Only pages from a safe origin may compute digests; without one the plain upload remains.
  if (!file || file.size > LARGEST || !crypto.subtle) return;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
  if (event.target.files?.[0] !== file) return;
  const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  local.querySelector("[data-verify-sha256]").textContent = sha256;
  local.querySelector("[data-verify-link]").href = `${form.getAttribute("action")}?sha256=${sha256}`;
  show(true);
});
