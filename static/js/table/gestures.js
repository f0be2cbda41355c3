// @ts-check
/**
 * How a card is played, shown at the table itself to whoever has never finished a match: two gestures, until the first
 * use; those that this device has (taps.js). This browser remembers that they are known.
 */

import { byId, write } from "./dom.js";

const KNOWN = "gestures-known";

export class Gestures {
  /**
   * @param {boolean} wanted  by the server, for this reader
   * @param {import("./types.js").Words} words
   * @param {import("./taps.js").Taps} taps
   */
  constructor(wanted, words, taps) {
    this.words = words;
    this.taps = taps;
    this.state = { holds: false, ways: /** @type {number | null} */ (null) };
    this.box = byId("gestures");
    this.wanted = wanted && !remembered();
  }

  /**
   * @param {{holds: boolean, ways: number | null}} state  whether the viewer holds cards in a running match, and in how
   *   many ways the raised one can be played now (null: none is raised)
   */
  show({ holds, ways }) {
    this.state = { holds, ways };
    this.box.hidden = !(this.wanted && holds) || this.taps.atOnce;
    if (this.box.hidden) return;
    const step = ways === null ? "raise" : ways > 1 ? "choose" : "play";
    const ghost = step !== "choose" && !this.taps.play ? "-ghost" : "";
    write(this.box, this.words[`gesture-${step}${ghost}`]);
  }

  /** The cards are played by other gestures from now on. */
  change() {
    this.show(this.state);
  }

  /** What is written beneath is for the reader now: it lies there until a card is raised or played. */
  makeRoom() {
    this.box.hidden = true;
  }

  /** A card was played: whoever has done it once knows. */
  done() {
    if (!this.wanted) return;
    this.wanted = false;
    this.box.hidden = true;
    try {
      localStorage.setItem(KNOWN, "1");
    } catch {
      // a browser that keeps nothing shows them again
    }
  }
}

function remembered() {
  try {
    return localStorage.getItem(KNOWN) !== null;
  } catch {
    return false;
  }
}
