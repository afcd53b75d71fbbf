// A session of `weaklearn serve` in a page that the same server shows (see --pages): the browser's cookie lets it in.
// A request that gets no reply is sent again, which never counts twice.
"use strict";

class Threshold {
  static async start(settings) {
    const made = await Threshold.send("/api/sessions", settings);
    return new Threshold(made.key);
  }

  constructor(key) {
    this.here = `/api/sessions/${key}`;
  }

  static async send(path, document, attempts = 5) {
    const request = document === undefined ? {} : {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(document),
    };
    for (let attempt = 1; ; attempt += 1) {
      try {
        const reply = await fetch(path, request);
        const answer = await reply.json();
        if (!reply.ok) throw new Error(`refused: ${answer.error}`);
        return answer;
      } catch (error) {
        if (!(error instanceof TypeError) || attempt === attempts) throw error; // TypeError: no connection
        await new Promise((resolve) => { setTimeout(resolve, 500); });
      }
    }
  }

  async ask() {
    this.question = await Threshold.send(`${this.here}/question`);
    return this.question;
  }

  async tell(outcome) {
    const { level, revision } = this.question;
    this.question = await Threshold.send(`${this.here}/answers`, { level, outcome, revision });
    return this.question;
  }

  async estimate() {
    return Threshold.send(`${this.here}/estimate`);
  }
}
