// @ts-check
/**
 * The house at the player's side: it plays for whoever is away, and in training it says what it would play and has
 * cards taken back. It asks the server; it knows no rule.
 */

import { byId, set } from "./dom.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").LegalMove} LegalMove */
/** @typedef {import("./types.js").Why} Why */
/** @typedef {import("./words.js").Speaker} Speaker */

export class House {
  /** @param {Speaker} speaker @param {(t: "hint" | "takeback", v: number) => string} ask  gives the id it goes by */
  constructor(speaker, ask) {
    this.speaker = speaker;
    this.ask = ask;
    /** @type {View | null} */
    this.view = null;
    this.hint = byId("hint");
    this.back = byId("take-back");
    /** @type {NodeListOf<HTMLElement>} */
    this.leaving = document.querySelectorAll("#abandon-dialog [data-leaving]");
    this.hint.addEventListener("click", () => this.send("hint"));
    this.back.addEventListener("click", () => this.send("takeback"));
    byId("table").addEventListener("keydown", (event) => this.pressed(event));
  }

  /** @param {View} view */
  take(view) {
    if (this.view?.v !== view.v) this.mark([]);
    this.view = view;
    const trains = view.training && view.seat !== null && view.status === "playing";
    this.hint.hidden = this.back.hidden = !trains;
    const alone = !view.seats.some((info, seat) => seat !== view.seat && !info.house && info.of === undefined);
    const kind = view.training ? "training" : view.absence === "house" && !alone ? "house" : "loses";
    const kinds = kind === "loses" ? [kind, hasPartner(view) ? "pair" : "alone"] : [kind];
    for (const text of this.leaving)
      text.hidden = !text.dataset.leaving?.split(" ").some((each) => kinds.includes(each));
  }

  /** Whether the house plays the viewer's own seat. @param {View | null} view */
  plays(view) {
    return view !== null && view.seat !== null && view.status === "playing" && view.away.includes(view.seat);
  }

  /** @param {"hint" | "takeback"} what */
  send(what) {
    if (this.view) this.ask(what, this.view.v);
  }

  /**
   * What the house would play and why, in words; its card is marked until the table changes.
   * @param {LegalMove[]} moves @param {Why | undefined} why
   */
  suggest(moves, why) {
    this.mark(moves.flatMap((move) => (move.card ? [move.card] : [])));
    const hint = this.speaker.say("hint", { moves: this.speaker.list(moves.map((move) => this.speaker.move(move))) });
    return moves[moves.length - 1].card ? `${hint} ${this.explain(why)}` : hint;
  }

  /** Why the card is better than another. @param {Why | undefined} why */
  explain(why) {
    if (!why) return this.speaker.words["hint-only"];
    const { code, instead, cards, n, total } = why;
    const values = { instead: this.speaker.card(instead), cards: this.speaker.cards(cards), n, total };
    return this.speaker.say(`hint-${code}`, values);
  }

  /** @param {string[]} cards */
  mark(cards) {
    for (const card of document.querySelectorAll(".hand .card"))
      set(card, { "data-hint": cards.includes(/** @type {HTMLElement} */ (card).dataset.card ?? "") });
  }

  /** S and R count at the table itself, never where something is typed. @param {KeyboardEvent} event */
  pressed(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, textarea, dialog")) return;
    const what = event.key.toLowerCase() === "s" ? "hint" : event.key.toLowerCase() === "r" ? "takeback" : null;
    if (!what || this.hint.hidden) return;
    event.preventDefault();
    this.send(what);
  }
}

/** Whether the viewer plays in a pair; who plays the morto's cards doesn't. @param {View} view */
function hasPartner({ seat, seats, lines }) {
  return lines.some(
    (line) => line.some((own) => own === seat) && line.some((other) => other !== seat && seats[other].of === undefined),
  );
}
