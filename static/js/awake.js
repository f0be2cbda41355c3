// @ts-check
/** A screen that doesn't go dark while somebody needs it: the wall's always, a player's while they are to move. */

export class Awake {
  constructor() {
    this.wanted = false;
    /** @type {WakeLockSentinel | null} */
    this.lock = null;
    this.asking = false;
    document.addEventListener("visibilitychange", () => void this.ask()); // a hidden page loses it
  }

  /** @param {boolean} wanted */
  keep(wanted) {
    this.wanted = wanted;
    if (wanted) void this.ask();
    else void this.lock?.release();
  }

  async ask() {
    if (!this.wanted || this.asking || document.hidden || (this.lock && !this.lock.released)) return;
    this.asking = true;
    try {
      this.lock = (await navigator.wakeLock?.request("screen")) ?? null;
      if (!this.wanted) await this.lock?.release();
    } catch {
      // a device that spares its battery says no
    } finally {
      this.asking = false;
    }
  }
}
