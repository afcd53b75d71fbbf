// Two lines, one of them longer by the level asked for (in pixels): which one? A two-alternative forced choice whose
// levels weaklearn chooses. jsPsych presents and times the trials; its data hold level, side, key and reaction time.
"use strict";

const SHORT = 120; // pixels
const SETTINGS = {
  question: "Which line is longer?",
  levels: "1:24:24",
  task: "2AFC",
  budget: Number(new URLSearchParams(location.search).get("trials") || 30),
  subject: new URLSearchParams(location.search).get("subject") || "",
};

let session;
let side;

async function result() {
  const found = (await session.estimate()).estimates[0];
  const words = document.createElement("p");
  words.id = "result";
  words.textContent = found.outside
    ? `The threshold lies ${found.outside} every level.`
    : `75% correct at ${found.value.toFixed(1)} pixels (90% interval ${found.low.toFixed(1)} to ${found.high.toFixed(1)}).`;
  jsPsych.getDisplayElement().replaceChildren(words);
}

const jsPsych = initJsPsych({ on_finish: result });

const line = (pixels) => {
  const drawn = document.createElement("span");
  drawn.className = "line";
  drawn.style.width = `${pixels}px`;
  return drawn;
};

const begin = {
  type: jsPsychCallFunction,
  async: true,
  func: async (done) => {
    session = await Threshold.start(SETTINGS);
    await session.ask();
    done();
  },
};

const trial = {
  type: jsPsychHtmlKeyboardResponse,
  stimulus: '<div class="pair" id="pair"></div>',
  prompt: "<p>Which line is longer? Press ← or →.</p>",
  choices: ["ArrowLeft", "ArrowRight"],
  on_start: () => { side = Math.random() < 0.5 ? "ArrowLeft" : "ArrowRight"; },
  on_load: () => {
    const lengths = [SHORT, SHORT];
    lengths[side === "ArrowLeft" ? 0 : 1] += session.question.level;
    document.getElementById("pair").append(...lengths.map(line));
  },
  on_finish: (data) => {
    data.level = session.question.level;
    data.side = side;
    data.correct = jsPsych.pluginAPI.compareKeys(data.response, side);
  },
};

const tell = {
  type: jsPsychCallFunction,
  async: true,
  func: async (done) => {
    const last = jsPsych.data.get().filter({ trial_type: "html-keyboard-response" }).last(1).values()[0];
    done(await session.tell(last.correct));
  },
};

const trials = { timeline: [trial, tell], loop_function: () => !session.question.done };

jsPsych.run([begin, trials]);
