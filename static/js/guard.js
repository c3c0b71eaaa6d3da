// data-guard: something on the page is shown once; ask before leaving until it was taken along.
const page = document.querySelector("[data-guard]");
let safe = !page;

addEventListener("beforeunload", (event) => {
  if (!safe) event.preventDefault();
});
page?.addEventListener("change", (event) => {
  if (event.target.matches("[data-guard-release]")) safe = event.target.checked;
});
for (const kind of ["copied", "submit"]) page?.addEventListener(kind, () => (safe = true));
page?.addEventListener("click", (event) => {
  if (event.target.closest("a[download], a[data-guard-release]")) safe = true;
});
