// The wall screen (O7): its sheets turn by themselves, and what was last seen stays when the line is lost. It draws
// nothing itself: live.js fetches the region again, and this shows one of its sheets.

import { Awake } from "./awake.js";
import { pageClock } from "./clock.js";
import { Sound } from "./sound.js";

const TURN_MS = 12000;
const CHECK_MS = 1000;

const bar = document.getElementById("wall-keys");
const lost = document.getElementById("wall-lost");
const pause = document.getElementById("wall-pause");
let shown = "";
let index = 0;
let turnedAt = performance.now();
let paused = false;
let loud = false;
let seenRound = "";
let goodAt = new Date();
const sound = new Sound(true, false);
new Awake().keep(true);

/** @returns {HTMLElement[]} */
const sheets = () => [...document.querySelectorAll(".wall-sheet")].filter((e) => e instanceof HTMLElement);

/**
 * Write a sheet smaller until the screen holds all of it, whatever the names and the clocks take; a telephone scrolls.
 * @param {HTMLElement} sheet
 */
function fit(sheet) {
  const sizes = innerWidth > 600 ? [100, 95, 90, 85, 80, 75, 70, 65, 60] : [100];
  for (const size of sizes) {
    sheet.style.fontSize = `${size}%`;
    if (document.documentElement.scrollHeight <= innerHeight) return;
  }
}

/** Show one sheet and hide the others; the one that was shown keeps its place when the region is drawn anew. */
function show() {
  const all = sheets();
  if (!all.length) return;
  const same = all.findIndex((sheet) => sheet.dataset.sheet === shown);
  if (same >= 0) index = same;
  index = ((index % all.length) + all.length) % all.length;
  for (const [place, sheet] of all.entries()) sheet.hidden = place !== index;
  fit(all[index]);
  shown = all[index].dataset.sheet ?? "";
}

/** @param {number} by */
function turn(by) {
  shown = "";
  index += by;
  turnedAt = performance.now();
  show();
}

/** Two notes, when a round has been published or its clock says so; only after somebody has pressed the button. */
function chime() {
  if (loud) sound.play("call", 0.3);
}

const CHIME_AT = [300, 60, 0]; // seconds before the end of a round's clock (O6)
/** @type {Map<string, number>} */
let left = new Map(); // seconds of each clock, when it was last looked at

/** A clock sounds when five minutes are left, when one is, and at its end; a pause or more time begins it anew. */
function noteClocks() {
  /** @type {Map<string, number>} */
  const now = new Map();
  for (const clock of document.querySelectorAll("time[data-round-clock]")) {
    const ends = clock.getAttribute("datetime") ?? "";
    now.set(ends, (Date.parse(ends) - pageClock.now()) / 1000);
  }
  if ([...now].some(([ends, after]) => CHIME_AT.some((mark) => (left.get(ends) ?? after) > mark && after <= mark)))
    chime();
  left = now;
}

/** A round that is new to this screen is shown from its first sheet, with a sound. */
function noteRound() {
  const round = document.getElementById("live")?.dataset.round ?? "";
  if (seenRound && round !== seenRound) {
    index = 0;
    shown = "";
    turnedAt = performance.now();
    chime();
  }
  seenRound = round;
}

/** @param {boolean} well whether the site was reached just now */
function noteLine(well) {
  if (well) goodAt = new Date();
  if (!lost) return;
  lost.hidden = well;
  const time = lost.querySelector("time");
  if (!well && time) {
    time.dateTime = goodAt.toISOString();
    time.textContent = goodAt.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
  }
}

async function askSite() {
  try {
    noteLine((await fetch("/healthz", { cache: "no-store" })).ok);
  } catch {
    noteLine(false);
  }
}

document.getElementById("wall-start")?.addEventListener("click", () => {
  loud = true;
  chime();
  document.documentElement.requestFullscreen?.().catch(() => {});
});
pause?.addEventListener("click", () => {
  paused = !paused;
  pause.setAttribute("aria-pressed", String(paused));
  turnedAt = performance.now();
});
addEventListener("keydown", (event) => {
  if (event.key === "ArrowRight") turn(1);
  else if (event.key === "ArrowLeft") turn(-1);
});
document.addEventListener("fullscreenchange", () =>
  bar?.toggleAttribute("hidden", Boolean(document.fullscreenElement)),
);
addEventListener("resize", show);
addEventListener("online", askSite);
addEventListener("offline", () => noteLine(false));

new MutationObserver(() => {
  noteRound();
  show();
}).observe(document.querySelector("main") ?? document.body, { childList: true });

bar?.removeAttribute("hidden");
noteRound();
show();
setInterval(() => !paused && performance.now() - turnedAt >= TURN_MS && turn(1), CHECK_MS);
setInterval(noteClocks, CHECK_MS);
setInterval(askSite, 10 * CHECK_MS);
