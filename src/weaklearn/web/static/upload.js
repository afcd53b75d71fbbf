// Sends a file that was chosen or dropped, says how far it is, and goes to the page of the table.
const form = document.getElementById("upload");
const input = document.getElementById("file");
const bar = document.getElementById("sent");
const state = document.getElementById("upload-state");
const problem = document.getElementById("upload-problem");
let busy = false;

function fail(message) {
  busy = false;
  bar.hidden = true;
  state.textContent = "";
  problem.textContent = message;
  problem.hidden = false;
  input.value = "";
}

function send(file) {
  if (busy) return;
  problem.hidden = true;
  const limit = Number(form.dataset.limit);
  if (file.size > limit) {
    fail(`The file has ${Math.ceil(file.size / 1048576)} MB; up to ${limit / 1048576} MB are allowed.`);
    return;
  }
  busy = true;
  bar.hidden = false;
  bar.value = 0;
  state.textContent = `Reading ${file.name}`;
  const request = new XMLHttpRequest();
  const query = new URLSearchParams({ name: file.name, for: form.dataset.for });
  request.open("POST", `/tables?${query}`);
  request.setRequestHeader("Accept", "application/json");
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.responseType = "json";
  request.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) bar.value = event.loaded / event.total;
  });
  request.addEventListener("load", () => {
    if (request.status === 201) location.assign(request.response.place);
    else fail(request.response?.error ?? `The server refused the file (${request.status}).`);
  });
  request.addEventListener("error", () => fail("The file did not arrive: the server does not answer, or it refused the file."));
  request.send(file);
}

input.addEventListener("change", () => { if (input.files.length) send(input.files[0]); });
form.addEventListener("submit", (event) => event.preventDefault());
for (const name of ["dragenter", "dragover"]) {
  form.addEventListener(name, (event) => {
    event.preventDefault();
    form.classList.add("over");
  });
}
for (const name of ["dragleave", "drop"]) form.addEventListener(name, () => form.classList.remove("over"));
form.addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files.length) send(event.dataTransfer.files[0]);
});
// A file that misses the field must not replace the page.
for (const name of ["dragover", "drop"]) addEventListener(name, (event) => event.preventDefault());
