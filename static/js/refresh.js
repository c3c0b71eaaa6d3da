// A page that waits asks nothing while it is hidden, or while somebody types in it.
document.addEventListener("htmx:beforeRequest", (event) => {
  const types = document.activeElement?.matches("input, textarea, select");
  if (document.hidden || types || document.querySelector("dialog[open]")) event.preventDefault();
});
