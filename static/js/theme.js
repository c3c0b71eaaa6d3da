// Light and dark at once, while the server remembers the choice.
document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-theme-form]");
  if (!form || !event.submitter) return;
  event.preventDefault();
  const body = new FormData(form, event.submitter);
  document.documentElement.dataset.theme = body.get("theme");
  form.querySelector(`button:not([value="${body.get("theme")}"])`)?.focus();
  fetch(form.action, { method: "POST", body, redirect: "manual" });
});
