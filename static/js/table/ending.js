// @ts-check
/**
 * The end of a match before the reader's eyes: who has won and with what figures, and the deal that decided it: as many
 * fields as its count has rows, or a bar of all the points of the cards. It adds up nothing.
 */

import { byId, make, set, write } from "./dom.js";
import { drawFace } from "./faces.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Result} Result */
/** @typedef {import("./types.js").CountRow} CountRow */
/** @typedef {import("./words.js").Speaker} Speaker */

const FORFEITS = ["noshow", "timeout", "clock", "abandon"];
const WHOSE = ["settebello", "primiera", "last_trick"]; // rows that somebody has, or hasn't
const FIVE = ["cards", "denari", "settebello", "primiera", "scope"]; // always there, where a game has them
const BAR = "card_points"; // the row of all cards' points
const THIRD = 3;

export class Ending {
  /** @param {Speaker} speaker @param {boolean} fewest  whether fewer points are better */
  constructor(speaker, fewest) {
    this.speaker = speaker;
    this.fewest = fewest;
    /** @type {import("./faces.js").SeatedFaces | undefined} */
    this.faces = undefined;
  }

  /**
   * How it ended for the viewer: won, lost, drawn, won-by (for whoever watched), or why it has no result.
   * @param {View} view @param {Result} result
   */
  outcome(view, result) {
    if (["stopped", "deserted", "set_aside"].includes(result.decided_by)) return result.decided_by;
    if (result.winner === null) return "drawn";
    if (view.seat === null) return "won-by";
    return view.lines[result.winner].includes(view.seat) ? "won" : "lost";
  }

  /** @param {View} view @param {Result} result @param {string} outcome */
  title(view, result, outcome) {
    const forfeited = outcome === "won" && FORFEITS.includes(result.decided_by) ? `won-${result.decided_by}` : outcome;
    return this.speaker.say(forfeited, {
      name: result.winner === null ? "" : this.speaker.line(view, result.winner),
    });
  }

  /**
   * The figures of both lines: where the score counts deals, and there was one, the points of its cards.
   * @param {View} view @param {Result} result
   */
  figures(view, result) {
    return result.cards && view.previous?.number === 1 ? result.cards : result.score;
  }

  /** @param {View} view @param {Result} result @param {number[]} order  of the lines, the player's own first */
  draw(view, result, order) {
    const outcome = this.outcome(view, result);
    const forfeited = FORFEITS.includes(result.decided_by);
    set(byId("result"), { "data-outcome": outcome, "data-forfeited": forfeited });
    const figures = this.figures(view, result);
    order.forEach((line, i) => {
      const side = byId(`result-side-${i}`);
      const seats = view.lines[line].filter((seat) => view.seats[seat].of === undefined);
      const faces = make("span", { class: "result-faces" });
      for (const seat of seats) faces.append(...[drawFace(this.faces, seat)].filter((face) => face !== null));
      set(side, { "data-won": result.winner === line });
      side.replaceChildren(
        faces,
        make("span", { class: "result-name" }, this.speaker.line(view, line)),
        make("strong", { class: "result-figure number" }, String(figures[line])),
      );
    });
    const counted = forfeited || result.winner === null ? null : view.previous;
    const rows = counted?.rows.filter((row) => FIVE.includes(row.code) || row.values.some(Boolean)) ?? [];
    byId("result-deal").hidden = !rows.length;
    if (counted && rows.length) this.deal(view, counted, rows, result, order);
  }

