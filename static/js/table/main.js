// @ts-check
/** The table page: ties the line to the server, the scene, choosing, clocks and panels together. */

import { Awake } from "../awake.js";
import { sharePictures } from "../picture.js";
import { Sound } from "../sound.js";
import { AfterMatch } from "./after.js";
import { Deck } from "./cards.js";
import { celebrate } from "./celebration.js";
import { Chat } from "./chat.js";
import { Chooser } from "./choose.js";
import { happened, recount, unseen } from "./chronicle.js";
import { Clocks } from "./clocks.js";
import { byId, set } from "./dom.js";
import { bringDrawings } from "./faces.js";
import { Gestures } from "./gestures.js";
import { House } from "./house.js";
import { LastTrick } from "./last.js";
import { Nonces } from "./nonces.js";
import { Options } from "./options.js";
import { Panels } from "./panels.js";
import { Preferences } from "./preferences.js";
import { Referee } from "./referee.js";
import { Rematch } from "./rematch.js";
import { Scene } from "./scene.js";
import { Seen } from "./seen.js";
import { Silence } from "./silence.js";
import { TableSocket } from "./socket.js";
import { dealEnded, dealsEnd, pictures, takenBack } from "./steps.js";
import { Tabs } from "./tabs.js";
import { Taps } from "./taps.js";
import { Speaker } from "./words.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./steps.js").Picture} Picture */

const COUNT_SHOWN = 8000; // ms the count of a deal stays if the server names no time
const COUNT_LEAST = 2500; // ms it stays in any case
const QUEUE = 6; // pictures; further behind than that, catch up at once

/** @type {import("./types.js").Client} */
const text = JSON.parse(byId("table-words").textContent ?? "{}");
/** @type {import("./types.js").Past} */
const past = JSON.parse(byId("table-past").textContent ?? "");
const root = byId("table");
const deck = new Deck(text.decks, text.preferences);
const speaker = new Speaker(text.words, deck.words);
const scene = new Scene(deck, speaker);
scene.faces = text.faces;
bringDrawings(text.faces);
sharePictures();
const panels = new Panels(speaker, deck, Boolean(text.fewest), past.deals);
const seen = new Seen(deck, speaker);
const lastTrick = new LastTrick(deck, speaker);
const awake = new Awake();
const sound = new Sound(text.preferences.sound, text.preferences.vibration);
const line = new TableSocket(root.dataset.socket ?? "", {
  view: arrived,
  ack: acked,
  refused,
  state,
  hint: hinted,
  chat: (lines) => chat.add(lines),
  watchers: (n) => chat.watchers(n),
});
const referee = new Referee(
  speaker,
  (asked) => line.act({ t: "report", ...asked }),
  (words) => panels.toast(words),
);
const tabs = new Tabs();
const chat = new Chat(
  speaker,
  (said) => line.act({ t: "chat", ...said }),
  (about) => referee.open(about),
  tabs,
);
const house = new House(speaker, (t, v) => line.act({ t, v }));
const options = new Options((automatic) => line.act({ t: "options", automatic }));
const nonces = new Nonces(
  speaker,
  (frame) => line.act(frame),
  () => chooser.lookOn(looksOn()),
);
const rematch = new Rematch(speaker, (words) => panels.toast(words));
const taps = new Taps(text.preferences);
const gestures = new Gestures(Boolean(text.beginner), speaker, taps);
const after = new AfterMatch((words) => panels.log(words, false));
const clocks = new Clocks(speaker, () => line.now(), opened, sound);
const chooser = new Chooser(scene, speaker, taps, {
  play: (move, view, going) =>
    played(line.act({ t: "move", v: view.v, move: move.move, with: going?.map((call) => call.move) }), move),
  refuse: (words) => panels.refuse(words),
  busy: () => hurry(),
  now: () => line.now(),
  shown: (card) => gestures.show(card),
});

taps.changed = () => gestures.change();
panels.opening = opening;
panels.ending.faces = text.faces;
panels.counted = counted;
const silence = new Silence(sound, new Preferences(preferred));

/** @type {View | null} the newest view known, maybe not drawn yet */
let newest = null;
/** @typedef {{picture?: Picture, after?: () => void}} Step */
/** @type {Step[]} */
const queue = [];
let timer = 0;
let countTimer = 0;
/** @type {View | null} the end of a deal that is being counted: its last trick lies there until it was */
let closing = null;
/** @type {View[]} what has come meanwhile */
let waiting = [];
let missing = false; // the line was down: what comes next happened meanwhile
let callsMe = false; // it is the player's turn, and they haven't been told yet

/** @param {View} view */
function arrived(view) {
  if (closing) {
    waiting.push(view);
    if (view.status === "finished") panels.closeCount();
    return;
  }
  const end = view.status === "playing" ? dealsEnd(newest, view) : null;
  if (end) {
    closing = end.view;
    waiting = [view];
    show(end.view, [{ picture: end.picture }, { after: () => openCount(view) }]);
  } else show(view);
}

