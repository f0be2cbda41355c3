// @ts-check
/**
 * Soft sounds, for whoever wants them: made here, no files; and at the player's turn the telephone's vibration, a wish
 * of its own. The browser lets them be heard and felt once the player has touched the page, or others of the site.
 */

const SOFT = 0.08;
const REST = 4000; // ms after the last sound, or the last touch, until the device's sound is let go
const LATE = 1000; // ms after which a sound that the browser has held back is no news any more
const TURN_MS = [70, 90, 70]; // felt, still, felt
const NOTES = {
  call: [
    [659, 0, 0.3],
    [880, 0.16, 0.3],
  ],
  turn: [
    [523, 0, 0.14],
    [784, 0.11, 0.2],
  ],
  second: [[880, 0, 0.07]],
  scopa: [
    [659, 0, 0.1],
    [784, 0.09, 0.1],
    [1047, 0.18, 0.26],
  ],
  won: [
    [523, 0, 0.16],
    [659, 0.14, 0.16],
    [784, 0.28, 0.16],
    [1047, 0.42, 0.5],
  ],
  lost: [
    [440, 0, 0.22],
    [349, 0.2, 0.45],
  ],
  drawn: [
    [523, 0, 0.18],
    [523, 0.2, 0.35],
  ],
}; // Hz, from, for: seconds

export class Sound {
  /** @param {boolean} on @param {boolean} vibration */
  constructor(on, vibration) {
    this.on = on;
    this.vibration = vibration;
    this.quiet = false; // another window plays: that one is heard
    /** @type {AudioContext | null} */
    this.context = null;
    this.mayBeHeard = false;
    this.resting = 0;
    for (const type of ["pointerdown", "keydown"]) addEventListener(type, () => this.wake(), { passive: true });
  }

  /** A touch is what some browsers want before a page is ever heard; after the first that they took for one, enough. */
  wake() {
    if (!this.on || this.mayBeHeard || !("AudioContext" in globalThis)) return;
    void this.open()
      .resume()
      .then(() => (this.mayBeHeard = true));
  }

  /** The device's sound, for a while: one that runs for nothing costs a telephone's battery. */
  open() {
    this.context ??= new AudioContext();
    const { context } = this;
    clearTimeout(this.resting);
    this.resting = window.setTimeout(() => void context.suspend(), REST);
    return context;
  }

  /** @param {keyof typeof NOTES} what @param {number} loud */
  play(what, loud = SOFT) {
    if (what === "turn" && this.vibration && !this.quiet && navigator.userActivation?.hasBeenActive)
      navigator.vibrate?.(TURN_MS);
    if (!this.on || this.quiet) return;
    try {
      const context = this.open();
      const asked = performance.now();
      // Every new context is "suspended" in some browsers, and in all of them until the page may be heard.
      if (context.state === "running") sing(context, NOTES[what], loud);
      else void context.resume().then(() => performance.now() - asked < LATE && sing(context, NOTES[what], loud));
    } catch {
      // no sound on this device
    }
  }
}

/** @param {AudioContext} context @param {number[][]} notes @param {number} loud */
function sing(context, notes, loud) {
  for (const [pitch, from, lasts] of notes) {
    const start = context.currentTime + from;
    const voice = new OscillatorNode(context, { type: "sine", frequency: pitch });
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.linearRampToValueAtTime(loud, start + 0.015);
    gain.gain.exponentialRampToValueAtTime(0.0005, start + lasts);
    voice.connect(gain).connect(context.destination);
    voice.start(start);
    voice.stop(start + lasts + 0.05);
  }
}
