// ServiceCheckout shows the payment page of a checkout session in your own page:
//
//   const payment = ServiceCheckout.mount({
//     sessionId: "cs_…",       // from your server
//     container: "#payment",   // a selector or an element; without it, the page opens as a modal
//     onStatus({ status, outstandingAmountMinor }) {},  // at the start, and on each change
//     onSuccess() {},          // once, when the session is paid
//     onClose() {},            // the payer closed the modal; the session stays open
//     onError({ code }) {},    // "FRAME_BLOCKED": your domain is not verified
//   });
//   payment.unmount();
//
// Fulfil orders on the webhook, not on onSuccess: the payer's browser can call it by itself.
(() => {
  "use strict";

  const PROTOCOL = "service-checkout";
  const PROTOCOL_VERSION = 1;
  const SESSION_ID = /^cs_[0-9a-hjkmnp-tv-z]{26}$/;
  const CALLBACKS = ["onStatus", "onSuccess", "onClose", "onError"];
  const READY_WITHIN = 10_000; // milliseconds
  const TALLEST = 10_000; // pixels
  // Elements that show something else than their children.
  const NO_CONTAINER =
    "html, head, head *, script, style, template, noscript, input, textarea, select, option," +
    " button, a, label, img, picture, video, audio, canvas, iframe, object, embed, br, hr, svg *," +
    " table, thead, tbody, tfoot, tr, ul, ol, dl, progress, meter";

  const SANDBOX =
    "allow-scripts allow-same-origin allow-forms allow-popups" +
    " allow-top-navigation-by-user-activation";

  const CSS = `
    :host { all: initial; display: block; color-scheme: light dark; --ink: #1b2430;
      --card: #f8fafc; --link: #1f4f9e; --hover: #eef1f5;
      font: 15px/1.5 system-ui, "Segoe UI", Roboto, sans-serif; }
    @media (prefers-color-scheme: dark) {
      :host { --ink: #eceff3; --card: #0c1014; --link: #8ab8ff; --hover: #262d37; } }
    [hidden] { display: none !important; }
    iframe { display: block; width: 100%; height: 0; border: 0; border-radius: 12px;
      color-scheme: light dark; }
    p { margin: 0; padding: 24px; color: var(--ink); background: var(--card); border-radius: 8px; }
    a { color: var(--link); }
    dialog { box-sizing: border-box; width: 480px; max-width: calc(100vw - 32px); padding: 0;
      max-height: calc(100dvh - 32px); border: 0; border-radius: 12px; overflow: hidden;
      color: var(--ink); background: var(--card); box-shadow: 0 16px 48px rgb(0 0 0 / .3); }
    dialog[open] { display: flex; flex-direction: column; }
    dialog::backdrop { background: rgb(10 15 25 / .6); }
    dialog iframe { flex: 0 1 auto; min-height: 0; border-radius: 0; }
    dialog p { border-radius: 0; }
    button { flex: none; align-self: flex-end; width: 40px; height: 40px; margin: 4px; padding: 0;
      border: 0; border-radius: 8px; color: inherit; background: none; cursor: pointer;
      font: inherit; font-size: 18px; }
    button:hover { background: var(--hover); }
    :focus-visible { outline: 2px solid var(--link); outline-offset: -2px; }
    @media (max-width: 480px) {
      dialog { width: 100vw; max-width: 100vw; height: 100dvh; max-height: 100dvh;
        border-radius: 0; } }`;

  // Not configurable: the page that shows the widget cannot choose who it trusts.
  const ORIGIN = document.currentScript?.src && new URL(document.currentScript.src).origin;
  const MODAL = {};
  const mounted = new WeakMap(); // the mounted payment of each container, and of MODAL

  function mount(options) {
    const { sessionId, container, ...callbacks } = checked(options);
    const place = container ?? MODAL;
    mounted.get(place)?.unmount();

    const address = `${ORIGIN}/checkout/${sessionId}`;
    const nonce = randomHex();
    const frame = element("iframe", {
      title: "Payment",
      allow: "clipboard-write",
      referrerPolicy: "origin",
      src: `${address}/embed#n=${nonce}`,
    });
    frame.setAttribute("sandbox", SANDBOX);
    const note = element("p", { textContent: "Loading the payment page …" });
    note.setAttribute("role", "status");
    const dialog = container ? null : modal();

    const host = element("div");
    const root = host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [styles()];
    (dialog ?? root).append(frame, note);
    if (dialog) root.append(dialog);

    let port = null;
    let shown = "";
    let succeeded = false;
    const timer = setTimeout(blocked, READY_WITHIN);
    const unlock = dialog ? lockScrolling() : () => {};
    const payment = Object.freeze({ unmount });
    mounted.set(place, payment);
    addEventListener("message", greet);
    dialog?.addEventListener("close", closed);
    (container ?? document.body).append(host);
    dialog?.showModal();
    return payment;

    // The frame says once that it is ready. From then on, only the two ends of a port can talk.
    function greet({ origin, source, data }) {
      if (origin !== ORIGIN || source !== frame.contentWindow || data?.p !== PROTOCOL) return;
      if (data.type !== "ready" || data.nonce !== nonce) return;
      if (data.v !== PROTOCOL_VERSION) {
        console.warn("ServiceCheckout: this script is too old or too new for the payment page.");
        return;
      }
      removeEventListener("message", greet);
      clearTimeout(timer);
      const channel = new MessageChannel();
      port = channel.port1;
      port.onmessage = hear;
      const welcome = { p: PROTOCOL, v: PROTOCOL_VERSION, type: "port", nonce };
      frame.contentWindow.postMessage(welcome, ORIGIN, [channel.port2]);
      note.hidden = true;
      frame.hidden = false;
    }

    function hear({ data }) {
      if (data?.type === "status") changed(data);
      if (data?.type === "success") success();
      if (data?.type === "resize") resize(data.height);
      if (data?.type === "close") dialog?.close();
      if (data?.type === "error") call("onError", { code: String(data.code) });
    }

    function changed({ status, outstandingAmountMinor }) {
      const state = `${status} ${outstandingAmountMinor}`;
      if (state === shown) return;
      shown = state;
      call("onStatus", { status, outstandingAmountMinor });
    }

    function success() {
      if (succeeded) return;
      succeeded = true;
      call("onSuccess");
    }

    function resize(height) {
      if (height > 0 && height <= TALLEST) frame.style.height = `${Math.ceil(height)}px`;
    }

    // A browser that refuses the frame tells nobody, so silence is the only sign.
    function blocked() {
      const link = element("a", { href: address, target: "_blank", rel: "noopener" });
      link.textContent = "Open the payment page";
      note.replaceChildren("The payment page cannot be shown here. ", link);
      note.setAttribute("role", "alert");
      frame.hidden = true;
      call("onError", { code: "FRAME_BLOCKED" });
    }

    function closed() {
      if (mounted.get(place) !== payment) return;
      unmount();
      call("onClose");
    }

    function unmount() {
      if (mounted.get(place) !== payment) return;
      mounted.delete(place);
      clearTimeout(timer);
      removeEventListener("message", greet);
      port?.close();
      dialog?.close(); // gives the focus back
      host.remove();
      unlock();
    }

    function call(name, ...values) {
      try {
        callbacks[name]?.(...values);
      } catch (error) {
        reportError(error);
      }
    }
  }

  // Own properties only, so that a polluted prototype adds no option.
  function checked(options) {
    if (!ORIGIN) throw new TypeError("Load this script with a <script src> from the payment host.");
    if (Object(options) !== options) throw new TypeError("mount() needs an object of options.");
    const own = Object.assign(Object.create(null), options);
    const { sessionId } = own;
    if (typeof sessionId !== "string" || !SESSION_ID.test(sessionId)) {
      throw new TypeError("sessionId must be the id of a checkout session.");
    }
    const found = Object.assign(Object.create(null), { sessionId });
    for (const name of CALLBACKS) {
      if (own[name] !== undefined && typeof own[name] !== "function") {
        throw new TypeError(`${name} must be a function.`);
      }
      found[name] = own[name];
    }
    if (own.container !== undefined) found.container = containerOf(own.container);
    return found;
  }

  function containerOf(given) {
    const found = typeof given === "string" ? selected(given) : [given];
    if (found.length !== 1) {
      throw new TypeError(`container must match one element, not ${found.length}.`);
    }
    const [container] = found;
    if (!(container instanceof Element) || !container.isConnected) {
      throw new TypeError("container must be a selector, or an element of the page.");
    }
    if (container.matches(NO_CONTAINER) || container.shadowRoot) {
      throw new TypeError(`A <${container.localName}> cannot be the container. Use a <div>.`);
    }
    return container;
  }

  function selected(selector) {
    try {
      return document.querySelectorAll(selector);
    } catch {
      throw new TypeError("container is not a valid selector.");
    }
  }

  function modal() {
    const dialog = element("dialog");
    dialog.setAttribute("role", "dialog");
    dialog.setAttribute("aria-modal", "true");
    dialog.setAttribute("aria-label", "Payment");
    const button = element("button", { type: "button", textContent: "✕" });
    button.setAttribute("aria-label", "Close");
    button.addEventListener("click", () => dialog.close());
    dialog.append(button);
    return dialog;
  }

  function lockScrolling() {
    const { style } = document.documentElement;
    const before = style.getPropertyValue("overflow");
    const priority = style.getPropertyPriority("overflow");
    style.setProperty("overflow", "hidden", "important");
    return () => style.setProperty("overflow", before, priority);
  }

  // A constructed stylesheet, which a strict Content-Security-Policy allows.
  function styles() {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(CSS);
    return sheet;
  }

  function element(name, properties = {}) {
    return Object.assign(document.createElement(name), properties);
  }

  function randomHex() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  window.ServiceCheckout = Object.freeze({ mount });
})();
