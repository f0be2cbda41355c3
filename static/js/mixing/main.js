// @ts-check
/**
 * The number that this browser adds to the secrets of a tournament's rounds (carte uguali): drawn once their
 * commitments have been kept, sent as its hash first, and in the open when entries close. The page says how far the
 * numbers are, and is drawn anew by live.js; the table's page compares what this one keeps (table/nonces.js).
 */

import { hashNonce, toHex } from "../table/decks.js";
import { byId, write } from "../table/dom.js";
import { keepRounds, NONCE_BYTES, readRounds } from "../table/nonces.js";

let sending = "";

async function mix() {
  const panel = document.getElementById("mixing");
  if (!(panel instanceof HTMLFormElement)) return;
  const { tournament = "", stage, hash, nonce } = panel.dataset;
  /** @type {Record<string, string>} */
  const commitments = JSON.parse(byId("mixing-commitments").textContent ?? "{}");
  const kept = readRounds(tournament) ?? { commitments, nonce: "", hash: "", accepted: false, at: Date.now() };
  if (Object.entries(kept.commitments).some(([scope, digest]) => commitments[scope] !== digest)) {
    write(byId("mixing-said"), panel.dataset.changed ?? "");
    return;
  }
  if (stage === "hashes" && !hash && sending !== "hash") {
    sending = "hash";
    kept.commitments = commitments;
    keepRounds(tournament, kept); // before there is a number
    kept.nonce ||= toHex(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)));
    kept.hash = await hashNonce(kept.nonce);
    keepRounds(tournament, kept);
    await send(panel, "hash", kept.hash);
  } else if (stage === "nonces" && hash && hash === kept.hash && !nonce && sending !== "nonce") {
    sending = "nonce";
    await send(panel, "nonce", kept.nonce);
  }
}

/** @param {HTMLFormElement} panel @param {string} name @param {string} value */
async function send(panel, name, value) {
  const body = new FormData(panel);
  body.set(name, value);
  try {
    const answer = await fetch(panel.action, { method: "POST", body });
    if (!answer.ok) sending = "";
  } catch {
    sending = ""; // the page's next refresh tries again
  }
}

document.addEventListener("htmx:afterSettle", () => mix());
mix();
