// A row for each classifier, with its error so far.
const body = document.querySelector("table.live tbody");
document.addEventListener("job-progress", ({ detail }) => {
  if (!detail.model) return;
  let row = [...body.rows].find((known) => known.dataset.model === detail.model);
  if (!row) {
    row = body.insertRow();
    row.dataset.model = detail.model;
    const name = document.createElement("th");
    name.scope = "row";
    name.textContent = detail.model;
    row.append(name);
    for (let k = 0; k < 2; k++) row.insertCell().className = "number";
  }
  row.cells[1].textContent = detail.error === null ? "failed" : (100 * detail.error).toFixed(1);
  row.cells[2].textContent = detail.folds;
});
