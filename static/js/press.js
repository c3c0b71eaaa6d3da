// A button that moves or is replaced between press and release gets no click. So what changes the
// page by itself waits for the release.
let pressed = null;

addEventListener("pointerdown", () => {
  const ended = new Promise((end) => {
    // The click comes after these events and before the timer.
    for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, () => setTimeout(end), { once: true });
  });
  pressed = ended.then(() => (pressed = null));
});

export const released = () => pressed;

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!pressed) return;
  detail.shouldSwap = false;
  const [swapStyle, select] = ["hx-swap", "hx-select"].map((name) => detail.requestConfig.elt.getAttribute(name));
  const { target, serverResponse } = detail;
  pressed.then(() => htmx.swap(target, serverResponse, { swapStyle: swapStyle ?? "innerHTML" }, { select }));
});
