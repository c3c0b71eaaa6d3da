// data-autosave: what is touched is saved as you go, and on leaving; without this script by a button.
import { released } from "./press.js";

const PAUSE = 600;
const AGAIN = 10_000;
const PATIENCE = 20_000;
const LARGEST = 60_000; // a browser sends 64 KiB at most for a page that is gone
const OUT = "you are signed out. Sign in, come back, and it is saved.";
const OTHER = "somebody else is signed in now, or you may no longer change this.";
const DOWN = "the console did not answer. We try again.";

const WORDS = ":scope > .hint:not(.theirs), :scope > .err";

// Show the hints and errors of a fresh page, and leave alone the control, in which somebody may type.
function retell(here, found) {
  const [mine, fresh] = [here, found].map((one) => [...one.querySelectorAll(".field, .part")]);
  if (mine.length !== fresh.length) return;
  mine.forEach((part, at) => {
    for (const old of part.querySelectorAll(WORDS)) old.remove();
    const above = [...part.querySelectorAll(":scope > :is(label, legend, .asked)")].at(-1);
    // An address has other parts in another country.
    const pair = (inner) => [part, fresh[at]].map((one) => one.querySelector(inner));
    const [label, words] = pair(":scope > :is(label, legend)");
    label.replaceChildren(...words.childNodes);
    above.after(...fresh[at].querySelectorAll(WORDS));
    for (const [to, from] of [[part, fresh[at]], pair(".input")])
      for (const name of ["data-bad", "aria-describedby", "aria-invalid"])
        from?.hasAttribute(name) ? to?.setAttribute(name, from.getAttribute(name)) : to?.removeAttribute(name);
  });
}

