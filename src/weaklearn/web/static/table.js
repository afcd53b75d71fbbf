// What taking a column as the labels would do, and the choices about it, follow the chosen column.
const label = document.getElementById("label");
const box = document.getElementById("label-notes");
const given = (name) => JSON.parse(label.selectedOptions[0].dataset[name] ?? "[]");

// A box for each column that gives the label away: it leaves the column out in the list below.
function offerToLeaveOut() {
  document.getElementById("telling").replaceChildren(...given("telling").map((k) => {
    const treatment = document.querySelector(`select[name="column-${k}"]`);
    const choice = document.createElement("label");
    const tick = Object.assign(document.createElement("input"), {type: "checkbox"});
    tick.addEventListener("change", () => { treatment.value = tick.checked ? "drop" : ""; });
    choice.className = "choice";
    choice.append(tick, ` Leave out ${label.querySelector(`option[value="${k}"]`).textContent}`);
    return choice;
  }));
}

label.addEventListener("change", () => {
  const notes = given("notes");
  box.hidden = notes.length === 0;
  for (const choice of box.querySelectorAll("input")) choice.checked = false;
  box.querySelector("ul").replaceChildren(...notes.map((note) => {
    const item = document.createElement("li");
    item.textContent = note;
    return item;
  }));
  offerToLeaveOut();
});

offerToLeaveOut();
