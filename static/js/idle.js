// Two minutes before an idle session ends, say so, and let one press keep it.
const WARNING = 120;
const allowed = Number(document.body.dataset.idle);
const address = document.querySelector("[data-palette]")?.dataset.palette;
let note;
let timer;

function say(words, press) {
  note?.remove();
  note = document.createElement("div");
  note.className = "notice";
  note.dataset.tone = "warning";
  note.setAttribute("role", "alert");
  const text = document.createElement("div");
  text.textContent = words;
  note.append(text);
  if (press) {
    const button = document.createElement("button");
    button.className = "btn";
    button.type = "button";
    button.textContent = "Stay signed in";
    button.addEventListener("click", press);
    note.append(button);
  }
  document.querySelector(".toasts")?.append(note);
}

async function stay() {
  const answer = await fetch(address);
  answer.redirected ? end() : begin();
}

function end() {
  say("You are signed out. What you typed is still on this page: copy it, then sign in again.");
}

function begin() {
  note?.remove();
  wait();
}

function wait() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    say("You will be signed out in two minutes, because nothing has happened here.", stay);
    timer = setTimeout(end, WARNING * 1000);
  }, (allowed - WARNING) * 1000);
}

if (allowed > WARNING && address) {
  wait();
  document.addEventListener("activity", begin);
}
