// @ts-check
/** Drawing the lots of a tournament again in the reader's own browser, and comparing them with what its page says. */

import { findDrawMismatches } from "../table/decks.js";
import { byId, write } from "../table/dom.js";

/** @typedef {import("../table/decks.js").TournamentDraw} TournamentDraw */

const root = byId("draw-check");
/** @type {TournamentDraw} */
const draw = JSON.parse(byId("draw-check-draw").textContent ?? "{}");
/** @type {Record<string, string>} */
const text = JSON.parse(byId("draw-check-words").textContent ?? "{}");

root.hidden = false;
byId("draw-check-run").addEventListener("click", async () => {
  const wrong = await findDrawMismatches(draw);
  root.dataset.checked = wrong.length ? "differs" : "agrees";
  const right = draw.seeding === "lot" ? text.agrees.replace("{n}", String(draw.numbers.length)) : text.given;
  const named = wrong.map((what) => text[what] ?? what).join(", ");
  write(byId("draw-check-answer"), wrong.length ? text.differs.replace("{what}", named) : right);
});
