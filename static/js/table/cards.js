// @ts-check
/** A card as an element: the drawing from the deck's sprite, or its back. Names are those of the record ("7d"). */

import { make } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const ORDER = "A234567FCR";
const SUITS = "dcsb";

export class Deck {
  /** @param {string} sprite  address of the deck's SVG */
  constructor(sprite) {
    this.sprite = sprite;
  }

  /** @param {string} name  a card, or "back" */
  face(name) {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", "0 0 100 160");
    svg.setAttribute("class", "face");
    svg.setAttribute("aria-hidden", "true");
    svg.setAttribute("focusable", "false");
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `${this.sprite}#${name}`);
    svg.append(use);
    return svg;
  }

  /** A card that only lies there. @param {string} name @param {string} label  in words, "" if it says nothing */
  lying(name, label) {
    const card = make("div", { class: "card", "data-card": name, role: label ? "img" : null, "aria-label": label || null });
    if (!label) card.setAttribute("aria-hidden", "true");
    card.append(this.face(name));
    return card;
  }
}

/** A hand as people sort it: by suit, then by rank. @param {string[]} cards */
export function sorted(cards) {
  return [...cards].sort((a, b) => SUITS.indexOf(a[1]) - SUITS.indexOf(b[1]) || ORDER.indexOf(a[0]) - ORDER.indexOf(b[0]));
}
