// "g q" jumps to the place whose link says data-key="gq". Decisions never have a key.
const FORGET = 1200;
let typed = "";
let timer;

document.addEventListener("keydown", (event) => {
  const writing = event.target.closest("input, textarea, select, [contenteditable], dialog");
  if (writing || event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1) return;
  typed = (typed + event.key.toLowerCase()).slice(-2);
  clearTimeout(timer);
  timer = setTimeout(() => (typed = ""), FORGET);
  const link = document.querySelector(`a[data-key="${CSS.escape(typed)}"]`);
  if (!link) return;
  event.preventDefault();
  location.assign(link.href);
});
