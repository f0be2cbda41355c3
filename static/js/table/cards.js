// @ts-check
/**
 * A card as an element: the drawing from the sprite of the player's deck, or its back. Names are those of the record
 * ("7d").
 */

import { make } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
export const RANKS = "A234567FCR";
export const SUITS = "dcsb";

export class Deck {
  /**
   * @param {import("./types.js").Decks} decks  those there are
   * @param {{deck: string, indices: boolean}} worn  the player's choice
   */
  constructor(decks, worn) {
    this.decks = decks;
    this.worn = worn;
  }

  /** The words that are others with this deck. */
  get words() {
    return this.decks[this.worn.deck]?.words ?? {};
  }

  /** Where a card is drawn: with its corner indices, or the face alone. @param {string} name */
  address(name) {
    return `${this.decks[this.worn.deck]?.sprite}#${this.worn.indices || name === "back" ? name : `f-${name}`}`;
  }

  /**
   * Another choice: every card on the page is drawn anew, where it lies.
   * @param {{deck: string, indices: boolean}} worn
   */
  wear(worn) {
    this.worn = worn;
    for (const svg of document.querySelectorAll("svg.drawing")) {
      svg.firstElementChild?.setAttribute("href", this.address(/** @type {SVGElement} */ (svg).dataset.face ?? ""));
    }
  }

  /** @param {string} name  a card, or "back" */
  face(name) {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", "0 0 100 160");
    svg.setAttribute("class", "drawing");
    svg.setAttribute("aria-hidden", "true");
    svg.setAttribute("focusable", "false");
    const use = document.createElementNS(SVG, "use");
    svg.dataset.face = name;
    use.setAttribute("href", this.address(name));
    svg.append(use);
    return svg;
  }

  /** A card that only lies there. @param {string} name @param {string} label  in words, "" if it says nothing */
  lying(name, label) {
    const card = make("div", {
      class: "card",
      "data-card": name,
      role: label ? "img" : null,
      "aria-label": label || null,
    });
    if (!label) card.setAttribute("aria-hidden", "true");
    card.append(this.face(name));
    return card;
  }
}

/** A hand as people sort it: by suit, then by rank. @param {string[]} cards */
export function sorted(cards) {
  return [...cards].sort(
    (a, b) => SUITS.indexOf(a[1]) - SUITS.indexOf(b[1]) || RANKS.indexOf(a[0]) - RANKS.indexOf(b[0]),
  );
}
