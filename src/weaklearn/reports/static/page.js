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

// --- filter: rows, tables and sections without a cell of the chosen verdict are hidden
const filter = document.querySelector(".filter");
if (filter) {
  const apply = () => {
    const chosen = filter.querySelector("input:checked").value;
    root.classList.toggle("filtered", chosen !== "");
    for (const part of document.querySelectorAll("[data-filtered]")) {
      part.hidden = chosen !== "" && !part.querySelector(`[data-verdict="${CSS.escape(chosen)}"]`);
    }
    for (const cell of document.querySelectorAll("td[data-verdict]")) {
      cell.classList.toggle("dimmed", chosen !== "" && cell.dataset.verdict !== chosen);
    }
    const left = document.querySelectorAll(".item[data-filtered]:not([hidden])").length;
    filter.querySelector("output").textContent = chosen === "" ? "" : `${left} tables have such cells`;
  };
  filter.addEventListener("change", apply);
  apply();
}

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
