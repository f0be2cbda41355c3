// @ts-check
/**
 * The number this player adds to the secret of the cards: drawn once the commitment has been kept, sent as its hash
 * first and in the open when the server asks for it, and compared with what the cards are made from. What was seen is
 * kept in this browser (`smazzata-mazzi/…`), to be checked after the match.
 */

import { hashNonce, toHex } from "./decks.js";
import { byId, keyed, make, set, write } from "./dom.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").ShuffleInfo} ShuffleInfo */
/** @typedef {import("./words.js").Speaker} Speaker */
/**
 * @typedef {{scope: string, commitment: string, nonce: string, hash: string, nonces: string[], place: number,
 *   deals: Record<string, {hand: string[], played: string[]}>, accepted: boolean, at: number}} Kept
 */
/**
 * @typedef {{commitments: Record<string, string>, nonce: string, hash: string, accepted: boolean, at: number}}
 *   KeptRounds  of a tournament with equal deals, by scope; one number for all its rounds (static/js/mixing/main.js)
 */

export const PREFIX = "smazzata-mazzi/";
const MOST_KEPT = 40; // matches
export const NONCE_BYTES = 16;

export class Nonces {
  /**
   * @param {Speaker} speaker
   * @param {(frame: {t: string, hash?: string, nonce?: string}) => string} act  gives the id it goes by
   * @param {(held: boolean) => void} hold  no card may be played
   */
  constructor(speaker, act, hold) {
    this.speaker = speaker;
    this.act = act;
    this.hold = hold;
    this.sent = new Set(); // ids of ours on their way
    this.sending = ""; // the frame that was sent last, so that no view sends it twice
    this.held = false;
    this.accepted = ""; // why the player was asked last, and wants to go on
    /** @type {Kept | null} */
    this.kept = null;
    this.dialog = /** @type {HTMLDialogElement} */ (byId("nonce-dialog"));
    byId("nonce-call").addEventListener("click", () => byId("call-open").click());
    this.dialog.addEventListener("cancel", (event) => event.preventDefault()); // it has to be decided
    byId("nonce-accept").addEventListener("click", () => this.accept());
  }

  /** @param {View} view */
  take(view) {
    const shuffle = view.shuffle;
    byId("origin").hidden = !shuffle;
    if (!shuffle) return;
    this.draw(view, shuffle);
    const seats = view.seats.flatMap((info, seat) => (info.of === undefined ? [seat] : []));
    const place = view.seat === null ? -1 : seats.indexOf(view.seat);
    if (place < 0 || view.status === "finished") return;
    this.kept ??= read(shuffle.scope);
    if (shuffle.shared) this.kept ??= takeOver(shuffle);
    if (this.kept && this.kept.commitment !== shuffle.commitment) {
      if (this.accepted !== "commitment-changed") this.warn("commitment-changed");
      return;
    }
    if (shuffle.stage === "hashes") this.promise(shuffle, place);
    else if (shuffle.stage === "nonces") this.open(shuffle, place);
    else this.compare(view, shuffle, place);
  }