/** The deal has been counted, or nobody wants to read it to its end: what came meanwhile is shown. */
function counted() {
  clearTimeout(countTimer);
  chooser.keys.recover();
  if (!closing) return;
  queue.length = 0;
  const [first, ...later] = waiting;
  show(first);
  closing = null;
  waiting = [];
  for (const view of later) arrived(view);
}

/**
 * @param {View} view
 * @param {Step[]} [drawn]  in place of the way from the view before to this one
 */
function show(view, drawn) {
  const before = newest;
  newest = view;
  chooser.take(view);
  panels.sheet.take(view);
  chat.take(view);
  referee.take(view);
  options.take(view);
  house.take(view);
  nonces.take(view);
  clocks.take(view);
  const known = before && takenBack(before, view) ? null : before;
  if (before && !known) panels.log(speaker.words["taken-back"]);
  tell(known, view);
  if (house.plays(before) !== house.plays(view) && root.dataset.line === "open") state("open");
  if (before && alike(before, view)) return; // the line's first view is mostly the one the page came with
  const ended = dealEnded(known, view);
  const steps = pictures(known, view);
  const over = closing !== null && known === closing;
  if (over) steps[0].swept = closing?.last ?? null;
  queue.push(
    ...(drawn ??
      steps.map((picture, i) => ({
        picture,
        after: i === steps.length - 1 ? () => settled(view, ended && !over, known?.status === "playing") : undefined,
      }))),
  );
  if (queue.length > QUEUE) queue.splice(0, queue.length - 1);
  if (!timer) next();
}

/** Whether nothing is different but the hour. @param {View} before @param {View} after */
function alike(before, after) {
  return JSON.stringify({ ...before, now: 0 }) === JSON.stringify({ ...after, now: 0 });
}

/**
 * A play is on its way, or goes out when the line is back.
 * @param {string} id
 * @param {import("./types.js").LegalMove} move
 */
function played(id, move) {
  if (move.card) gestures.done();
  if (root.dataset.line === "lost") state("lost");
  return id;
}

/** What the player sees and hears is another from now on. @param {import("./types.js").Preferences} chosen */
function preferred(chosen) {
  deck.wear(chosen);
  speaker.wear(deck.words);
  taps.wear(chosen);
  sound.on = chosen.sound;
  sound.vibration = chosen.vibration;
  silence.show();
  scene.rename();
  seen.drawn = lastTrick.drawn = "";
  if (newest && !timer) {
    seen.draw(newest);
    lastTrick.draw(newest);
  }
  chooser.show();
}

/** Draw the next picture; it stays for its time. */
function next() {
  timer = 0;
  const step = queue.shift();
  if (!step) return;
  if (step.picture) {
    scene.draw(step.picture);
    panels.draw(step.picture.view);
    seen.draw(step.picture.view);
    lastTrick.draw(step.picture.view);
    if (step.picture.shown?.scopa) sound.play("scopa");
    chooser.show();
    clocks.tick();
  }
  step.after?.();
  const hold = step.picture?.hold ?? 0;
  if (hold || queue.length) timer = window.setTimeout(next, hold);
}

/** The player goes on: what is still being shown is over. */
function hurry() {
  if (!timer) return;
  clearTimeout(timer);
  while (queue.length) next();
  clearTimeout(timer);
  timer = 0;
}

/**
 * A view has been drawn to its end.
 * @param {View} view @param {boolean} ended  whether with a deal @param {boolean} played  whether it was being played
 */
function settled(view, ended, played) {
  if (view.status === "finished") {
    const outcome = panels.openResult(view);
    if (played && (outcome === "won" || outcome === "lost" || outcome === "drawn")) sound.play(outcome);
    if (outcome === "won" && !("forfeited" in byId("result").dataset)) celebrate(byId("result-joy"));
    rematch.open(view);
    after.open(view);
  } else if (ended && view.previous) {
    openCount(view);
  }
  title(view);
}

/** @param {View} view  with the deal before its own */
function openCount(view) {
  if (!view.previous) return;
  panels.openCount(view, view.previous);
  chat.greet(view);
  chooser.keys.recover();
  clearTimeout(countTimer);
  const shown = view.clock.from === null ? COUNT_SHOWN : Math.max(COUNT_LEAST, view.clock.from - line.now());
  countTimer = window.setTimeout(() => panels.fadeCount(), shown);
}

