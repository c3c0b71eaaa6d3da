// Times are in the time zone of the account; pointing at one shows it where the reader is.
const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });

document.addEventListener("pointerover", (event) => {
  const time = event.target.closest?.("time[data-moment]");
  if (!time || time.dataset.local) return;
  time.dataset.local = "done";
  time.title = `${local.format(new Date(time.dateTime))}\n${time.dateTime}`;
});
