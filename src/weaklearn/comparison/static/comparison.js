// A row for each classifier as it finishes.
const body = document.querySelector("table.live tbody");
document.addEventListener("job-progress", ({ detail }) => {
  if (!detail.model || [...body.rows].some((row) => row.dataset.model === detail.model)) return;
  const row = body.insertRow();
  row.dataset.model = detail.model;
  const name = document.createElement("th");
  name.scope = "row";
  name.textContent = detail.model;
  const error = document.createElement("td");
  error.className = "number";
  error.textContent = detail.failure ? "failed" : detail.error === null ? "" : (100 * detail.error).toFixed(1);
  row.append(name, error);
});
