// The console's own behaviour. Every page works without it; each part finds its elements by data-*.
import "./once.js";
import "./theme.js";
import "./copy.js";
import "./palette.js";
import "./keys.js";
import "./moment.js";
import "./guard.js";
import "./idle.js";
import "./refresh.js";
import "./press.js";
import "./passkey.js";

document.documentElement.dataset.script = "";
for (const dialog of document.querySelectorAll("dialog[data-autoshow]")) {
  dialog.close();
  dialog.showModal();
}
document.querySelector(".summary")?.focus();
document.querySelector("form[data-resume]")?.requestSubmit();
