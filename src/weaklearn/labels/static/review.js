// Reviewing rows: answers are saved at once, the estimate follows, and all tabs agree. Every form also works by itself.
const audit = document.getElementById("audit");
const table = document.querySelector("table.review");
const lead = document.getElementById("lead");
const problem = document.getElementById("review-problem");
const undo = document.getElementById("undo-form");
const filter = document.getElementById("filter");
const address = `/audits/${audit.dataset.key}`;
const say = (text) => { document.getElementById("announcer").textContent = text; };
const rows = () => [...(table?.tBodies[0].rows ?? [])];
let current = null;
let asking = 0;

function percent(p) {
  if (p > 0 && p < 0.005) return "less than 1%";
  if (p >= 0.995 && p < 1) return "more than 99%";
  return `${Math.round(100 * p)}%`;
}

// --- what the server says is what all rows show
function show(state) {
  audit.dataset.revision = state.revision;
  document.getElementById("revision").value = state.revision;
  document.getElementById("undo").disabled = state.revision === 0;
  for (const row of rows()) {
    const label = state.answers[row.dataset.row];
    const buttons = [...row.querySelectorAll("[data-review] button")];
    row.dataset.answer = "";
    for (const button of buttons) {
      const chosen = label !== undefined && button.dataset.label === label;
      button.setAttribute("aria-pressed", String(chosen));
      if (chosen) row.dataset.answer = button.value;
    }
    const note = row.querySelector(".note-text");
    if (note !== document.activeElement) note.value = state.notes[row.dataset.row] ?? "";
  }
  document.getElementById("n-reviewed").textContent = Object.keys(state.answers).length;
  if (state.lead !== undefined) {
    lead.textContent = state.lead;
    document.getElementById("n-own").textContent = state.n_own ? `${state.n_own} changed` : "no changes yet";
    document.getElementById("n-sure").textContent = `${state.n_sure} label${state.n_sure === 1 ? "" : "s"} changed`;
    for (const row of rows()) {
      const p = state.probability[row.dataset.row];
      const cell = row.querySelector("td.wrong");
      if (p === undefined) continue;
      cell.textContent = percent(p);
      cell.dataset.value = p.toFixed(4);
    }
    rank();
  }
  sift();
}

// --- open rows are ranked anew as answers come, unless a column sorts the table; answered ones stay where they are
function rank() {
  if (!filter || table.querySelector("[aria-sort]")) return;
  const random = filter.querySelector("[name=order][value=interval]")?.checked;
  const key = (row) => (random && row.dataset.sample ? 1 + 1 / row.dataset.sample : Number(row.querySelector("td.wrong").dataset.value));
  const before = rows();
  const open = before.filter((row) => row.dataset.answer === "").sort((a, b) => key(b) - key(a));
  const after = before.map((row) => (row.dataset.answer === "" ? open.shift() : row));
  if (after.every((row, place) => row === before[place])) return;
  const focused = table.contains(document.activeElement) ? document.activeElement : null;
  table.tBodies[0].append(...after);
  focused?.focus({ preventScroll: true });
}

async function estimate() {
  const mine = ++asking;
  try {
    const reply = await fetch(`${address}/state`, { headers: { Accept: "application/json" } });
    if (!reply.ok) return;
    const state = await reply.json();
    if (mine === asking) show(state);
  } catch { /* the next answer will say that the server is gone */ }
}

async function send(form, button) {
  const data = new URLSearchParams(new FormData(form));
  if (button?.name) data.set(button.name, button.value);
  audit.classList.add("saving");
  try {
    const reply = await fetch(form.action, { method: "POST", body: data, headers: { Accept: "application/json" } });
    const state = reply.headers.get("content-type")?.includes("json") ? await reply.json() : {};
    if (reply.ok) {
      problem.hidden = true;
      show(state);
    } else {
      problem.textContent = state.error ?? "The server refused this; reload the page.";
      problem.hidden = false;
      if (state.now) show(state.now);
    }
    estimate();
    return reply.ok;
  } catch {
    problem.textContent = "The server does not answer, so nothing was saved. Press again once it is running.";
    problem.hidden = false;
    return false;
  } finally {
    audit.classList.remove("saving");
  }
}

audit.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.matches("[data-review], [data-note], #undo-form")) {
    event.preventDefault();
    const row = form.closest("tr");
    const saved = await send(form, event.submitter);
    if (saved && form.matches("[data-review]")) say(`${event.submitter.getAttribute("aria-label")}. Saved.`);
    if (saved && form.matches("[data-note]")) say(`Note on row ${row.dataset.row} saved.`);
    if (saved && form === undo) say("Undone.");
  }
});
audit.addEventListener("change", (event) => {
  if (event.target.matches(".note-text")) send(event.target.form);
});

// --- filter
function sift() {
  if (!filter) return;
  const chosen = filter.querySelector("[name=show]:checked").value;
  const wanted = document.getElementById("search").value.trim().toLowerCase();
  let left = 0;
  for (const row of rows()) {
    const { answer, own, sample } = row.dataset;
    const state = answer === "" ? "open" : answer === own ? "right" : answer === "unclear" ? "unclear" : "wrong";
    row.dataset.state = state;
    const found = wanted === "" || row.textContent.toLowerCase().includes(wanted) || row.querySelector(".note-text").value.toLowerCase().includes(wanted);
    row.hidden = !found || (chosen === "sample" ? sample === undefined : chosen !== "all" && chosen !== state && row !== current);
    left += !row.hidden;
  }
  table.classList.toggle("none-left", left === 0);
}
filter?.addEventListener("change", () => { current = null; rank(); sift(); });
filter?.addEventListener("input", sift);
filter?.addEventListener("submit", (event) => event.preventDefault());

// --- keyboard
function choose(row) {
  if (current) current.removeAttribute("aria-current");
  current = row;
  row.setAttribute("aria-current", "true");
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}
function step(by) {
  const seen = rows().filter((row) => !row.hidden);
  if (!seen.length) return;
  const place = seen.indexOf(current);
  choose(seen[place < 0 ? 0 : Math.min(Math.max(place + by, 0), seen.length - 1)]);
}
function press(value) {
  const button = current && [...current.querySelectorAll("[data-review] button")].find((one) => one.value === value);
  if (button) {
    button.form.requestSubmit(button);
    step(1);
  }
}
document.addEventListener("keydown", (event) => {
  if (!table || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select")) {
    if (event.key === "Escape" && event.target.matches(".note-text")) event.target.closest("tr").focus();
    return;
  }
  const actions = {
    j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1),
    r: () => press(current?.dataset.own), w: () => press(current?.dataset.other),
    u: () => { if (!document.getElementById("undo").disabled) undo.requestSubmit(); },
    n: () => current?.querySelector(".note-text").focus(),
  };
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const action = actions[key] ?? (/^[1-9]$/.test(key) && current ? () => press(String(Number(key) - 1)) : null);
  if (!action || (event.repeat && !["j", "k", "ArrowDown", "ArrowUp"].includes(key))) return;
  event.preventDefault();
  action();
});
table?.addEventListener("focusin", (event) => {
  const row = event.target.closest("tbody tr");
  if (row && row !== current) {
    current?.removeAttribute("aria-current");
    current = row;
    row.setAttribute("aria-current", "true");
  }
});

// --- other tabs
const source = new EventSource(`${address}/events`);
source.addEventListener("reviews", (event) => { if (event.data !== audit.dataset.revision) estimate(); });
sift();
