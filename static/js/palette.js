// Ctrl K: filter what the page offers, ask the server for the rest, go there.
const palette = document.querySelector("#palette");
const PAUSE = 180;

if (palette) {
  const input = palette.querySelector("input");
  const list = palette.querySelector("[role=listbox]");
  const shown = () => [...list.querySelectorAll("[role=option]:not([hidden])")];
  const chosen = () => list.querySelector("[aria-selected=true]:not([hidden])");
  let waiting;
  let asked = 0;

  const choose = (option) => {
    for (const each of list.children) each.setAttribute("aria-selected", String(each === option));
    input.setAttribute("aria-activedescendant", option?.id ?? "");
    option?.scrollIntoView({ block: "nearest" });
  };
  const step = (by) => {
    const options = shown();
    const at = options.indexOf(chosen());
    if (options.length) choose(options[(at + by + options.length) % options.length]);
  };
  const go = (option) => option?.dataset.href && location.assign(option.dataset.href);
  const filter = () => {
    const words = input.value.trim().toLowerCase();
    for (const option of list.querySelectorAll("[role=option]:not([data-hit])"))
      option.hidden = !option.textContent.toLowerCase().includes(words);
    choose(shown()[0]);
  };
  const ask = async () => {
    const words = input.value.trim();
    const mine = ++asked;
    const answer = words.length < 2 ? null : await fetch(input.dataset.palette + encodeURIComponent(words));
    if (mine !== asked) return;
    for (const old of list.querySelectorAll("[data-hit]")) old.remove();
    if (answer?.ok) list.insertAdjacentHTML("beforeend", await answer.text());
    if (!chosen()) choose(shown()[0]);
  };

  input.addEventListener("input", () => {
    filter();
    clearTimeout(waiting);
    waiting = setTimeout(ask, PAUSE);
  });
  palette.addEventListener("keydown", (event) => {
    const moves = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in moves) {
      event.preventDefault();
      step(moves[event.key]);
    } else if (event.key === "Enter" && chosen()) {
      event.preventDefault();
      go(chosen());
    }
  });
  list.addEventListener("click", (event) => go(event.target.closest("[role=option]")));
  palette.addEventListener("click", (event) => event.target === palette && palette.close());

  const open = (event) => {
    event.preventDefault();
    if (palette.open) return;
    palette.showModal();
    filter();
    input.select();
  };
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-open='#palette']")) open(event);
  });
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") open(event);
  });
}
