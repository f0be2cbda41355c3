// @ts-check
/**
 * How large felt and cloth are inside and how many cards share that room, for felt.css, which works out how wide they
 * can be: in one, two or three rows on the cloth, side by side or over one another in a hand.
 */

import { byId, set } from "./dom.js";

const FEWEST = 4; // cards that have room on the cloth, however few lie there: a card played makes none smaller
const FEWEST_IN_ROWS = 6; // where four lie in two rows: a fifth and a sixth leave the others in those rows
const ROWS = [1, 2, 3];
const IN_ROWS = 0.65; // of its width: a cloth as high as that has room for two rows of large cards
const TALL = 0.95; // of its width: a cloth as high as that has the stock above the trick

const watcher = new ResizeObserver((entries) => {
  for (const { target } of entries) measureRoom(/** @type {HTMLElement} */ (target));
});

/** Keep felt.css told of the room on the felt and the cloth. @param {HTMLElement} cloth */
export function watchRoom(cloth) {
  for (const element of [/** @type {HTMLElement} */ (cloth.closest(".felt")), cloth]) {
    measureRoom(element);
    watcher.observe(element);
  }
}

/**
 * Write how large the felt or the cloth is inside. A container's own units would tell it without any script, but cost
 * the browser a second round of style at every change.
 * @param {HTMLElement} element
 */
function measureRoom(element) {
  const { paddingLeft, paddingRight, paddingTop, paddingBottom } = getComputedStyle(element);
  const name = element.id || "felt";
  const outside = element.getBoundingClientRect();
  const width = outside.width - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
  const height = outside.height - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom);
  const asHigh = name === "felt" && element.closest("[data-narrow]") ? innerHeight : height; // narrow: it grows
  element.style.setProperty(`--${name}-width`, `${width}px`);
  element.style.setProperty(`--${name}-height`, `${asHigh}px`);
  if (name !== "cloth") return;
  set(element, { "data-tall": height > width * TALL, "data-rows": height > width * IN_ROWS });
  measureCloth(element);
}

/** The cloth, with the cards and ghosts that are on it now. @param {HTMLElement} cloth */
export function measureCloth(cloth) {
  const cards = byId("lying").children.length;
  const choices = document.getElementById("ghosts")?.children.length ?? 0; // a replay has none
  const fewest = "rows" in cloth.dataset ? FEWEST_IN_ROWS : FEWEST;
  for (const [what, count] of Object.entries({ cards: even(cards, fewest), all: even(cards + choices, FEWEST + 1) }))
    for (const rows of ROWS) cloth.style.setProperty(`--${what}-${rows}`, String(Math.ceil(count / rows)));
  cloth.style.setProperty("--choices", String(choices));
  set(cloth, { "data-choices": choices > 1 ? "several" : String(choices) });
}

/** @param {HTMLElement} hand @param {number} count  of its cards */
export function measureHand(hand, count) {
  const felt = /** @type {HTMLElement} */ (hand.closest(".felt"));
  hand.style.setProperty("--held", String(Math.max(count, 1)));
  if (hand.id === "hand") felt.style.setProperty("--held", String(Math.max(count, 3)));
}

/**
 * Beyond those there is room for, sizes change with every second card only.
 * @param {number} count @param {number} least
 */
function even(count, least) {
  return count <= least ? least : count + (count % 2);
}
