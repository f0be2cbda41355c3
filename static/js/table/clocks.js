// @ts-check
/** The clocks people see, running down by the server's time. They show; the server decides. */

import { byId, set, write } from "./dom.js";
import { clockText } from "./words.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./words.js").Speaker} Speaker */

const LAST_SECONDS = 10_000; // ms
const TICK = 200;

export class Clocks {
  /** @param {Speaker} speaker @param {() => number} now  server time, ms */
  constructor(speaker, now) {
    this.speaker = speaker;
    this.now = now;
    /** @type {View | null} */
    this.view = null;
    this.warned = "";
    this.longest = 1;
    setInterval(() => this.tick(), TICK);
  }

  /** @param {View} view */
  take(view) {
    const { from, ends } = view.clock;
    if (ends !== null) this.longest = Math.max(1, ends - (from ?? view.now));
    this.view = view;
    this.tick();
  }

  tick() {
    const view = this.view;
    if (!view) return;
    const now = this.now();
    const { from, ends, left, noshow } = view.clock;
    view.seats.forEach((_, seat) => {
      const element = document.querySelector(`.seat[data-seat="${seat}"]`);
      if (!element) return;
      const moving = view.status === "playing" && view.turn === seat;
      const turn = moving && ends !== null ? ends - Math.max(now, from ?? now) : null;
      const match = left && view.status !== "finished" ? left[seat] - (moving ? Math.max(0, now - (from ?? now)) : 0) : null;
      const shortest = moving ? Math.min(turn ?? Infinity, match ?? Infinity) : Infinity;
      const urgent = shortest <= LAST_SECONDS;
      set(element, { "data-urgent": urgent });
      this.face(element, ".turn-clock", turn, "turn-clock");
      this.face(element, ".match-clock", match, "match-clock");
      const bar = /** @type {HTMLElement | null} */ (element.querySelector(".turn-bar > span"));
      bar?.style.setProperty("transform", `scaleX(${turn === null ? 0 : Math.min(1, Math.max(0, turn / this.longest))})`);
      if (urgent && seat === view.seat) this.warn(view, shortest);
    });
    const wait = byId("waiting-clock");
    if (view.status === "waiting" && noshow !== null) write(wait, clockText(noshow - now));
  }

  /** @param {Element} element @param {string} selector @param {number | null} ms @param {string} word */
  face(element, selector, ms, word) {
    const face = /** @type {HTMLElement} */ (element.querySelector(selector));
    face.hidden = ms === null;
    if (ms === null) return;
    const text = clockText(ms);
    if (face.textContent === text) return;
    face.textContent = text;
    set(face, { "aria-label": this.speaker.say(word, { time: text }), title: this.speaker.say(word, { time: text }) });
  }

  /** Say once a turn that time is running out. @param {View} view @param {number} ms */
  warn(view, ms) {
    const turn = `${view.v}`;
    if (this.warned === turn || ms <= 0) return;
    this.warned = turn;
    write(byId("alarm"), this.speaker.say("hurry", { n: Math.ceil(ms / 1000) }));
  }
}
