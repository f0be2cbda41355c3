// @ts-check
/**
 * How the match stands: points by deal, and of the running deal what all have seen: cards or tricks taken, scope, who
 * has the settebello, points called. Never what a player has to remember until the count. And the latest moves.
 */

import { byId, make, set } from "./dom.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./words.js").Speaker} Speaker */
/** @typedef {{words: string, values: (string | number)[], total?: boolean}} Row */

export const LATEST = 3; // moves
const SETTEBELLO = "7d";

export class Points {
  /** @param {Speaker} speaker @param {number[][]} deals  the points of those that are over, by line */
  constructor(speaker, deals) {
    this.speaker = speaker;
    this.deals = deals;
    this.drawn = "";
    /** @type {{deal: number, line: number | null, known: boolean}} whose the settebello is */
    this.settebello = { deal: 0, line: null, known: false };
  }

  /** A view that has come: the settebello may have been taken in it. @param {View} view */
  take(view) {
    const { previous, deal, last, lines } = view;
    if (previous && previous.number > 0) this.deals[previous.number - 1] = previous.points;
    const number = deal?.number ?? 0;
    if (this.settebello.deal !== number) this.settebello = { deal: number, line: null, known: false };
    if (!last?.takes.length) return;
    this.settebello.known = true;
    if ([...last.takes, ...last.cards.map(({ card }) => card)].includes(SETTEBELLO))
      this.settebello.line = lines.findIndex((seats) => seats.includes(Number(last.taker)));
  }

  /** @param {View} view @param {number[]} order  of the lines, the player's own first */
  draw(view, order) {
    const rows = { match: this.match(view, order), deal: this.deal(view, order) };
    const drawn = JSON.stringify([rows, order]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const { words } = this.speaker;
    const goal = view.length.points ? this.speaker.say("target", { n: view.length.points }) : "";
    byId("points-match").replaceChildren(
      this.table(view, order, [words["points-match"], goal].filter(Boolean).join(", "), rows.match),
    );
    byId("points-deal").replaceChildren(
      ...(rows.deal.length ? [this.table(view, order, words["points-deal"], rows.deal)] : []),
    );
  }

  /** @param {View} view @param {number[]} order @returns {Row[]} */
  match(view, order) {
    const { speaker } = this;
    const over = view.status === "finished" ? this.deals.length : (view.deal?.number ?? 1) - 1;
    const rows = Array.from({ length: over }, (_, i) => ({
      words: speaker.say("deal", { n: i + 1 }),
      values: order.map((line) => this.deals[i]?.[line] ?? "–"), // a deal that passed unseen has left a hole
    }));
    return [
      ...rows,
      { words: speaker.words["points-total"], values: order.map((line) => view.score[line]), total: true },
    ];
  }

  /** @param {View} view @param {number[]} order @returns {Row[]} */
  deal(view, order) {
    if (view.status !== "playing" || !view.deal) return [];
    const { words } = this.speaker;
    const { piles, credited } = view;
    const row = (/** @type {string} */ code, /** @type {(line: number) => string | number} */ value) => ({
      words: words[`points-${code}`],
      values: order.map(value),
    });
    const tricks = !view.turned && piles.some((pile) => pile.tricks);
    const rows = [tricks ? row("tricks", (line) => piles[line].tricks) : row("cards", (line) => piles[line].cards)];
    if (this.settebello.known || piles.some((pile) => pile.scope)) {
      rows.push(row("scope", (line) => piles[line].scope));
      if (this.settebello.line !== null)
        rows.push(row("settebello", (line) => (line === this.settebello.line ? 1 : "")));
    }
    if (credited.some(Boolean)) rows.push(row("calls", (line) => credited[line]));
    return rows;
  }

  /** @param {View} view @param {number[]} order @param {string} caption @param {Row[]} rows */
  table(view, order, caption, rows) {
    const { words } = this.speaker;
    const pair = view.seats.length > 2;
    const short = view.seat === null ? null : pair ? ["points-us", "points-them"] : ["points-you", null];
    const heads = order.map((line, i) => {
      const name = this.speaker.line(view, line);
      const head = short?.[i] ? words[short[i] ?? ""] : name;
      return make("th", { scope: "col", title: name }, make("span", { class: "points-name" }, head));
    });
    return make(
      "table",
      { class: "points-table" },
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, caption), ...heads)),
      make(
        "tbody",
        {},
        ...rows.map(({ words: label, values, total }) =>
          make(
            "tr",
            { class: total ? "points-total" : null },
            make("th", { scope: "row" }, label),
            ...values.map((value, i) =>
              make("td", { "data-ahead": Number(value) > Number(values[1 - i] || 0) }, String(value)),
            ),
          ),
        ),
      ),
    );
  }
}

/** The last moves, beneath the points: those of the log, seen without another tab. */
export class Latest {
  constructor() {
    /** @type {string[]} */
    this.lines = [];
    this.turn = "";
  }

  /** @param {string} words */
  add(words) {
    this.lines = [...this.lines.slice(1 - LATEST), words];
    this.show();
  }

  /** @param {string} turn  that it is the player's, "" if it isn't */
  draw(turn) {
    if (this.turn === turn && byId("points-moves").childElementCount) return;
    this.turn = turn;
    this.show();
  }

  show() {
    const rows = this.lines.map((words) => make("p", {}, words));
    if (this.turn) rows.push(make("p", { "data-now": true }, this.turn));
    byId("points-moves").replaceChildren(...rows);
    set(byId("points-late"), { hidden: !rows.length });
  }
}
