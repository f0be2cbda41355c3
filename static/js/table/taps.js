// @ts-check
/**
 * What a tap on a raised card does (X2): by mouse it puts the card back, by finger it plays it, unless the player chose
 * one of the two for both. The table's help tells just that.
 */

/** @typedef {import("./types.js").Preferences} Preferences */

export class Taps {
  /** @param {Preferences} preferences */
  constructor(preferences) {
    this.preferences = preferences;
    /** @type {() => void} called when the other kind of pointer came to the page */
    this.changed = () => {};
    this.felt = /** @type {boolean | null} */ (null); // whether the last pointer was a finger; none came yet
    this.coarse = matchMedia("(pointer: coarse)"); // what this device says of itself until then
    this.coarse.addEventListener("change", () => this.changed());
    for (const type of /** @type {const} */ (["pointerover", "pointerdown"]))
      addEventListener(type, (event) => this.feel(event), true);
    this.help();
  }

  get finger() {
    return this.felt ?? this.coarse.matches;
  }

  /** Whether the first tap already plays a card that has one way to be played. */
  get atOnce() {
    return this.preferences.one_click;
  }

  /** Whether a tap on a raised card plays it, if there is one way. */
  get play() {
    const { second_tap } = this.preferences;
    return second_tap === "plays" || (second_tap !== "back" && this.finger);
  }

  /** Whether a press on a raised card plays it. @param {number} clicks  0 by the keyboard, which is no finger */
  playsBy(clicks) {
    return clicks ? this.play : this.preferences.second_tap === "plays";
  }

  /** @param {Preferences} preferences */
  wear(preferences) {
    this.preferences = preferences;
    this.help();
    this.changed();
  }

  /** @param {PointerEvent} event */
  feel(event) {
    const finger = event.pointerType !== "mouse";
    const before = this.finger;
    this.felt = finger;
    if (finger !== before) this.changed();
  }

  /** Of the table's help only what holds for this player is shown. */
  help() {
    const now = this.atOnce ? "at-once" : this.preferences.second_tap;
    for (const line of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#help-dialog [data-taps]")))
      line.hidden = !line.dataset.taps?.split(" ").includes(now);
  }
}
