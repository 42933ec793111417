(() => {
  "use strict";
  const all = (what) => [...document.querySelectorAll(what)];
  const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
  const span = (minutes) => {
    const hours = Math.floor(minutes / 60);
    return hours ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
  };
  const ago = (at, now) => {
    const minutes = Math.floor((now - at) / 60000);
    return minutes < 1 ? "just now" : `${span(minutes)} ago`;
  };
  const left = (at, now) => {
    const minutes = Math.ceil((at - now) / 60000);
    return minutes < 1 ? "any minute now" : `in about ${span(minutes)}`;
  };
  const own = (at, options) => new Intl.DateTimeFormat(undefined, options).format(at);
  const clock = { hour: "2-digit", minute: "2-digit" };
  const day = { day: "numeric", month: "short", ...clock };
  const moments = all("time").map((shown) => ({ shown, at: new Date(shown.dateTime) }));

  for (const { shown, at } of moments) {
    const isToday = at.toDateString() === new Date().toDateString();
    if ("clock" in shown.dataset) shown.textContent = own(at, isToday ? clock : day);
    if ("day" in shown.dataset) shown.textContent = own(at, day);
    shown.title = own(at, { dateStyle: "medium", timeStyle: "short" });
  }
  const tick = () => {
    const now = new Date();
    for (const { shown, at } of moments) {
      const text = "left" in shown.dataset ? left(at, now) : "ago" in shown.dataset ? ago(at, now) : null;
      if (text !== null && shown.textContent !== text) shown.textContent = text;
      const until = shown.closest(".when")?.querySelector(".until");
      if (until) until.hidden = at <= now;
    }
  };
  tick();
  setInterval(tick, 5000);

  const field = document.querySelector(".find input");
  if (!field) return;
  const found = document.getElementById("found");
  const named = all("[data-find]");
  const find = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (one) => words.every((word) => one.dataset.find.toLowerCase().includes(word));
    for (const one of named) one.hidden = !fits(one);
    for (const box of all(".batch, .line")) {
      box.hidden = !box.querySelector("[data-find]:not([hidden])");
    }
    found.textContent = words.length ? `${plural(named.filter(fits).length, "change")} found` : "";
  };
  field.closest("label").hidden = false;
  field.addEventListener("input", find);
  find();
})();
