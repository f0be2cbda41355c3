// @ts-check
/**
 * What the raised card would do and how it is played, shown above the hand to whoever has never finished a match, until
 * their third card; by the gestures that this device has (taps.js). This browser remembers how many were played.
 */

import { byId, set, write } from "./dom.js";

/**
 * @typedef {{holds: boolean, plays: import("./types.js").LegalMove[] | null}} Shown  whether the viewer holds cards in
 *   a running match, and how the raised one can be played now (null: none is raised)
 */

const KNOWN = "gestures-known"; // where the number of cards is kept
const ENOUGH = 3; // cards

export class Gestures {
  /**
   * @param {boolean} wanted  by the server, for this reader
   * @param {import("./words.js").Speaker} speaker
   * @param {import("./taps.js").Taps} taps
   */
  constructor(wanted, speaker, taps) {
    this.speaker = speaker;
    this.taps = taps;
    /** @type {Shown} */
    this.state = { holds: false, plays: null };
    this.box = byId("gestures");
    this.played = remembered();
    this.wanted = wanted && this.played < ENOUGH;
  }

  /** @param {Shown} state */
  show({ holds, plays }) {
    this.state = { holds, plays };
    const quiet = !holds; // its place is kept until there are cards
    this.box.hidden = !this.wanted || this.taps.atOnce;
    set(this.box, { "data-quiet": quiet });
    if (!this.box.hidden) write(this.box, this.say());
  }

  /** What is to be done next, in the words of a finger or of a mouse. */
  say() {
    const { plays } = this.state;
    const by = this.taps.play ? "" : "-ghost";
    if (!plays) return this.speaker.words[this.taps.finger ? "gesture-raise" : "gesture-raise-mouse"];
    if (plays.length !== 1) return this.speaker.words["gesture-choose"];
    const { card = "", takes: taken = [] } = plays[0];
    const rank = (/** @type {string} */ name) => this.speaker.words[`rank-${name[0]}`];
    const values = { rank: rank(card), taken: this.speaker.list(taken.map(rank)) };
    return this.speaker.say(`gesture-${taken.length ? "take" : "play"}${by}`, values);
  }

  /** The cards are played by other gestures from now on. */
  change() {
    this.show(this.state);
  }

  /** In its place what the house would play: it lies there until a card is raised or played. @param {string} words */
  tell(words) {
    this.box.hidden = false;
    set(this.box, { "data-quiet": false });
    write(this.box, words);
  }

  /** A card was played: whoever has done it a few times knows. */
  done() {
    if (!this.wanted) return;
    this.played += 1;
    this.wanted = this.played < ENOUGH;
    if (!this.wanted) this.box.hidden = true;
    try {
      localStorage.setItem(KNOWN, String(this.played));
    } catch {
      // a browser that keeps nothing shows them again
    }
  }
}

/** @returns {number} cards played so far */
function remembered() {
  try {
    return Number(localStorage.getItem(KNOWN) ?? 0);
  } catch {
    return 0;
  }
}