  /**
   * @param {View} view @param {import("./types.js").Previous} counted @param {CountRow[]} rows @param {Result} result
   * @param {number[]} order
   */
  deal(view, counted, rows, result, order) {
    const { words } = this.speaker;
    const [own, other] = order;
    const bar = rows.find((row) => row.code === BAR);
    const several = counted.number > 1;
    const title = several ? this.speaker.say("deciding-deal", { n: counted.number }) : words["only-deal"];
    write(byId("result-deal-title"), bar && !several ? words[`tally-${BAR}`] : title);
    write(
      byId("result-deal-points"),
      bar ? this.speaker.say("half-plus-one", { n: half(bar) }) : `${counted.points[own]} – ${counted.points[other]}`,
    );
    byId("result-deal-body").replaceChildren(
      bar
        ? this.bar(view, bar, order)
        : make("ul", { class: "result-fields" }, ...rows.map((row) => this.field(view, row, order))),
    );
    const winner = result.winner ?? own;
    const decisive = bar
      ? []
      : rows.filter((row) => this.ahead(row, winner)).map((row) => words[`tally-${row.code}`] ?? row.code);
    const sentence = decisive.length
      ? this.speaker.say(decisive.length > 1 ? "decide-many" : "decide-one", {
          what: this.speaker.list(decisive).toLocaleLowerCase(document.documentElement.lang),
        })
      : "";
    write(byId("result-why"), sentence);
    set(byId("result-all"), { href: result.url, hidden: !several });
  }

  /** @param {CountRow} row @param {number} line */
  ahead(row, line) {
    const [mine, theirs] = [row.points[line], row.points[1 - line]];
    return this.fewest ? mine < theirs : mine > theirs;
  }

  /** Who sits in a line, in one word. @param {View} view @param {number} line */
  who(view, line) {
    const own = view.seat !== null && view.lines[line].includes(view.seat);
    const pair = view.seats.length > 2 && view.seat !== null;
    const { words } = this.speaker;
    if (pair) return own ? words["points-us"] : words["points-them"];
    return own ? words["points-you"] : this.speaker.line(view, line);
  }

  /** @param {View} view @param {CountRow} row @param {number[]} order */
  field(view, row, [own, other]) {
    const [mine, theirs] = [row.values[own], row.values[other]];
    const taker = this.ahead(row, own) ? own : this.ahead(row, other) ? other : null;
    const thirds = row.code === "thirds" ? (/** @type {number} */ n) => String(Math.floor(n / THIRD)) : String;
    const value =
      WHOSE.includes(row.code) && taker !== null ? this.who(view, taker) : `${thirds(mine)}–${thirds(theirs)}`;
    const label =
      row.code === "thirds"
        ? this.speaker.words["tally-points"]
        : (this.speaker.words[`tally-${row.code}`] ?? row.code);
    const side = taker === null ? null : taker === own ? "own" : "other";
    const rest = row.code === "thirds" ? this.speaker.say("thirds", { own: mine, other: theirs }) : "";
    return make(
      "li",
      { "data-side": side, "data-code": row.code },
      make("strong", {}, label),
      make("span", { class: "number" }, value),
      rest ? make("span", { class: "result-rest number" }, rest) : null,
    );
  }

  /**
   * All the points of the cards, and the half of them.
   * @param {View} view @param {CountRow} row @param {number[]} order
   */
  bar(view, row, [own, other]) {
    const all = row.values[own] + row.values[other];
    const needed = half(row);
    const part = (/** @type {number} */ line) => {
      const piece = make("span", { "data-won": row.values[line] >= needed, "data-lost": row.values[line] < needed });
      piece.style.setProperty("flex-grow", String(row.values[line]));
      return piece;
    };
    const mark = make("span", { class: "points-mark" });
    mark.style.setProperty("left", `${(100 * needed) / all}%`);
    const said = (/** @type {number} */ line) =>
      make(
        "strong",
        { "data-won": row.values[line] >= needed, "data-lost": row.values[line] < needed },
        `${this.who(view, line)} ${row.values[line]}`,
      );
    return make(
      "div",
      { class: "points-bar" },
      make("div", { class: "points-track", "aria-hidden": "true" }, part(own), part(other), mark),
      make("p", { class: "points-sums number" }, said(own), make("span", {}, String(needed)), said(other)),
    );
  }
}

/** The points of cards that win a deal: more than half of them all. @param {CountRow} row */
function half({ values }) {
  return Math.floor((values[0] + values[1]) / 2) + 1;
}
