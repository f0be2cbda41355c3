// @ts-check
/**
 * Checking the decks of a record in the reader's own browser: it shuffles them again, and compares them, and what this
 * browser kept of the match, with the record.
 */

import { findMismatches } from "../table/decks.js";
import { byId, write } from "../table/dom.js";
import { read } from "../table/nonces.js";

/** @typedef {import("../table/decks.js").MatchRecord} MatchRecord */

const root = byId("deck-check");
/** @type {MatchRecord} */
const record = JSON.parse(byId("deck-check-record").textContent ?? "{}");
/** @type {Record<string, string>} */
const text = JSON.parse(byId("deck-check-words").textContent ?? "{}");
const kept = read(record.shuffle?.scope ?? "");
const answer = byId("deck-check-answer");
const save = byId("deck-check-save");

root.hidden = false;
save.hidden = !kept;
byId("deck-check-run").addEventListener("click", async () => {
  const wrong = await findMismatches(record);
  const own = kept ? compareKept() : "none";
  root.dataset.checked = wrong.length || own === "differs" ? "differs" : "agrees";
  root.dataset.own = own;
  const checked = wrong.length
    ? text.differs.replace("{what}", wrong.map(name).join(", "))
    : text.agrees.replace("{n}", String(record.deals.length));
  write(answer, `${checked} ${text[`own-${own}`]}`);
});
save.addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(kept)], { type: "application/json" }));
  link.download = `ricevuta-${kept?.scope}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
});

/** What this browser saw before the first card against what the record says now. */
function compareKept() {
  const { shuffle } = record;
  if (!kept || !shuffle) return "none";
  const same =
    kept.commitment === shuffle.commitment &&
    (!kept.nonces.length || kept.nonces.join() === shuffle.nonces.join()) &&
    (!kept.nonce || isThere(shuffle.nonces, kept));
  return same ? "agrees" : "differs";
}

/**
 * With equal deals the numbers are those of the whole tournament.
 * @param {string[]} nonces @param {import("../table/nonces.js").Kept} kept
 */
function isThere(nonces, kept) {
  return kept.place < 0 ? nonces.includes(kept.nonce) : nonces[kept.place] === kept.nonce;
}

/** @param {string | number} what */
function name(what) {
  return typeof what === "number" ? `${text.deal} ${what + 1}` : (text[what] ?? what);
}
