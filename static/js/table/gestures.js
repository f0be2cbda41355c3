// @ts-check
/**
 * How a card is played, shown at the table itself to who has never finished a match: two gestures, until the first use.
 * This browser remembers that they are known.
 */

import { byId, write } from "./dom.js";

const KNOWN = "gestures-known";

export class Gestures {
  /** @param {boolean} wanted  by the server, for this reader @param {import("./types.js").Words} words */
  constructor(wanted, words) {
    this.words = words;
    this.box = byId("gestures");
    this.wanted = wanted && !remembered();
  }

  /**
   * @param {{holds: boolean, ways: number | null}} state  whether the viewer holds cards in a running match, and in how
   *   many ways the raised one can be played now (null: none is raised)
   */
  show({ holds, ways }) {
    this.box.hidden = !(this.wanted && holds);
    if (this.box.hidden) return;
    const step = ways === null ? "raise" : ways > 1 ? "choose" : "play";
    write(this.box, this.words[`gesture-${step}`]);
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
