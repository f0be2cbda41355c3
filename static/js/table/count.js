// @ts-check
/**
 * The count of a deal, point by point, and what a match was worth. It adds up nothing: every number is the server's.
 */

import { sorted } from "./cards.js";
import { make } from "./dom.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").CountRow} CountRow */
/** @typedef {import("./types.js").Previous} Previous */
/** @typedef {import("./types.js").Result} Result */
/** @typedef {import("./cards.js").Deck} Deck */
/** @typedef {import("./words.js").Speaker} Speaker */

export class Count {
  /** @param {Deck} deck @param {Speaker} speaker @param {boolean} fewest  whether fewer points are better */
  constructor(deck, speaker, fewest) {
    this.deck = deck;
    this.speaker = speaker;
    this.fewest = fewest;
  }

  /** @param {View} view @param {number[]} lines  in the order to show them */
  head(view, lines) {
    return make(
      "tr",
      {},
      make("td", {}),
      ...lines.map((line) => make("th", { scope: "col" }, this.speaker.line(view, line))),
    );
  }

  /**
   * @param {View} view
   * @param {Previous} previous
   * @param {number[]} lines
   * @param {number[]} score  of the match, with this deal
   */
  table(view, previous, lines, score) {
    const { words } = this.speaker;
    const total = make(
      "tr",
      {},
      make("th", { scope: "row" }, words["count-total"]),
      ...lines.map((line) => make("td", {}, make("strong", {}, String(previous.points[line])))),
    );
    const match = make(
      "tr",
      { class: "count-match" },
      make("th", { scope: "row" }, words["count-match"]),
      ...lines.map((line) => make("td", {}, make("strong", {}, String(score[line])))),
    );
    return make(
      "table",
      { class: "count-table" },
      make("caption", { class: "visually-hidden" }, this.speaker.say("deal-over", { n: previous.number })),
      make("thead", {}, this.head(view, lines)),
      make("tbody", {}, ...previous.rows.map((row) => this.row(row, lines))),
      make("tfoot", {}, total, match),
    );
  }

  /** @param {CountRow} row @param {number[]} lines */
  row(row, lines) {
    const { words } = this.speaker;
    const why = words[`why-${row.code}`];
    return make(
      "tr",
      { "data-code": row.code },
      make(
        "th",
        { scope: "row" },
        words[`tally-${row.code}`] ?? row.code,
        why ? make("span", { class: "count-why" }, why) : null,
      ),
      ...lines.map((line) =>
        make(
          "td",
          { "data-won": this.better(row.points[line], row.points[1 - line]) },
          make("span", { class: "count-value" }, String(row.values[line])),
          row.points[line]
            ? make("strong", { class: "count-gain", "data-hurts": this.fewest }, gain(row.points[line]))
            : null,
          this.cards(row.cards?.[line] ?? []),
        ),
      ),
    );
  }

  /** @param {number} own @param {number} other */
  better(own, other) {
    return this.fewest ? own < other : own > other;
  }

  /** @param {string[]} cards */
  cards(cards) {
    if (!cards.length) return null;
    return make(
      "span",
      { class: "count-cards", role: "img", "aria-label": this.speaker.cards(sorted(cards)) },
      ...sorted(cards).map((name) => {
        const card = make("span", { class: "card", "aria-hidden": "true", title: this.speaker.card(name) });
        card.append(this.deck.face(name));
        return card;
      }),
    );
  }

  /**
   * MP and VP, null where the match is worth none: at a free table they count for nothing.
   * @param {View} view
   * @param {Result} result
   * @param {number[]} lines
   */
  worth(view, result, lines) {
    const { mp, vp } = result;
    if (!mp || !vp || view.context === "free") return null;
    const row = (/** @type {string} */ code, /** @type {number[]} */ values, /** @type {boolean} */ signed) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, this.speaker.words[code]),
        ...lines.map((line) =>
          make("td", {}, make("strong", {}, signed ? gain(values[line]) || "0" : String(values[line]))),
        ),
      );
    return make(
      "table",
      { class: "count-table worth-table" },
      make("thead", {}, this.head(view, lines)),
      make("tbody", {}, row("mp", mp, true), row("vp", vp, false)),
    );
  }
}

/** @param {number} n  with its sign, "" for none */
function gain(n) {
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "";
}
