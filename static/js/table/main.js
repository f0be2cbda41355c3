// @ts-check
/** The table page: ties the line to the server, the scene, choosing, clocks and panels together. */

import { Deck } from "./cards.js";
import { Chat } from "./chat.js";
import { Chooser } from "./choose.js";
import { Clocks } from "./clocks.js";
import { byId } from "./dom.js";
import { Panels } from "./panels.js";
import { Scene } from "./scene.js";
import { Line } from "./socket.js";
import { dealEnded, fresh, pictures } from "./steps.js";
import { Speaker } from "./words.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./steps.js").Picture} Picture */

const COUNT_SHOWN = 8000; // ms the count of a deal stays if the server names no time
const QUEUE = 6; // pictures; further behind than that, catch up at once

/** @type {{words: import("./types.js").Words}} */
const text = JSON.parse(byId("table-words").textContent ?? "{}");
const root = byId("table");
const speaker = new Speaker(text.words);
const scene = new Scene(new Deck(root.dataset.deck ?? ""), speaker);
const panels = new Panels(speaker);
const line = new Line(root.dataset.socket ?? "", { view: arrived, ack: (id) => chat.said(id), refused, state, chat: (lines) => chat.add(lines) });
const chat = new Chat(speaker, (words) => line.act({ t: "chat", text: words }));
const clocks = new Clocks(speaker, () => line.now());
const chooser = new Chooser(scene, speaker, {
  play: (move, view) => line.act({ t: "move", v: view.v, move: move.move }),
  refuse: (words) => panels.toast(words),
  busy: () => hurry(),
});

/** @type {View | null} the newest view known, maybe not drawn yet */
let newest = null;
/** @type {{picture: Picture, after?: () => void}[]} */
const queue = [];
let timer = 0;
let countTimer = 0;

/** @param {View} view */
function arrived(view) {
  const before = newest;
  newest = view;
  chooser.take(view);
  chat.take(view);
  clocks.take(view);
  tell(before, view);
  const ended = dealEnded(before, view);
  const steps = pictures(before, view);
  steps.forEach((picture, i) => {
    const last = i === steps.length - 1;
    queue.push({ picture, after: last ? () => settled(view, ended) : undefined });
  });
  if (queue.length > QUEUE) queue.splice(0, queue.length - 1);
  if (!timer) next();
}

/** Draw the next picture; it stays for its time. */
function next() {
  timer = 0;
  const step = queue.shift();
  if (!step) return;
  scene.draw(step.picture);
  panels.draw(step.picture.view);
  chooser.show();
  clocks.tick();
  step.after?.();
  if (step.picture.hold || queue.length) timer = window.setTimeout(next, step.picture.hold);
}

/** The player goes on: what is still being shown is over. */
function hurry() {
  if (!timer) return;
  clearTimeout(timer);
  while (queue.length) next();
  clearTimeout(timer);
  timer = 0;
}

/** A view has been drawn to its end. @param {View} view @param {boolean} ended */
function settled(view, ended) {
  if (view.status === "finished") {
    panels.openResult(view);
  } else if (ended && view.previous) {
    panels.openCount(view, view.previous);
    clearTimeout(countTimer);
    const shown = view.clock.from === null ? COUNT_SHOWN : Math.max(2500, view.clock.from - line.now());
    countTimer = window.setTimeout(() => panels.closeCount(), shown);
  }
  document.title = view.status === "playing" && view.turn !== null && view.turn === view.seat
    ? `● ${speaker.words["your-turn"]}` : (root.dataset.title ?? document.title);
}

/** Into the chronicle, in words, what happened since. @param {View | null} before @param {View} after */
function tell(before, after) {
  if (!before) return;
  if (before.status === "waiting" && after.status === "playing") panels.log(speaker.words["match-begins"]);
  if (after.turned && after.deal?.number !== before.deal?.number) panels.log(speaker.say("turned", { card: speaker.card(after.turned) }));
  const known = new Set(before.table.map((card) => card.card));
  const last = fresh(before, after);
  if (last) {
    for (const { card, seat } of last.cards) {
      if (known.has(card) || seat === null) continue;
      panels.log(speaker.played(after, seat, card, last.takes, last.scopa));
      known.add(card);
    }
    if (last.cards.length > 1 && last.taker !== null) {
      panels.log(speaker.say(last.taker === after.seat ? "you-win-trick" : "they-win-trick", { name: after.seats[last.taker].name }));
    }
    for (const { card, seat } of last.drawn) {
      if (seat !== null) panels.log(speaker.say(seat === after.seat ? "you-draw" : "they-draw", { name: after.seats[seat].name, card: speaker.card(card) }));
    }
  }
  for (const { card, seat } of after.table) {
    if (seat !== null && !known.has(card)) panels.log(speaker.played(after, seat, card, [], false));
  }
  if (after.status === "playing" && after.turn === after.seat && before.turn !== after.turn) panels.log(speaker.words["your-turn"], false);
}

/** @param {import("./socket.js").Refusal} refusal */
function refused(refusal) {
  if (chat.refused(refusal)) return;
  chooser.release(refusal.id ?? undefined);
  if (refusal.code !== "stale") panels.toast(refusal.message || speaker.words["not-allowed"]);
}

/** @param {"open" | "lost" | "replaced" | "signed-out" | "gone"} now */
function state(now) {
  root.dataset.line = now;
  chooser.lookOn(now === "replaced");
  if (now === "open") panels.line("");
  else if (now === "lost") panels.line(speaker.words["line-lost"]);
  else if (now === "replaced") panels.line(speaker.words["line-replaced"], { label: speaker.words["play-here"], act: () => line.open() });
  else if (now === "signed-out") panels.line(speaker.words["line-signed-out"], { label: speaker.words["sign-in"], href: root.dataset.login });
  else panels.line(speaker.words["line-gone"], { label: speaker.words["go-home"], href: "/" });
}

const dialog = /** @type {HTMLDialogElement} */ (byId("abandon-dialog"));
byId("abandon").addEventListener("click", () => dialog.showModal());
dialog.addEventListener("close", () => {
  if (dialog.returnValue === "abandon") line.act({ t: "abandon", confirm: true });
  dialog.returnValue = "";
});

line.open();
