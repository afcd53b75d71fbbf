// Sorting of tables and filtering by verdict. Every page can be read without this.
const root = document.documentElement;
root.classList.add("js");

// --- tables: press a head to sort, press it again for the other way round
const value = (row, column) => {
  const cell = row.cells[column];
  if (!cell) return null;
  const text = (cell.dataset.value ?? cell.textContent).trim();
  const number = Number.parseFloat(text.replace("\u2212", "-").replace(/^[<>]\s*/, ""));
  return Number.isNaN(number) ? text.toLowerCase() : number;
};

function compare(a, b) {
  if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
  return typeof a === "number" ? -1 : 1;
}

for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const body = table.tBodies[0];
      const rows = [...body.rows].map((row, place) => ({ row, place, key: value(row, column) }));
      rows.sort((a, b) => (down ? -1 : 1) * compare(a.key, b.key) || a.place - b.place);
      body.append(...rows.map((item) => item.row));
    });
  });
}

// --- wide tables say that they scroll
const watch = new ResizeObserver((entries) => {
  for (const { target } of entries) target.classList.toggle("wide", target.scrollWidth > target.clientWidth + 1);
});
for (const box of document.querySelectorAll(".scroll")) watch.observe(box);

// --- filters: items (and rows and sections around them) without anything of the chosen verdict are hidden
for (const filter of document.querySelectorAll(".filter[data-items]")) {
  const items = [...document.querySelectorAll(filter.dataset.items)];
  const parts = new Set(items.flatMap((item) => [item, item.closest("section"), ...item.querySelectorAll("[data-filtered]")].filter(Boolean)));
  const apply = () => {
    const chosen = filter.querySelector("input:checked").value;
    const wanted = `[data-verdict="${CSS.escape(chosen)}"]`;
    for (const part of parts) {
      if (part.matches("[data-filtered]")) part.hidden = chosen !== "" && !part.querySelector(wanted);
    }
    for (const item of items) {
      for (const cell of item.querySelectorAll("td[data-verdict]")) cell.classList.toggle("dimmed", chosen !== "" && !cell.matches(wanted));
    }
    const left = items.filter((item) => !item.hidden).length;
    filter.querySelector("output").textContent = chosen === "" ? "" : `${left} shown`;
  };
  filter.addEventListener("change", apply);
  apply();
}

// --- contents at the side: mark the part that is being read, and search
const links = [...document.querySelectorAll(".side nav a[href^='#']")];
const nearby = new Map(links.map((link) => [document.getElementById(decodeURIComponent(link.hash.slice(1))), link]));
nearby.delete(null);
const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    for (const link of links) link.removeAttribute("aria-current");
    nearby.get(target).setAttribute("aria-current", "true");
  }
}, { rootMargin: "0px 0px -70% 0px" });
for (const part of nearby.keys()) seen.observe(part);
const search = document.querySelector(".side input[type=search]");
search?.addEventListener("input", () => {
  const words = search.value.toLowerCase();
  for (const link of links) link.parentElement.hidden = !`${link.textContent} ${link.title}`.toLowerCase().includes(words);
});

// --- a link into a closed part opens it
const reveal = () => {
  const id = decodeURIComponent(location.hash.slice(1));
  const target = id && document.getElementById(id);
  if (!target) return;
  const closed = target.closest("details") ?? target.querySelector("details");
  if (closed) closed.open = true;
  target.scrollIntoView();
};
addEventListener("hashchange", reveal);
if (location.hash) reveal();
