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
    drawInterval(state.interval);
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

// --- open rows are ranked anew as answers come, unless a column sorts the table; answered ones stay where they are.
// Nothing moves while a note is written: a field that is moved loses the focus, and would save half of it.
function rank() {
  if (!filter || table.querySelector("[aria-sort]") || document.activeElement?.matches(".note-text")) return;
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
    if (saved && one() && form.matches("[data-review]")) { answered = row; choose(next(row)); card.focus({ preventScroll: true }); }
    if (saved && one() && form === undo && answered) choose(answered);
    if (saved && form.matches("[data-review]")) say(`${event.submitter.getAttribute("aria-label")}. Saved.`);
    if (saved && form.matches("[data-note]")) say(`Note on row ${row.dataset.row} saved.`);
    if (saved && form === undo) say("Undone.");
  }
});
audit.addEventListener("change", (event) => {
  if (event.target.matches(".note-text")) send(event.target.form);
});
table?.addEventListener("focusout", (event) => {
  if (event.target.matches(".note-text")) setTimeout(rank);  // the focus has moved on by then
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
  draw();
}
filter?.addEventListener("change", () => { current = null; rank(); sift(); });
filter?.addEventListener("input", sift);
filter?.addEventListener("submit", (event) => event.preventDefault());

// --- one row at a time: a card that is drawn from the row's line of the list, and presses its buttons
const card = document.getElementById("card");
const list = document.getElementById("list");
let answered = null;
const one = () => Boolean(filter?.querySelector("[name=view][value=one]").checked);

function node(name, text, kind) {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

// The first open row from here on, else the first of all, else this one.
function next(row) {
  const open = rows().filter((each) => !each.hidden && each.dataset.answer === "" && each !== row);
  return open.find((each) => row && row.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING) ?? open[0] ?? row;
}

function draw() {
  if (!card) return;
  const seen = rows().filter((row) => !row.hidden);
  card.hidden = !one() || !seen.length;
  list.hidden = one() && seen.length > 0;
  if (card.hidden) return;
  if (!seen.includes(current)) current = seen.find((row) => row.dataset.answer === "") ?? seen[0];
  const text = (name) => current.querySelector(`[data-name="${name}"]`).textContent;
  const near = JSON.parse(current.dataset.near);
  const cells = [...current.querySelectorAll("td[data-name]")].filter((cell) => !["label", "more likely", "wrong", "why"].includes(cell.dataset.name));
  const open = rows().filter((row) => row.dataset.answer === "").length;
  document.getElementById("card-row").textContent = `Row ${current.dataset.row}: “${text("label")}”, wrong with probability ${text("wrong")}`;
  document.getElementById("card-left").textContent = open ? `${open} to go${current.dataset.sample ? "; of the random sample" : ""}` : "all answered";
  const why = [...current.querySelector('[data-name="why"]').childNodes].map((part) => part.textContent.trim()).filter((part) => part && part !== "–");
  document.getElementById("card-why").textContent = why.length ? `Why it looks wrong: ${why.join("; ")}.` : "";
  const table = document.getElementById("card-cells");
  const heads = [node("td", ""), node("th", "this row"), ...near.map((row) => node("th", `nearest “${row.label}” (row ${row.row})`))];
  for (const head of heads.slice(1)) head.scope = "col";
  table.tHead.rows[0].replaceChildren(...heads);
  table.tBodies[0].replaceChildren(...cells.map((cell, k) => {
    const line = document.createElement("tr");
    const name = node("th", cell.dataset.name);
    name.scope = "row";
    line.append(name, node("td", cell.textContent, "odd"), ...near.map((row) => node("td", row.cells[k])));
    return line;
  }));
  const buttons = [...current.querySelectorAll("[data-review] button")].map((button, place) => {
    const words = place === 0 ? `Keep “${button.dataset.label}”` : button.value === "unclear" ? "Unclear" : `“${button.dataset.label}”`;
    const made = node("button", words, place < 2 ? "big" : "");
    made.type = "button";
    made.setAttribute("aria-pressed", button.getAttribute("aria-pressed"));
    made.addEventListener("click", () => press(button.value));
    return made;
  });
  // Buttons that stay the same stay: a press that began on one must end on it.
  const answers = document.getElementById("card-answers");
  if (answers.innerHTML !== buttons.map((button) => button.outerHTML).join("")) answers.replaceChildren(...buttons);
}

function drawInterval([low, high] = []) {
  const box = document.getElementById("interval");
  if (low === undefined) return;
  box.hidden = false;
  const put = (name, from, to) => {
    const bar = box.querySelector(name);
    bar.setAttribute("x", from);
    bar.setAttribute("width", Math.max(to - from, 0.4));
  };
  put(".before", Number(box.dataset.low), Number(box.dataset.high));
  put(".now", low, high);
}

// --- keyboard
function choose(row) {
  if (current) current.removeAttribute("aria-current");
  current = row;
  row.setAttribute("aria-current", "true");
  if (one()) return draw();
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
    if (!one()) step(1);
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
    n: () => { if (one()) { filter.querySelector("[name=view][value=list]").checked = true; draw(); } current?.querySelector(".note-text").focus(); },
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
{
  const { low, high } = document.getElementById("interval").dataset;
  drawInterval([Number(low), Number(high)]);
}
sift();
