// What taking a column as the labels would do, and the two choices about it, follow the chosen column.
const label = document.getElementById("label");
const box = document.getElementById("label-notes");

label.addEventListener("change", () => {
  const notes = JSON.parse(label.selectedOptions[0].dataset.notes ?? "[]");
  box.hidden = notes.length === 0;
  for (const choice of box.querySelectorAll("input")) choice.checked = false;
  box.querySelector("ul").replaceChildren(...notes.map((note) => {
    const item = document.createElement("li");
    item.textContent = note;
    return item;
  }));
});
