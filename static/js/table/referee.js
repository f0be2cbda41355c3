// @ts-check
/** Asking the referee to look at somebody, at what was said, or at the table. What becomes of it is the server's. */

import { byId, make, write } from "./dom.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").ChatLine} ChatLine */
/** @typedef {import("./words.js").Speaker} Speaker */
/** @typedef {{reason: string, text: string, seat?: number, line?: number}} Asked */

export class Referee {
  /**
   * @param {Speaker} speaker
   * @param {(asked: Asked) => string} ask  gives the id it goes by
   * @param {(words: string) => void} tell
   */
  constructor(speaker, ask, tell) {
    this.speaker = speaker;
    this.tell = tell;
    this.dialog = /** @type {HTMLDialogElement} */ (byId("report-dialog"));
    this.about = /** @type {HTMLSelectElement} */ (byId("report-about"));
    this.reason = /** @type {HTMLSelectElement} */ (byId("report-reason"));
    this.text = /** @type {HTMLTextAreaElement} */ (byId("report-text"));
    /** @type {View | null} */
    this.view = null;
    this.waiting = "";
    this.calling = ""; // the id of a call on its way
    this.call(ask);
    byId("report-open").addEventListener("click", () => this.open(null));
    byId("report-cancel").addEventListener("click", () => this.dialog.close());
    byId("report-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const [what, number] = this.about.value.split(" ");
      this.waiting = ask({
        reason: this.reason.value,
        text: this.text.value,
        ...(what ? { [what]: Number(number) } : {}),
      });
    });
  }

  /** The button that calls the referee; it is hidden where there is none. @param {(asked: Asked) => string} ask */
  call(ask) {
    const dialog = /** @type {HTMLDialogElement} */ (byId("call-dialog"));
    const text = /** @type {HTMLTextAreaElement} */ (byId("call-text"));
    byId("call-open").addEventListener("click", () => {
      text.value = "";
      byId("call-refused").hidden = true;
      /** @type {HTMLDialogElement} */ (byId("options-dialog")).close();
      dialog.showModal();
    });
    byId("call-cancel").addEventListener("click", () => dialog.close());
    byId("call-form").addEventListener("submit", (event) => {
      event.preventDefault();
      if (!this.calling) this.calling = ask({ reason: "call", text: text.value });
    });
  }

  /** @param {View} view */
  take(view) {
    this.view = view;
  }

  /** @param {{line: ChatLine, name: string, said: string} | null} about  what was said, if that is it */
  open(about) {
    const { view, speaker } = this;
    if (!view) return;
    const line = about
      ? [this.option(`line ${about.line.n}`, speaker.say("report-line", { name: about.name, said: about.said }))]
      : [];
    const people = view.seats.flatMap(({ name }, seat) =>
      name === null || seat === view.seat ? [] : [this.option(`seat ${seat}`, name)],
    );
    this.about.replaceChildren(...line, ...people, this.option("", speaker.words["report-table"]));
    this.text.value = "";
    byId("report-refused").hidden = true;
    this.dialog.showModal();
  }

  /** @param {string} value @param {string} label */
  option(value, label) {
    return make("option", { value }, label.length > 60 ? `${label.slice(0, 59)}…` : label);
  }

  /** It is kept. @param {string} id */
  sent(id) {
    if (id === this.calling) {
      this.calling = "";
      /** @type {HTMLDialogElement} */ (byId("call-dialog")).close();
      this.tell(this.speaker.words["call-sent"]);
      return;
    }
    if (id !== this.waiting) return;
    this.waiting = "";
    this.dialog.close();
    this.tell(this.speaker.words["report-sent"]);
  }

  /**
   * Whether it was a report that was refused; it says why, and keeps what was written.
   * @param {import("./socket.js").Refusal} refusal
   */
  refused(refusal) {
    if (refusal.id && refusal.id === this.calling) {
      this.calling = "";
      write(byId("call-refused"), refusal.message ?? "");
      byId("call-refused").hidden = false;
      return true;
    }
    if (!refusal.id || refusal.id !== this.waiting) return false;
    this.waiting = "";
    write(byId("report-refused"), refusal.message ?? "");
    byId("report-refused").hidden = false;
    return true;
  }
}