function keep(form) {
  const stamp = form.querySelector("[data-saved]");
  let asked, keys;
  const list = () => {
    asked = [...form.querySelectorAll("[name=asked]")];
    keys = asked.map((input) => input.value);
  };
  list();
  const token = form.elements.csrfmiddlewaretoken;
  const owns = (key) => (name) => name === key || name.startsWith(`${key}.`);
  const read = (of) => {
    const all = [...new FormData(of)];
    return new Map(keys.map((key) => [key, JSON.stringify(all.filter(([name]) => owns(key)(name)))]));
  };
  const ask = (url, options) => fetch(url, { signal: AbortSignal.timeout(PATIENCE), ...options });
  // What a browser filled in again is older than what the form was made from.
  if (performance.getEntriesByType("navigation")[0]?.type !== "navigate") form.reset();
  const made = form.cloneNode(true);
  made.reset();
  const saved = read(made);
  const refused = new Map();
  const flying = new Map();
  const newest = new Map(); // the number of the newest request about each question
  let last = stamp.textContent;
  let [sequence, timer, failed, locked, submitting, armed, ready, due] = [0, 0, false, false, null];
  let queue = Promise.resolve();

  const dirty = (live = read(form), than = saved) => keys.filter((key) => live.get(key) !== than.get(key));
  const is = (mark, key) => mark in asked[keys.indexOf(key)].dataset;
  const marked = () => form.querySelector("[data-unsaved]");
  const tell = (words, bad) => {
    stamp.textContent = marked() && !bad ? `${words} The marked answers are not saved.` : words;
    stamp.parentElement.toggleAttribute("data-bad", Boolean(bad || marked()));
    form.querySelector("[data-sign-in]").hidden = !locked;
    return !bad;
  };
  const fail = (why) => tell(`Not saved, but still on this page: ${why}`, (failed = true));
  const save = (leaving) => (queue = queue.then(() => send(leaving)));
  const later = (pause) => {
    clearTimeout(timer);
    timer = setTimeout(save, pause);
  };

  // The token of a form ends with the session: a page of now has the next one.
  async function renew() {
    const page = await ask(location.href); // with ?check it names what is missing, too
    if (page.redirected) return OUT;
    if (page.status >= 500) throw page;
    const html = new DOMParser().parseFromString(await page.text(), "text/html");
    const fresh = html.querySelector("form[data-autosave]");
    if (fresh?.dataset.by !== form.dataset.by) return OTHER;
    token.value = fresh.elements.csrfmiddlewaretoken.value;
    return fresh;
  }

  // Show the questions and suggestions that an answer leads to; remove those that no longer apply.
  async function reshape() {
    const before = new Map(saved);
    const fresh = await renew();
    if (!fresh.elements) return;
    await released();
    const old = new Map(asked.map((one) => [one.value, one.parentElement]));
    // What was saved meanwhile, on leaving, is newer than the fresh page.
    const [changed, added] = [[...dirty(), ...dirty(read(form), before)], []];
    let above;
    due = false;
    for (const found of fresh.querySelectorAll("[data-question]")) {
      const key = found.dataset.question;
      const here = old.get(key);
      const busy = changed.includes(key) || here?.contains(document.activeElement);
      const stays = here && (busy || !found.querySelector("[data-suggested]"));
      if (!stays) {
        added.push(key);
        if (here) here.replaceWith(found);
        else above ? above.after(found) : form.querySelector("fieldset").append(found);
      }
      // An error that is new waits until the question is left.
      const has = (one) => Boolean(one.querySelector(".err"));
      const waits = stays && has(found) && !has(here) && here.contains(document.activeElement);
      due ||= waits;
      if (waits)
        for (const one of found.querySelectorAll(".err, [data-bad], [aria-invalid]")) {
          if (one.matches(".err")) one.remove();
          for (const name of ["data-bad", "aria-invalid"]) one.removeAttribute(name);
        }
      if (stays && !is("unsaved", key)) retell(here, found);
      above = stays ? here : found;
      old.delete(key);
    }
    for (const [key, gone] of old) if (!changed.includes(key)) gone.remove();
    list();
    const now = read(form);
    for (const key of added) saved.set(key, now.get(key));
  }

  async function send(leaving) {
    clearTimeout(timer);
    const live = read(form);
    const has = (of, key) => of?.get(key) === live.get(key);
    // A page that goes away sees no answer, so what is on its way counts as saved.
    const known = (key) => has(leaving && flying.has(key) ? flying : saved, key) || (leaving && has(refused, key));
    // Sent again after a button's form, it would undo what the answer to that form changed.
    const changed = keys.filter((key) => !known(key) && !has(submitting, key));
    if (!changed.length) {
      if (!leaving && stamp.textContent !== last) tell(last, (failed = false));
      return true;
    }
    const body = new FormData();
    for (const name of ["revision", "page"]) body.set(name, form.elements[name].value);
    const number = (sequence += 1);
    body.set("sequence", number);
    for (const key of changed) {
      body.append("asked", key);
      for (const [name, text] of JSON.parse(live.get(key))) body.append(name, text);
      flying.set(key, live.get(key));
      newest.set(key, number);
    }
    // A save on leaving does not wait for the one before, whose answer may come last.
    const lasting = () => changed.filter((key) => newest.get(key) === number);
    const keepalive = new Blob([...body].flat()).size + 200 * [...body].length < LARGEST;
    const post = () =>
      ask(form.dataset.autosave, { method: "POST", body, keepalive, headers: { "X-CSRFToken": token.value } });
    const away = (it) => !it || it.redirected || it.status === 403;
    try {
      let answer = locked ? null : await post();
      const page = away(answer) && (await renew());
      if (page?.elements) answer = await post();
      locked = away(answer);
      if (locked) return fail(page.elements ? OTHER : page);
      const said = await answer.json();
      for (const key of lasting()) {
        const kept = !said.unsaved.includes(key);
        refused.delete(key);
        (kept ? saved : refused).set(key, live.get(key));
        if (kept) for (const mark of ["unsaved", "suggested"]) delete asked[keys.indexOf(key)].dataset[mark];
      }
      if (said.reshaped && !leaving) await reshape();
      failed = false;
      if (!said.unsaved.length) last = said.message;
      document.dispatchEvent(new Event("activity"));
      if (dirty().some((key) => !said.unsaved.includes(key))) later(PAUSE);
      else tell(said.message, said.unsaved.length);
      return true;
    } catch {
      lasting().forEach((key) => saved.delete(key)); // it may have arrived
      later(AGAIN);
      return fail(DOWN);
    } finally {
      for (const key of changed) if (flying.get(key) === live.get(key)) flying.delete(key);
    }
  }
  const leave = () => send(true);

  form.addEventListener("input", () => {
    if (!failed && dirty().length) tell("Saving …");
    later(PAUSE);
  });
  const tidy = () => due && (queue = queue.then(reshape).catch(() => {}));
  for (const kind of ["change", "focusout"]) form.addEventListener(kind, () => (dirty().length ? save() : tidy()));
  for (const kind of ["online", "focus"]) addEventListener(kind, () => save());
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : save()));
  addEventListener("pagehide", leave);
  addEventListener("pageshow", () => (submitting = null));
  addEventListener("beforeunload", (event) => {
    const large = new Blob([...read(form).values()]).size > LARGEST;
    const stuck = dirty().length && (failed || large || refused.size || !navigator.onLine);
    if (!submitting && (stuck || marked())) event.preventDefault();
  });

  // Where saving fails the page stays, and with it what was typed.
  form.addEventListener("submit", async (event) => {
    if (!ready && (dirty().length || failed || !navigator.onLine)) {
      event.preventDefault();
      ready = await save(true);
      if (!ready) return;
      if (event.submitter?.isConnected ?? true) form.requestSubmit(event.submitter);
      else ready = tell((last = "Saved. The button that you pressed is gone: look at the page again."), true);
    } else {
      ready = false;
      const live = read(form);
      const touched = [...dirty(live), ...keys.filter((key) => is("unsaved", key) || is("suggested", key))];
      submitting = new Map(touched.map((key) => [key, live.get(key)]));
      armed = true;
    }
  });
  form.addEventListener("formdata", ({ formData }) => {
    if (!armed) return;
    armed = false;
    formData.set("sequence", (sequence += 1));
    formData.delete("asked");
    for (const key of keys) {
      formData.append("shown", key);
      if (submitting.has(key)) formData.append("asked", key);
      else [...formData.keys()].filter(owns(key)).forEach((name) => formData.delete(name));
    }
  });

  form.querySelector("[data-manual]").hidden = true;
  save(); // what was typed before this script arrived
}

document.querySelectorAll("form[data-autosave]").forEach(keep);