/** Into the chronicle, in words, what happened since. @param {View | null} before @param {View} after */
function tell(before, after) {
  if (!before) return;
  const told = happened(before, after, speaker);
  if (missing) {
    const passed = unseen(before, after);
    panels.log(speaker.words[told.length ? "back-meanwhile" : "back"]);
    if (passed) panels.log(speaker.say(passed === 1 ? "back-trick" : "back-tricks", { n: passed }));
  }
  missing = false;
  for (const words of told) panels.log(words);
  if (opening() && after.opening?.until !== before.opening?.until) panels.log(speaker.words.opening, false);
  if ((after.paused === null) !== (before.paused === null) && after.status !== "finished")
    panels.log(speaker.words[after.paused === null ? "resumed" : "paused"]);
  if (after.turn !== before.turn) {
    callsMe = panels.mine(after);
    if (panels.mine(before)) panels.forget();
  }
  announce();
}

/** Whether the first card of the deal still waits for calls. */
function opening() {
  return newest?.opening ? newest.opening.until > (newest.paused ?? line.now()) : false;
}

/** It has become the player's turn, and they may play. */
function announce() {
  if (!callsMe || !newest || newest.turn === null || opening()) return;
  callsMe = false;
  panels.log(panels.turn(newest, newest.turn), false);
  sound.play("turn");
}

/** The calls before the first card are over. */
function opened() {
  chooser.show();
  if (!newest) return;
  panels.drawTurn(newest);
  announce();
  title(newest);
}

/** In this window; one that was replaced by another is quiet. @param {View} view */
function title(view) {
  const mine = view.status === "playing" && panels.mine(view) && !opening() && root.dataset.line !== "replaced";
  awake.keep(mine);
  if (mine && chooser.mine && chooser.keys.begin()) chooser.tellKeys();
  document.title = mine ? `● ${speaker.words["your-turn"]}` : (root.dataset.title ?? document.title);
}

/** @param {string} id */
function acked(id) {
  chat.said(id);
  referee.sent(id);
  options.done(id);
}

/**
 * What the house would play.
 * @param {import("./types.js").LegalMove[]} moves @param {number} v @param {import("./types.js").Why | undefined} why
 */
function hinted(moves, v, why) {
  if (newest?.v !== v || !moves.length) return;
  const words = house.suggest(moves, why);
  gestures.tell(words);
  panels.log(words);
}

/** @param {import("./socket.js").Refusal} refusal */
function refused(refusal) {
  if (chat.refused(refusal) || referee.refused(refusal) || nonces.refused(refusal)) return;
  options.refused(refusal.id);
  chooser.release(refusal.id ?? undefined, refusal.code);
  if (refusal.code !== "stale") panels.toast(refusal.message || speaker.words["not-allowed"]);
}

/** @param {"open" | "lost" | "replaced" | "signed-out" | "gone"} now */
function state(now) {
  root.dataset.line = now;
  if (now === "lost") missing = newest !== null;
  chooser.lookOn(looksOn());
  sound.quiet = now === "replaced";
  if (newest) title(newest);
  set(root, { "data-away": now === "open" && house.plays(newest) });
  if (now === "open" && house.plays(newest))
    panels.line(speaker.words["house-for-you"], {
      label: speaker.words["i-am-back"],
      act: () => line.act({ t: "return" }),
    });
  else if (now === "open") panels.line("");
  else if (now === "lost") lost();
  else if (now === "replaced")
    panels.line(speaker.words["line-replaced"], { label: speaker.words["play-here"], act: () => line.open() });
  else if (now === "signed-out")
    panels.line(speaker.words["line-signed-out"], { label: speaker.words["sign-in"], href: root.dataset.login });
  else panels.line(speaker.words["line-gone"], { label: speaker.words["go-home"], href: "/" });
  chooser.keys.recover();
}

/** Whether no card may be played from this window. */
function looksOn() {
  return root.dataset.line === "replaced" || nonces.held;
}

/** The line is down, and tried again and again: what is written there stays, for whoever has the focus on it. */
function lost() {
  const words = speaker.words[line.pending.size ? "line-lost-sent" : "line-lost"];
  if (byId("line-words").textContent === words) return;
  panels.line(words, { label: speaker.words["try-now"], act: () => line.hurry() });
}

byId("result-chat").addEventListener("click", () => tabs.open("chat"));
const dialog = /** @type {HTMLDialogElement} */ (byId("abandon-dialog"));
byId("abandon").addEventListener("click", () => {
  /** @type {HTMLDialogElement} */ (byId("options-dialog")).close();
  dialog.showModal();
});
dialog.addEventListener("close", () => {
  if (dialog.returnValue === "abandon") line.act({ t: "abandon", confirm: true });
  dialog.returnValue = "";
});

/** @type {View} */
const first = JSON.parse(byId("table-first").textContent ?? "");
panels.recall(recount(past.moments, first, speaker), first);
for (const moment of past.moments) panels.sheet.take({ ...first, ...moment });
line.view(first); // the cards are there before the line is
line.open();
