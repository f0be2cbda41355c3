// @ts-check
/** A little joy when a match was won: coins fall over the table. Nothing for whoever asked for less motion. */

import { make } from "./dom.js";

const COINS = 24;
const FALL = 2600; // ms the slowest takes
const LATE = 900; // ms until the last begins

/** @param {HTMLElement} layer  fixed over the page */
export function celebrate(layer) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (let n = 0; n < COINS; n++) {
    const coin = make("span", { class: "coin" });
    coin.style.setProperty("left", `${(100 * (n + Math.random())) / COINS}%`);
    layer.append(coin);
    const turns = 1 + Math.floor(Math.random() * 3);
    coin
      .animate(
        [
          { transform: "translateY(-3rem) rotateY(0)", opacity: 1 },
          { transform: `translateY(70vh) rotateY(${turns}turn)`, opacity: 1, offset: 0.75 },
          { transform: `translateY(100vh) rotateY(${turns}turn)`, opacity: 0 },
        ],
        { duration: FALL * (0.6 + 0.4 * Math.random()), delay: LATE * Math.random(), easing: "ease-in", fill: "both" },
      )
      .finished.catch(() => undefined)
      .then(() => coin.remove());
  }
}
