// @ts-check
/**
 * A finished deal gone through again: keys, slider, by itself. The scene is the table's; every word is the server's.
 */

import { Deck } from "../table/cards.js";
import { Count } from "../table/count.js";
import { byId, make, set, write } from "../table/dom.js";
import { Scene } from "../table/scene.js";
import { pictures } from "../table/steps.js";
import { Speaker } from "../table/words.js";

/** @typedef {import("../table/types.js").View} View */

/** @type {import("../table/types.js").Client & {frames: Partial<View>[], told: string[], at: number}} */
const data = JSON.parse(byId("replay-data").textContent ?? "{}");
const root = byId("table");
const deck = new Deck(data.decks, data.preferences);
const speaker = new Speaker(data.words, deck.words);
const scene = new Scene(deck, speaker);
scene.open = true;
const counting = new Count(deck, speaker, Boolean(data.fewest));
const frames = whole(data.frames);
const last = frames.length - 1;
const slider = /** @type {HTMLInputElement} */ (byId("slider"));
const speed = /** @type {HTMLSelectElement} */ (byId("speed"));
const moves = Array.from(byId("moves").querySelectorAll("a, button"));
// a record somebody sent: its ways are buttons that send it again
const sent = document.getElementById("again") !== null;
const way = sent ? "formaction" : "href";
const studied = /** @type {HTMLElement[]} */ (Array.from(document.querySelectorAll("[data-study-step]")));
const seats = Array.from(document.querySelectorAll("[data-seen-from]"));

let at = -1; // the step shown
let timer = 0; // until the next picture of a step
let going = 0; // until the next step, while it goes by itself

/**
 * Each frame whole: what one doesn't say is as in the one before.
 * @param {Partial<View>[]} changes
 * @returns {View[]}
 */
function whole(changes) {
  /** @type {View[]} */
  const found = [];
  for (const change of changes) found.push(/** @type {View} */ ({ ...found[found.length - 1], ...change }));
  return found;
}

/**
 * Show a step; what was played since the one just before travels.
 * @param {number} to
 * @param {boolean} [written]  whether the address follows
 */
function show(to, written = true) {
  const step = Math.min(Math.max(to, 0), last);
  if (step === at) return;
  const before = step === at + 1 && at >= 0 ? frames[at] : null;
  at = step;
  clearTimeout(timer);
  draw(pictures(before, frames[at]));
  write(byId("told"), data.told[at]);
  write(byId("place"), speaker.say("step-of", { n: at, m: last }));
  slider.value = String(at);
  set(slider, { "aria-valuetext": `${byId("place").textContent}. ${data.told[at]}` });
  drawScore(frames[at]);
  drawCount(frames[at]);
  for (const panel of studied) panel.hidden = panel.dataset.studyStep !== String(at);
  mark();
  if (written) address();
}

/** @param {import("../table/steps.js").Picture[]} steps  drawn one after the other */
function draw(steps) {
  const [first, ...rest] = steps;
  scene.draw(first);
  if (rest.length) timer = window.setTimeout(() => draw(rest), first.hold);
}

/** @param {View} view */
function drawScore(view) {
  const parts = [0, 1].map((line) => {
    const names = speaker.line(view, line);
    const credited =
      view.credited[line] && !view.previous
        ? make(
            "span",
            { class: "score-credited", title: speaker.say("credited", { n: view.credited[line] }) },
            `+${view.credited[line]}`,
          )
        : "";
    return [
      make("span", { class: "score-name", title: names }, names),
      make("strong", { class: "score-points", "data-line": String(line) }, String(view.score[line])),
      credited,
    ];
  });
  byId("score").replaceChildren(...parts[0], make("span", { "aria-hidden": "true" }, "–"), ...parts[1]);
}

/** @param {View} view */
function drawCount(view) {
  const counted = at === last && view.previous?.rows.length ? view.previous : null;
  byId("count-body").replaceChildren(...(counted ? [counting.table(view, counted, [0, 1], view.score)] : []));
  byId("count").hidden = !counted;
}

