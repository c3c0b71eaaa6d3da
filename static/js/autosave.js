// data-autosave: what is typed is kept as you go. Without this script the buttons do the same.
for (const form of document.querySelectorAll("form[data-autosave]")) {
  const stamp = form.querySelector("[data-saved]");
  let waiting = 0;
  let busy = 0;
  let queue = Promise.resolve();

  const save = async () => {
    const answer = await fetch(form.dataset.autosave, { method: "POST", body: new FormData(form) });
    if (answer.redirected || !(answer.ok || answer.status === 409)) return;
    const kept = await answer.json();
    if (answer.status === 409) {
      stamp.textContent = "Somebody else has saved this section. Save to see both answers.";
      return;
    }
    form.elements.revision.value = kept.revision;
    stamp.textContent = kept.problems[0] ?? kept.saved;
  };
  const enqueue = () => {
    busy += 1;
    queue = queue
      .then(save)
      .catch(() => (stamp.textContent = "Not saved yet. Use the button to save."))
      .finally(() => (busy -= 1));
  };
  form.addEventListener("change", () => {
    clearTimeout(waiting);
    waiting = setTimeout(enqueue, 600);
  });
  // A button waits for what is on its way, so that one's own saving is not taken for a colleague's.
  form.addEventListener("submit", (event) => {
    clearTimeout(waiting);
    if (!busy) return;
    event.preventDefault();
    queue.then(() => form.requestSubmit(event.submitter));
  });
}
