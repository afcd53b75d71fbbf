// Sends the page's own forms without a reload and puts the main part of the answer in place. Everything also works
// without this file.
"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const GAP = 400; // milliseconds; a second press within it is the same press
  const REACTION = 250; // milliseconds; a press sooner after a question appears cannot be an answer to it
  let busy = false;
  let settling = 0;
  let lastPress = -GAP;
  let lastShown = -REACTION;
  const ready = () => Math.max(lastPress + GAP, lastShown + REACTION);

  const say = (text) => { document.getElementById("announcer").textContent = text; };
  const state = () => document.getElementById("session");

  function summary(page) {
    const problem = page.querySelector(".problem");
    if (problem) return problem.textContent;
    const parts = [...page.querySelectorAll("#estimate p, .ask .count, #question, .level")];
    return parts.map((part) => part.textContent.trim().replace(/\s+/g, " ").replace(/[^.?!]$/, "$&.")).join(" ");
  }

  // The server writes UTC; a reader sees the clock of this place.
  function localTimes() {
    for (const time of document.querySelectorAll("time[datetime]")) {
      const moment = new Date(time.getAttribute("datetime"));
      if (Number.isNaN(moment.getTime())) continue;
      time.title ||= time.textContent;
      time.textContent = moment.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    }
  }
  localTimes();

  function show(html, url) {
    const page = new DOMParser().parseFromString(html, "text/html");
    const next = page.getElementById("main");
    const old = document.getElementById("main");
    const focused = document.activeElement && document.activeElement.id;
    const typed = document.getElementById("note");
    for (const part of old.querySelectorAll("details[id]")) {
      const same = next.querySelector("#" + part.id);
      if (same) same.open = part.open || (same.open && part.id === "notes-part");
    }
    // A note half written stays while answers are given; a note just saved does not.
    const nextNote = next.querySelector("#note");
    if (typed && nextNote && !typed.dataset.sent && !nextNote.value) nextNote.value = typed.value;
    old.replaceWith(document.adoptNode(next));
    document.title = page.title;
    localTimes();
    lastShown = performance.now();
    if (url && url !== location.href) history.replaceState(null, "", url);
    const target = (focused && document.getElementById(focused)) || document.querySelector("main h1");
    if (target && !target.disabled) target.focus({ preventScroll: true });
    if (document.querySelector(".problem")) window.scrollTo(0, 0);
    say(summary(document));
  }

  function fail() {
    let box = document.getElementById("problem");
    if (!box) {
      box = document.createElement("p");
      box.id = "problem";
      box.className = "problem";
      box.setAttribute("role", "alert");
      document.getElementById("main").prepend(box);
    }
    box.textContent = "The server does not answer, so nothing is confirmed. Press again once it is running: an answer never counts twice.";
  }

  async function send(form, button) {
    busy = true;
    root.classList.add("waiting");
    const data = new URLSearchParams(new FormData(form));
    if (button && button.name) data.set(button.name, button.value);
    const note = form.querySelector("#note");
    if (note) note.dataset.sent = "1";
    try {
      const reply = await fetch(form.action, { method: "POST", body: data, credentials: "same-origin" });
      const html = await reply.text();
      show(html, reply.redirected ? reply.url : "");
    } catch {
      if (note) delete note.dataset.sent;
      fail();
    } finally {
      busy = false;
      // Lighter until the next press counts, to show that the key was noticed.
      clearTimeout(settling); // that of the press before, which would end the wait of this one
      settling = setTimeout(() => root.classList.toggle("waiting", busy), Math.max(0, ready() - performance.now()));
    }
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.dataset.swap === undefined) return;
    event.preventDefault();
    const now = performance.now();
    const again = form.dataset.guard !== undefined && now < ready();
    if (form.dataset.guard !== undefined) lastPress = now;
    if (!busy && !again) send(form, event.submitter);
  });

  const KEYS = { ArrowRight: "yes", ArrowLeft: "no", u: "undo" };
  // The keys of the answers are the session's own.
  const named = (key) => ["yes", "no"].find((name) => document.getElementById(name)?.dataset.key === key);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.closest("input, textarea, select, [role=region]")) return;
    const button = document.getElementById(KEYS[event.key] || named(event.key.toLowerCase()) || KEYS[event.key.toLowerCase()] || " ");
    if (!button || button.disabled) return;
    event.preventDefault();
    button.click();
  });

  // A file is read here and sent as text: the same form works by pasting.
  document.addEventListener("change", async (event) => {
    const field = event.target.dataset.fills;
    if (!field || !event.target.files.length) return;
    document.getElementById(field).value = await event.target.files[0].text();
  });

  // Another tab may have continued the session.
  document.addEventListener("visibilitychange", async () => {
    if (document.visibilityState !== "visible" || busy || !state()) return;
    try {
      const html = await (await fetch(location.href, { credentials: "same-origin" })).text();
      const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("session");
      if (!busy && state() && (!fresh || fresh.dataset.revision !== state().dataset.revision)) show(html, "");
    } catch { /* the next press will say that the server is gone */ }
  });
})();
