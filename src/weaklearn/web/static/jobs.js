// Follows a job by its events; when it is finished, the page is loaded again and shows the result.
const job = document.getElementById("job");

function follow() {
  const source = new EventSource(`/jobs/${job.dataset.key}/events`);
  const text = document.getElementById("job-text");
  const bar = document.getElementById("job-bar");
  const problem = document.getElementById("job-problem");
  source.addEventListener("progress", (event) => {
    const news = JSON.parse(event.data);
    if (news.text && text.textContent !== news.text) text.textContent = news.text;
    if (news.total) {
      bar.max = news.total;
      bar.value = news.done;
    }
    problem.hidden = true;
    document.dispatchEvent(new CustomEvent("job-progress", { detail: news }));
  });
  source.addEventListener("state", (event) => {
    const { state } = JSON.parse(event.data);
    if (state === "running" || state === "waiting") return;
    source.close();
    location.reload();
  });
  source.addEventListener("error", () => {
    problem.textContent =
      "The server does not answer. Start it again and open the address that it prints; the work resumes by itself.";
    problem.hidden = false;
  });
}

if (job && ["running", "waiting"].includes(job.dataset.state)) follow();