  /**
   * Draw a nonce after the commitment has been kept, and send its hash.
   * @param {ShuffleInfo} shuffle @param {number} place
   */
  promise(shuffle, place) {
    if (shuffle.hashes[place] || this.sending === "hash") return;
    this.sending = "hash";
    const { scope, commitment } = shuffle;
    const before = this.kept ?? {
      scope,
      commitment,
      nonce: "",
      hash: "",
      nonces: [],
      place,
      deals: {},
      accepted: false,
      at: 0,
    };
    this.kept = { ...before, at: Date.now() };
    keep(this.kept);
    this.kept.nonce ||= toHex(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)));
    keep(this.kept);
    hashNonce(this.kept.nonce).then((hash) => {
      if (!this.kept) return;
      this.kept.hash = hash;
      keep(this.kept);
      this.sent.add(this.act({ t: "nonce_hash", hash }));
    });
  }

  /** @param {ShuffleInfo} shuffle @param {number} place */
  open(shuffle, place) {
    if (!this.kept?.nonce || shuffle.hashes[place] !== this.kept.hash) return;
    if (shuffle.nonces[place] || this.sending === "nonce") return;
    this.sending = "nonce";
    this.sent.add(this.act({ t: "nonce", nonce: this.kept.nonce }));
  }

  /** @param {View} view @param {ShuffleInfo} shuffle @param {number} place */
  compare(view, shuffle, place) {
    const kept = this.kept;
    if (!kept) return;
    kept.nonces = shuffle.nonces;
    this.see(view, kept);
    keep(kept);
    const there = shuffle.shared ? shuffle.nonces.includes(kept.nonce) : shuffle.nonces[place] === kept.nonce;
    if (kept.nonce && !there && !kept.accepted)
      this.warn(!shuffle.shared && shuffle.nonces[place] ? "nonce-changed" : "nonce-missing");
  }

  /** The cards of a deal as they are seen from this seat. @param {View} view @param {Kept} kept */
  see(view, kept) {
    if (!view.deal || view.seat === null) return;
    kept.deals[view.deal.number] ??= { hand: [], played: [] };
    const { hand, played } = kept.deals[view.deal.number];
    const seen = view.hands[view.seat]?.cards ?? [];
    if (view.deal.redealt && !played.length && hand.some((card) => !seen.includes(card))) hand.length = 0;
    for (const card of seen) if (!hand.includes(card)) hand.push(card);
    for (const { card, seat } of [...view.table, ...(view.last?.cards ?? [])])
      if (seat !== null && !played.includes(`${seat} ${card}`)) played.push(`${seat} ${card}`);
  }

  /** The commitment, and whose numbers are there. @param {View} view @param {ShuffleInfo} shuffle */
  draw(view, shuffle) {
    write(byId("origin-digits"), shuffle.commitment.slice(0, 8));
    write(byId("origin-commitment"), shuffle.commitment);
    const players = shuffle.shared
      ? shuffle.nonces.map((_nonce, place) => String(place + 1)) // of the tournament, in the order of its entries
      : view.seats.flatMap(({ name, of }) => (of === undefined ? [name ?? ""] : []));
    const lines = players.map((name, place) => `${name}: ${this.say(shuffle, place)}`);
    keyed(
      byId("origin-nonces"),
      lines.map((text, place) => ({ text, place })),
      ({ place }) => String(place),
      () => make("li"),
      (item, { text, place }) => {
        write(item, text);
        set(item, { "data-nonce": shuffle.nonces[place] });
      },
    );
  }

  /** @param {ShuffleInfo} shuffle @param {number} place */
  say({ stage, hashes, nonces }, place) {
    if (nonces[place]) return nonces[place];
    if (stage === "fixed") return this.speaker.words["nonce-none"];
    return this.speaker.words[hashes[place] ? "nonce-promised" : "nonce-awaited"];
  }

  /** Play no card before the player has decided. @param {string} why */
  warn(why) {
    write(byId("nonce-why"), this.speaker.words[why]);
    this.dialog.dataset.why = why;
    byId("nonce-call").hidden = byId("call-open").hidden;
    if (!this.held && !this.dialog.open) this.dialog.showModal();
    this.held = true;
    this.hold(true);
  }

  /** The player wants to go on all the same. */
  accept() {
    this.accepted = this.dialog.dataset.why ?? "";
    if (this.kept) {
      this.kept.accepted = true;
      keep(this.kept);
      const tournament = this.kept.scope.split("/")[0];
      const rounds = readRounds(tournament);
      if (rounds) keepRounds(tournament, { ...rounds, accepted: true });
    }
    this.held = false;
    this.dialog.close();
    this.hold(false);
  }

  /**
   * Whether it was ours that was refused: what becomes of it is seen in the next view.
   * @param {import("./socket.js").Refusal} refusal
   */
  refused(refusal) {
    return this.sent.has(refusal.id ?? "");
  }
}

/** @param {string} scope @returns {Kept | null} */
export function read(scope) {
  return readKept(scope);
}

/** What was kept of a tournament's rounds. @param {string} tournament @returns {KeptRounds | null} */
export function readRounds(tournament) {
  return readKept(`${tournament}/`);
}

/** @param {string} tournament @param {KeptRounds} rounds */
export function keepRounds(tournament, rounds) {
  store(`${tournament}/`, rounds);
}

/** What this browser kept of a round before its tournament began, as of a match. @param {ShuffleInfo} shuffle */
function takeOver(shuffle) {
  const rounds = readRounds(shuffle.scope.split("/")[0]);
  return {
    scope: shuffle.scope,
    commitment: rounds?.commitments[shuffle.scope] ?? shuffle.commitment,
    nonce: rounds?.nonce ?? "",
    hash: rounds?.hash ?? "",
    nonces: [],
    place: -1,
    deals: {},
    accepted: rounds?.accepted ?? false,
    at: Date.now(),
  };
}

/** @param {string} name @returns {any} */
function readKept(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? "null");
  } catch {
    return null;
  }
}

/** @param {Kept} kept */
function keep(kept) {
  store(kept.scope, kept);
}

/** Keep it, if this browser keeps anything; of the oldest matches nothing. @param {string} key @param {object} kept */
function store(key, kept) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(kept));
    const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
    if (names.length <= MOST_KEPT) return;
    const age = (/** @type {string} */ name) => read(name.slice(PREFIX.length))?.at ?? 0;
    for (const name of names.sort((a, b) => age(a) - age(b)).slice(0, names.length - MOST_KEPT))
      localStorage.removeItem(name);
  } catch {
    // private windows may refuse: it is known to this page until it is closed
  }
}
