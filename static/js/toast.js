// A word of confirmation that goes away by itself. Errors never come this way.
const LONG_ENOUGH = 4000;

export function toast(words) {
  const note = document.createElement("div");
  note.className = "toast";
  note.textContent = words;
  document.querySelector(".toasts")?.append(note);
  setTimeout(() => note.remove(), LONG_ENOUGH);
}
