// data-copy="value" puts the value on the clipboard.
import { toast } from "./toast.js";

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.dispatchEvent(new CustomEvent("copied", { bubbles: true }));
    toast("Copied");
  } catch {
    toast("Select the text and press Ctrl C");
  }
});
