// @ts-check
/**
 * The server's hour on a device, whatever that device's own clock says (H14): what the server said, counted on by the
 * monotonic clock, which nobody sets. That clock may stand still while the device sleeps: whoever watches is told of
 * it, and asks the server again.
 */

const SAMPLES = 8;
const SLACK = 50; // ms by which two samples may contradict each other, for the two clocks' own pace
const JUMP = 400; // ms by which the device's two clocks part at once: one of them was set, or slept
const LOOK = 1000;

export class ServerClock {
  constructor() {
    /** @type {{offset: number, doubt: number}[]} the newest first */
    this.samples = [];
  }

  /**
   * Take what the server said its hour is. An older sample that can't be true beside it is dropped.
   * @param {number} hour  ms since the epoch
   * @param {number} asked  and `heard`: what the monotonic clock said before and after the server spoke
   * @param {number} heard
   */
  learn(hour, asked, heard) {
    const newest = { offset: hour - (asked + heard) / 2, doubt: (heard - asked) / 2 };
    const agreeing = this.samples.filter(
      ({ offset, doubt }) => Math.abs(offset - newest.offset) <= doubt + newest.doubt + SLACK,
    );
    this.samples = [newest, ...agreeing].slice(0, SAMPLES);
  }

  /** The server's hour, ms since the epoch, by the sample with the least doubt; the device's until there is one. */
  now() {
    if (!this.samples.length) return Date.now();
    return performance.now() + this.samples.reduce((a, b) => (b.doubt < a.doubt ? b : a)).offset;
  }
}

/** Call back whenever this device's clock was set, or the device has slept. @param {() => void} told */
export function watchJumps(told) {
  let gap = Date.now() - performance.now();
  const look = () => {
    const now = Date.now() - performance.now();
    if (Math.abs(now - gap) < JUMP) return;
    gap = now;
    told();
  };
  setInterval(look, LOOK);
  addEventListener("pageshow", look);
  document.addEventListener("visibilitychange", look);
}

const SECOND = 1000;
const AGAIN = 5000; // ms between two questions that nobody answered

/** The hour a page was made with, from then on asked for again whenever there is reason to doubt it. */
class PageClock extends ServerClock {
  constructor() {
    super();
    this.asking = false;
    const [arrival] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
    const made = Number(document.querySelector("meta[name=server-time]")?.getAttribute("content"));
    const [from, until] = [arrival?.requestStart ?? 0, arrival?.responseStart ?? performance.now()];
    if (made) this.learn(made + SECOND / 2, from - SECOND / 2, until + SECOND / 2); // it is cut to seconds
    watchJumps(() => this.ask());
    addEventListener("pageshow", ({ persisted }) => persisted && this.ask());
    if (!this.samples.length || arrival?.type === "back_forward") this.ask(); // a page kept from before
  }

  /** Ask the site, and again until it answers: it may be away just now. */
  async ask() {
    if (this.asking) return;
    this.asking = true;
    let hour = 0;
    while (!hour) {
      const asked = performance.now();
      try {
        const answer = await fetch("/healthz", { method: "HEAD", cache: "no-store" });
        hour = Number(answer.headers.get("x-hour"));
        if (hour) this.learn(hour, asked, performance.now());
      } catch {
        // no line
      }
      if (!hour) await new Promise((resume) => setTimeout(resume, AGAIN));
    }
    this.asking = false;
  }
}

/** The clock of this page. */
export const pageClock = new PageClock();
