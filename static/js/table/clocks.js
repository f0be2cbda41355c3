// @ts-check
/** The clocks people see, running down by the server's time. They show; the server decides. */

import { byId, set, write } from "./dom.js";
import { clockText } from "./words.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./words.js").Speaker} Speaker */
/** @typedef {import("../sound.js").Sound} Sound */

const LAST_SECONDS = 10_000; // ms
const TICK = 200;

export class Clocks {
  /**
   * @param {Speaker} speaker
   * @param {() => number} now  server time, ms
   * @param {() => void} opened  the calls before the first card are over
   * @param {Sound | null} [sound]
   */
  constructor(speaker, now, opened, sound = null) {
    this.speaker = speaker;
    this.sound = sound;
    this.second = ""; // the last one heard
    this.now = now;
    this.opened = opened;
    this.opening = 0; // the server's hour until which calls are heard, while it runs
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
    const now = view.paused ?? this.now();
    let last = Infinity; // ms the viewer has left, where they are few
    const { from, ends, extra, left, noshow } = view.clock;
    view.seats.forEach((_, seat) => {
      const element = document.querySelector(`.seat[data-seat="${seat}"]`);
      if (!element) return;
      const moving = view.status === "playing" && view.turn === seat;
      const turn = moving && ends !== null ? ends - Math.max(now, from ?? now) : null;
      const of = view.turn === null ? undefined : view.seats[view.turn].of;
      const spends = view.status === "playing" && (of ?? view.turn) === seat;
      const full = left && view.status !== "finished" && view.seats[seat].of === undefined ? left[seat] : null;
      const match = typeof full === "number" ? full - (spends ? Math.max(0, now - (from ?? now) - extra) : 0) : null;
      const shortest = moving ? Math.min(turn ?? Infinity, match ?? Infinity) : Infinity;
      const urgent = shortest <= LAST_SECONDS;
      set(element, { "data-urgent": urgent });
      this.face(element, ".turn-clock", turn, "turn-clock");
      this.face(element, ".match-clock", match, "match-clock");
      const bar = /** @type {HTMLElement | null} */ (element.querySelector(".turn-bar > span"));
      bar?.style.setProperty(
        "transform",
        `scaleX(${turn === null ? 0 : Math.min(1, Math.max(0, turn / this.longest))})`,
      );
      const mark = /** @type {HTMLElement | null} */ (element.querySelector(".seat-hurry"));
      if (mark) mark.hidden = !urgent;
      if (urgent && (view.seats[seat].of ?? seat) === view.seat) last = shortest;
    });
    this.hurry(view, last);
    this.count(view, now);
    const wait = byId("waiting-clock");
    if (view.status === "waiting" && noshow !== null) write(wait, clockText(noshow - now));
  }

  /** The seconds in which a deal's first card waits for calls. @param {View} view @param {number} now */
  count(view, now) {
    const until = view.status === "playing" ? (view.opening?.until ?? 0) : 0;
    const runs = now < until;
    byId("opening").hidden = !runs;
    if (runs) {
      write(byId("opening-clock"), String(Math.ceil((until - now) / 1000)));
      this.opening = until;
    } else if (this.opening) {
      this.opening = 0;
      this.opened();
    }
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

  /**
   * The viewer's last seconds: seen in words and round the whole table, said once a turn, heard if they like.
   * @param {View} view
   * @param {number} ms
   */
  hurry(view, ms) {
    const few = ms <= LAST_SECONDS;
    set(byId("table"), { "data-urgent": few });
    byId("hurry").hidden = !few;
    if (!few) return;
    const seconds = Math.max(0, Math.ceil(ms / 1000));
    write(byId("hurry"), this.speaker.say(seconds === 1 ? "second-left" : "seconds-left", { n: seconds }));
    const second = `${view.v} ${seconds}`;
    if (second !== this.second && (seconds === 10 || seconds <= 5) && seconds > 0) this.sound?.play("second");
    this.second = second;
    if (this.warned === String(view.v) || seconds === 0) return;
    this.warned = String(view.v);
    write(byId("alarm"), this.speaker.say("hurry", { n: seconds }));
  }
}
