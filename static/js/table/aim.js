// @ts-check
/** Where a card in the air is: over a ghost, over the table, over a card of it. Geometry only. */

import { byId } from "./dom.js";
import { meant, putting } from "./picks.js";

/** @typedef {import("./types.js").LegalMove} LegalMove */
/** @typedef {import("./drag.js").Place} Place */

const NEAR = 16; // px around a ghost that count as it
const ENOUGH = 0.3; // of a ghost covered by the card in the air

/**
 * Which of these plays letting go here would make; null: none, or not one alone.
 * @param {LegalMove[]} moves @param {Place} place @param {Element} cloth @param {import("./ghosts.js").Ghosts} ghosts
 */
export function aimed(moves, place, cloth, ghosts) {
  const ghost = putting(moves).find((move) => near(ghosts.element(move)?.querySelector(".card"), place));
  if (ghost || !isOver(cloth, place)) return ghost ?? null;
  const [x, y] = middle(place);
  return meant(moves, lyingAt(place.x, place.y) ?? lyingAt(x, y));
}

/** Whether the pointer is in there. @param {Element} element @param {Place} place */
export function isIn(element, { x, y }) {
  return within(element.getBoundingClientRect(), x, y);
}

/** Whether the pointer is in there, or the middle of the card. @param {Element} element @param {Place} place */
export function isOver(element, place) {
  const [x, y] = middle(place);
  return isIn(element, place) || within(element.getBoundingClientRect(), x, y);
}

/** @param {Place} place @returns {[number, number]} */
function middle({ box }) {
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** The table card there. @param {number} x @param {number} y */
function lyingAt(x, y) {
  const cards = /** @type {HTMLElement[]} */ (Array.from(byId("lying").children));
  return cards.find((card) => within(card.getBoundingClientRect(), x, y))?.dataset.card;
}

/** @param {DOMRect} box @param {number} x @param {number} y */
function within(box, x, y) {
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}

/**
 * Whether the pointer is on a ghost, or the card in the air covers enough of it.
 * @param {Element | null | undefined} element
 * @param {Place} place
 */
function near(element, { x, y, box }) {
  if (!element) return false;
  const ghost = element.getBoundingClientRect();
  const wide = Math.min(ghost.right, box.right) - Math.max(ghost.left, box.left);
  const high = Math.min(ghost.bottom, box.bottom) - Math.max(ghost.top, box.top);
  const covered = wide > 0 && high > 0 && wide * high >= ENOUGH * ghost.width * ghost.height;
  return (
    covered ||
    within(new DOMRect(ghost.x - NEAR, ghost.y - NEAR, ghost.width + 2 * NEAR, ghost.height + 2 * NEAR), x, y)
  );
}
