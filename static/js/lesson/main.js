// @ts-check
/**
 * A step of a lesson at the table's own scene: what the learner plays goes to the server, which says what comes of it.
 * It knows no rule, and every word is the server's.
 */

import { Deck } from "../table/cards.js";
import { Chooser } from "../table/choose.js";
import { happened } from "../table/chronicle.js";
import { Count } from "../table/count.js";
import { byId, set, write } from "../table/dom.js";
import { Scene } from "../table/scene.js";
import { dealEnded, dealsEnd, pictures } from "../table/steps.js";
import { Taps } from "../table/taps.js";
import { Speaker } from "../table/words.js";

/** @typedef {import("../table/types.js").View} View */
/** @typedef {import("../table/types.js").LegalMove} LegalMove */
/** @typedef {import("../table/steps.js").Picture} Picture */
/** @typedef {{frames: View[], right?: boolean | null, over: boolean, said: string, hint: LegalMove[]}} Reply
 *   refused, with ``said`` alone, if anything */

const BETWEEN = 900; // ms from a card to the next
const TOAST = 3500; // ms

/** @type {import("../table/types.js").Client & {frames: View[], hint: LegalMove[], acts: boolean, again: string}} */
const data = JSON.parse(byId("lesson-data").textContent ?? "{}");
const root = byId("table");
const deck = new Deck(data.decks, data.preferences);
const speaker = new Speaker(data.words, deck.words);
const scene = new Scene(deck, speaker);
const counting = new Count(deck, speaker, Boolean(data.fewest));
const chooser = new Chooser(scene, speaker, new Taps(data.preferences), {
  play,
  refuse: (words) => toast(words),
  busy: () => {},
  now: () => Date.now(),
  shown: () => {},
});
/** @type {string[]} what the learner has played in this step, as the server is told */
const moves = [];
/** @type {View | null} drawn last */
let drawn = null;
let hint = data.hint;
let version = 0;
let toasting = 0;

/** @param {LegalMove} move @param {View} _view @param {LegalMove[] | undefined} going  said with the card */
function play(move, _view, going) {
  const before = moves.length;
  moves.push(...(going ?? []).map((call) => call.move), move.move);
  void ask(before);
  return "asked";
}

/** Ask what comes of the moves. @param {number} before  how many there were, if these change nothing */
async function ask(before) {
  const query = new URLSearchParams(moves.map((move) => ["mosse", move]));
  await null; // the card counts as sent
  hurry();
  set(root, { "data-busy": true });
  /** @type {Reply | null} */
  let reply = null;
  try {
    const answer = await fetch(`${root.dataset.answers}?${query}`);
    reply = await answer.json();
  } catch {
    // no line, or a page of somebody in between: it can be tried again
  }
  if (!reply?.right) {
    moves.length = before;
    chooser.release(undefined, "");
    set(root, { "data-busy": false });
    if (reply?.said) say(reply.said, false);
    else toast(data.again);
    return;
  }
  const { frames, over, said } = reply;
  hint = reply.hint;
  say("", null);
  draw(frames, () => {
    say(said, over ? true : null);
    set(root, { "data-busy": false });
    if (over) done();
  });
}

/** @param {View[]} frames  drawn one after the other, then `after` @param {() => void} after */
function draw(frames, after) {
  const [frame, ...more] = frames;
  if (!frame) {
    after();
    return;
  }
  frame.v = version++;
  const before = drawn;
  drawn = frame;
  if (before) write(byId("told"), happened(before, frame, speaker).join(" "));
  const end = dealsEnd(before, frame);
  if (!more.length) chooser.take(frame);
  show(end ? [end.picture, ...pictures(end.view, frame)] : pictures(before, frame), () => {
    if (dealEnded(before, frame)) count(frame);
    if (more.length) later(() => draw(more, after), before ? BETWEEN : 0);
    else draw(more, after);
  });
}

/** @param {Picture[]} steps  each for its time @param {() => void} after */
function show(steps, after) {
  const [first, ...rest] = steps;
  scene.draw(first);
  chooser.show();
  const mine = data.acts && first.view.turn !== null && first.view.turn === first.view.seat;
  write(byId("turn"), mine ? speaker.words["your-turn"] : "");
  set(byId("turn"), { "data-mine": mine });
  const go = () => (rest.length ? show(rest, after) : after());
  if (first.hold) later(go, first.hold);
  else go();
}

/** @type {{ go: () => void, timer: number } | null} what is shown once the last picture has had its time */
let due = null;

/** @param {() => void} go @param {number} ms */
function later(go, ms) {
  const timer = setTimeout(() => {
    due = null;
    go();
  }, ms);
  due = { go, timer };
}

/** Who plays on waits for no picture: all that are left are shown now. */
function hurry() {
  while (due) {
    const { go, timer } = due;
    due = null;
    clearTimeout(timer);
    go();
  }
}

/** @param {View} view  with the deal that is over */
function count(view) {
  if (!view.previous?.rows.length) return;
  byId("count-body").replaceChildren(counting.table(view, view.previous, [0, 1], view.score));
  byId("count").hidden = false;
}

/** What the tutor says to it. @param {string} words @param {boolean | null} right */
function say(words, right) {
  write(byId("said"), words);
  set(byId("said"), { "data-right": right === null ? null : String(right) });
  byId("said").parentElement?.scrollTo(0, 0);
}

function done() {
  set(root, { "data-done": true });
  chooser.lookOn(true);
  write(byId("turn"), "");
  byId("lesson-hint").hidden = true;
  byId("lesson-next").focus({ preventScroll: true });
}

/** @param {string} words */
function toast(words) {
  clearTimeout(toasting);
  byId("toast").hidden = false;
  write(byId("toast-text"), words);
  toasting = window.setTimeout(() => {
    byId("toast").hidden = true;
  }, TOAST);
}

byId("lesson-hint").hidden = !hint.length;
byId("lesson-hint").addEventListener("click", () => {
  const cards = hint.map((move) => move.card);
  for (const card of Array.from(document.querySelectorAll(".hand .card")))
    set(card, { "data-hint": cards.includes(/** @type {HTMLElement} */ (card).dataset.card ?? "") });
  say(speaker.say("hint", { moves: speaker.list(hint.map((move) => speaker.move(move))) }), null);
});
byId("count-close").addEventListener("click", () => {
  byId("count").hidden = true;
});
chooser.lookOn(!data.acts); // a question is answered in words
draw(data.frames.slice(-1), () => {});