/** The links and the list say where we are. */
function mark() {
  for (const [n, link] of moves.entries()) set(link, { "aria-current": n === at ? "step" : null });
  const list = byId("moves").parentElement;
  const item = moves[at]?.parentElement;
  if (list && item) list.scrollTop = item.offsetTop - list.clientHeight / 2;
  for (const [id, to] of /** @type {[string, number][]} */ ([
    ["first", 0],
    ["previous", at - 1],
    ["next", at + 1],
    ["final", last],
  ])) {
    set(byId(id), {
      [way]: link(Math.min(Math.max(to, 0), last)),
      "aria-disabled": to < 0 || to > last ? "true" : null,
    });
  }
  for (const each of seats) {
    const from = /** @type {HTMLElement} */ (each).dataset.seenFrom;
    set(each, { [way]: from ? `?posto=${from}&mossa=${at}` : `?mossa=${at}` });
  }
}

/** @param {number} step */
function link(step) {
  const seat = frames[0].seat;
  return seat === null ? `?mossa=${step}` : `?posto=${seat}&mossa=${step}`;
}

/** The address is that of the move shown, to be passed on; it opens without JavaScript, too. What was sent has none. */
function address() {
  if (sent) return;
  try {
    history.replaceState(null, "", link(at));
  } catch {
    // a browser that is asked too often waits a while
  }
}

/** @param {boolean} on */
function goOn(on) {
  clearTimeout(going);
  going = 0;
  const { words } = speaker;
  set(byId("play"), { "aria-pressed": String(on) });
  write(byId("play-sign"), on ? "❚❚" : "▶▶\uFE0E");
  write(byId("play-words"), on ? words.pause : words.go);
  if (!on) return;
  if (at === last) show(0);
  wait();
}

function wait() {
  going = window.setTimeout(() => {
    show(at + 1);
    if (at === last) goOn(false);
    else wait();
  }, Number(speed.value));
}

/** To that step by somebody's hand: it no longer goes by itself. @param {number} to */
function go(to) {
  goOn(false);
  show(to);
}

const KEYS = /** @type {Record<string, () => void>} */ ({
  ArrowLeft: () => go(at - 1),
  ArrowRight: () => go(at + 1),
  Home: () => go(0),
  End: () => go(last),
  " ": () => goOn(!going),
});

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (event.key === "Escape") byId("count").hidden = true;
  const act = KEYS[event.key];
  if (!act || target.closest("input, select, textarea") || (event.key === " " && target.closest("a, button"))) return;
  event.preventDefault();
  act();
});
root.addEventListener("click", (event) => {
  const target = /** @type {HTMLElement} */ (event.target).closest("a, button");
  if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const place = moves.indexOf(target);
  const to = place >= 0 ? place : { first: 0, previous: at - 1, next: at + 1, final: last }[target.id];
  if (to === undefined) return;
  event.preventDefault();
  go(to);
});
slider.addEventListener("input", () => {
  goOn(false);
  show(Number(slider.value), false);
});
slider.addEventListener("change", address);
byId("play").addEventListener("click", () => goOn(!going));
byId("count-close").addEventListener("click", () => {
  byId("count").hidden = true;
});
speed.addEventListener("change", () => {
  if (!going) return;
  clearTimeout(going);
  wait();
});
window.addEventListener("hashchange", fromHash);

/** `#m12`: a move, as the address has it. @returns {boolean} whether it named one */
function fromHash() {
  const found = /^#m(\d{1,3})$/.exec(location.hash);
  if (found) show(Number(found[1]), false);
  return found !== null;
}

set(scene.hand, {
  "aria-label": speaker.say("hand-of", { name: speaker.seat(frames[0], scene.held(frames[0]) ?? 0) }),
});
document.documentElement.dataset.replay = "ready";
if (!fromHash()) show(data.at, false);
