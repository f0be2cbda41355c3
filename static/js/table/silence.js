// @ts-check
/** One press silences the table, another lets it be heard; kept with the player's choices, or in this browser. */

import { byId, set } from "./dom.js";

const SILENT = "smazzata-silent"; // where the browser of somebody without an account remembers it

export class Silence {
  /** @param {import("../sound.js").Sound} sound @param {import("./preferences.js").Preferences} preferences */
  constructor(sound, preferences) {
    this.sound = sound;
    this.preferences = preferences;
    this.button = byId("sound-open");
    if (!preferences.form) sound.on = !remembered();
    this.button.addEventListener("click", () => this.press());
    this.show();
  }

  press() {
    this.sound.on = !this.sound.on;
    if (!this.preferences.choose("table_sound", this.sound.on)) remember(!this.sound.on);
    this.sound.wake();
    if (this.sound.on) this.sound.play("turn");
    this.show();
  }

  show() {
    set(this.button, { "aria-pressed": String(this.sound.on) });
  }
}

function remembered() {
  try {
    return localStorage.getItem(SILENT) !== null;
  } catch {
    return false; // a browser that keeps nothing
  }
}

/** @param {boolean} silent */
function remember(silent) {
  try {
    if (silent) localStorage.setItem(SILENT, "1");
    else localStorage.removeItem(SILENT);
  } catch {
    // it holds for this page
  }
}
