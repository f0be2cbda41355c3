// @ts-check
/** The rematch of a free match: asked for at its end within a minute, and the evening's score. */

import { set, write } from "./dom.js";
import { clockText } from "./words.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./words.js").Speaker} Speaker */
/**
 * @typedef {{open: boolean, asked: boolean, wanted: boolean, seconds: number, words: string, url: string | null, won:
 *   number[], drawn: number, refused: string}} Stand  wanted: another has asked; seconds: until nobody may ask any more
 */

const LOOK_AGAIN = 5000; // ms: a hint may be lost

/** A part of the end of a free match: other tables haven't any. @param {string} selector */
const part = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));

export class Rematch {
  /** @param {Speaker} speaker @param {(words: string) => void} toast */
  constructor(speaker, toast) {
    this.speaker = speaker;
    this.toast = toast;
    this.form = /** @type {HTMLFormElement | null} */ (document.querySelector("#rematch")); // free matches alone
    this.timer = 0;
    this.ticking = 0;
    this.until = 0; // when nobody may ask any more
    this.asking = true; // whether it may still be asked for, as far as is known
    /** @type {View | null} */
    this.view = null;
    this.form?.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.send("POST");
    });
    document.addEventListener("rematch", () => this.view && void this.send("GET"));
  }

  /** The match is over. @param {View} view */
  open(view) {
    if (!this.form || this.view) return;
    this.view = view;
    void this.send("GET");
  }

  /** @param {"GET" | "POST"} method */
  async send(method) {
    if (!this.form) return;
    clearTimeout(this.timer);
    try {
      const body = method === "POST" ? new FormData(this.form) : null;
      const answer = await fetch(this.form.action, { method, body, headers: { Accept: "application/json" } });
      if (answer.ok) this.draw(await answer.json());
    } catch {
      // the next look tries again
    }
    if (this.asking) this.timer = window.setTimeout(() => void this.send("GET"), LOOK_AGAIN);
  }

  /** The seconds that are left, on the button itself; when they are over it says what else there is. */
  tick() {
    clearTimeout(this.ticking);
    const left = this.until - performance.now();
    write(part("#rematch-left"), left > 0 ? clockText(left) : "");
    if (left > 0) this.ticking = window.setTimeout(() => this.tick(), 250);
    else if (this.asking && this.view) void this.send("GET");
  }

  /** @param {Stand} stand */
  draw(stand) {
    if (!this.form || !this.view) return;
    const { speaker, view } = this;
    if (stand.asked && stand.url) {
      location.replace(stand.url);
      return;
    }
    this.asking = stand.open;
    if (stand.refused) this.toast(speaker.words[`rematch-${stand.refused}`] ?? speaker.words["rematch-off"]);
    const played = stand.won[0] + stand.won[1] + stand.drawn;
    const own = view.seat === null ? 0 : view.seat % 2;
    part("#evening-end").hidden = played < 2;
    write(part("#evening-end"), speaker.say("evening", { own: stand.won[own], other: stand.won[1 - own] }));
    this.form.hidden = !stand.open && !stand.url;
    part("#rematch-ask").hidden = !stand.open || stand.asked;
    write(part("#rematch-act"), speaker.words[stand.wanted ? "rematch-accept" : "rematch-act"]);
    this.until = performance.now() + 1000 * stand.seconds;
    this.tick();
    part("#result-on").hidden = stand.open || Boolean(stand.url);
    part("#rematch-go").hidden = !stand.url;
    if (stand.url) set(part("#rematch-go"), { href: stand.url });
    if (part("#rematch-words").textContent !== stand.words) write(part("#rematch-words"), stand.words);
  }
}
