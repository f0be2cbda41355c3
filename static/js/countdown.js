// Instants that a page counts down to: in figures, as rings that empty, and spoken at a few moments.

import { pageClock } from "./clock.js";

const SPOKEN = [120, 60, 30, 10]; // seconds
const LATE = 20; // from here on the ring beats

/** @param {number} seconds */
export function countdown(seconds) {
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const [d, h, m, s] = [seconds / 86400, (seconds / 3600) % 24, (seconds / 60) % 60, seconds % 60].map(Math.floor);
  if (d) return `${d}${document.body.dataset.days} ${h}h`;
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** Whole seconds to an instant, none once it has passed. @param {number} ends  ms since the epoch */
export const secondsTo = (ends) => Math.max(0, Math.round((ends - pageClock.now()) / 1000));

/** Write what is left of each, and say it where it is to be heard. */
export function showCountdowns() {
  for (const element of document.querySelectorAll("[data-countdown]")) {
    const left = secondsTo(Date.parse(element.getAttribute("datetime") ?? ""));
    element.textContent = countdown(left);
    const ring = element.closest(".countdown");
    if (ring instanceof HTMLElement) empty(ring, left);
  }
}

/** @param {HTMLElement} ring @param {number} left */
function empty(ring, left) {
  const part = Math.min(100, (100 * left) / (Number(ring.dataset.seconds) || 1));
  ring.querySelector("circle + circle")?.setAttribute("stroke-dasharray", `${part.toFixed(1)} 100`);
  ring.classList.toggle("countdown-late", left > 0 && left < LATE);
  if ("spoken" in ring.dataset && SPOKEN.includes(left))
    say(`${document.body.dataset.tableShort ?? ""} ${countdown(left)}`);
}

/** @type {HTMLElement | undefined} */
let voice;

/** Say something to whoever doesn't see the page. @param {string} words */
function say(words) {
  if (!voice) {
    voice = document.createElement("p");
    voice.className = "visually-hidden";
    voice.setAttribute("role", "status");
    document.body.append(voice);
  }
  voice.textContent = words;
}
