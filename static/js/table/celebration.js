// @ts-check
/** A little joy when a match was won: the deck's suits fall over the table, or lie there for whoever asked for less. */

import { make } from "./dom.js";
import { drawSuit } from "./faces.js";

const SUITS = "dcbs";
const PIECES = 36;
const FALL = 2000; // ms
const WORDS = 360; // px: half as wide as the words are at most
const NARROWEST = 0.08; // of the window, at each side

/** @param {HTMLElement} layer  behind the result's words */
export function celebrate(layer) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  layer.replaceChildren();
  for (let n = 0; n < PIECES; n++) {
    const suit = SUITS[n % SUITS.length];
    const piece = make("span", { class: "falling-suit", "data-suit": suit }, drawSuit(suit));
    const beside = Math.random() * Math.max(NARROWEST, 0.5 - WORDS / innerWidth);
    const size = 0.75 + Math.random();
    piece.style.setProperty(n % 2 ? "right" : "left", `${100 * beside}%`); // beside the words, not over them
    piece.style.setProperty("top", `${Math.random() * 88}%`);
    piece.style.setProperty("width", `${size}rem`);
    piece.style.setProperty("rotate", `${Math.random() * 80 - 40}deg`);
    layer.append(piece);
    if (still) continue;
    piece.animate(
      [
        { transform: `translateY(-100vh) rotate(${Math.random() * 360}deg)`, opacity: 0 },
        { transform: "none", opacity: 1, offset: 0.9 },
        { transform: "none", opacity: 1 },
      ],
      { duration: FALL * (0.6 + 0.4 * Math.random()), easing: "cubic-bezier(.3,.1,.6,1)", fill: "backwards" },
    );
  }
}
