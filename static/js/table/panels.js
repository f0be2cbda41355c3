// @ts-check
/** What is said around the cards: the score, the count of a deal, the result, toasts, the chronicle, the state of the line. */

import { byId, make, set, write } from "./dom.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Previous} Previous */
/** @typedef {import("./words.js").Speaker} Speaker */

const TOAST = 3500; // ms
const LOG_LINES = 200;

export class Panels {
  /** @param {Speaker} speaker */
  constructor(speaker) {
    this.speaker = speaker;
    this.toasting = 0;
    this.count = byId("count");
    byId("count-close").addEventListener("click", () => this.closeCount());
    byId("result-close").addEventListener("click", () => { byId("result").hidden = true; });
  }

  /** @param {View} view */
  draw(view) {
    if (view.deal || !byId("stage").textContent) write(byId("stage"), this.stage(view));
    const order = this.order(view);
    byId("score").replaceChildren(
      make("span", { class: "score-name" }, this.speaker.line(view, order[0])),
      make("strong", { class: "score-points", "data-line": String(order[0]) }, String(view.score[order[0]])),
      make("span", { "aria-hidden": "true" }, "–"),
      make("strong", { class: "score-points", "data-line": String(order[1]) }, String(view.score[order[1]])),
      make("span", { class: "score-name" }, this.speaker.line(view, order[1])),
    );
    byId("abandon").hidden = view.seat === null || view.status !== "playing";
    byId("spectating").hidden = view.seat !== null;
    this.drawTurn(view);
    this.drawWaiting(view);
  }

  /** How far the match has come. @param {View} view */
  stage(view) {
    const { deal, length } = view;
    const { speaker } = this;
    const goal = length.points ? speaker.say("target", { n: length.points }) : length.deals && !deal ? speaker.say(length.deals === 1 ? "in-one-deal" : "in-deals", { n: length.deals }) : "";
    if (!deal) return goal;
    const stage = deal.tie_break ? speaker.say("tie-break", { n: deal.tie_break })
      : length.deals ? speaker.say("deal-of", { n: deal.number, m: length.deals }) : speaker.say("deal", { n: deal.number });
    return goal ? `${stage} · ${goal}` : stage;
  }

  /** @param {View} view */
  drawTurn(view) {
    const mine = view.turn !== null && view.turn === view.seat;
    const text = view.status !== "playing" || view.turn === null ? ""
      : mine ? this.speaker.words["your-turn"] : this.speaker.say("their-turn", { name: view.seats[view.turn].name });
    write(byId("turn"), text);
    set(byId("turn"), { "data-mine": mine });
  }

  /** @param {View} view */
  drawWaiting(view) {
    const missing = view.seats.map((info, seat) => ({ info, seat })).filter(({ info }) => !info.here && !info.house);
    byId("waiting").hidden = view.status !== "waiting";
    if (view.status !== "waiting") return;
    const names = missing.map(({ seat }) => this.speaker.name(view, seat)).join(", ");
    write(byId("waiting-text"), names ? this.speaker.say("waiting-for", { names }) : this.speaker.words["about-to-start"]);
    byId("waiting-limit").hidden = view.clock.noshow === null || !names;
  }

  /** The count of the deal just finished, point by point. @param {View} view @param {Previous} previous */
  openCount(view, previous) {
    write(byId("count-title"), this.speaker.say("deal-over", { n: previous.number }));
    byId("count-body").replaceChildren(this.countTable(view, previous));
    this.count.hidden = false;
    this.log(`${this.speaker.say("deal-over", { n: previous.number })} ${this.points(view, previous.points)}`);
  }

  closeCount() {
    this.count.hidden = true;
  }

  /** The lines, the player's own first. @param {View} view */
  order(view) {
    const own = view.seat === null ? 0 : view.lines.findIndex((seats) => seats.includes(/** @type {number} */ (view.seat)));
    return [own, 1 - own];
  }

  /** @param {View} view @param {number[]} points */
  points(view, points) {
    return this.order(view).map((line) => `${this.speaker.line(view, line)} ${points[line]}`).join(" – ");
  }

  /** @param {View} view @param {Previous} previous */
  countTable(view, previous) {
    const { words } = this.speaker;
    const lines = this.order(view);
    /** @param {number} n */
    const gain = (n) => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "");
    const head = make("tr", {}, make("th", { scope: "col" }, words["count-what"]), ...lines.map((line) => make("th", { scope: "col" }, this.speaker.line(view, line))));
    const rows = previous.rows.map((row) =>
      make(
        "tr",
        { "data-code": row.code },
        make("th", { scope: "row" }, words[`tally-${row.code}`] ?? row.code),
        ...lines.map((line) =>
          make("td", { "data-won": row.points[line] > row.points[1 - line] }, make("span", { class: "count-value" }, String(row.values[line])), make("strong", {}, gain(row.points[line]))),
        ),
      ),
    );
    const total = make("tr", {}, make("th", { scope: "row" }, words["count-total"]), ...lines.map((line) => make("td", {}, make("strong", {}, String(previous.points[line])))));
    return make("table", { class: "count-table" }, make("thead", {}, head), make("tbody", {}, ...rows), make("tfoot", {}, total));
  }

  /** The end of the match. @param {View} view */
  openResult(view) {
    const result = view.result;
    if (!result || !byId("result").hidden) return;
    const own = view.seat === null ? null : view.lines.findIndex((seats) => seats.includes(/** @type {number} */ (view.seat)));
    const key = result.winner === null ? "drawn" : own === null ? "won-by" : own === result.winner ? "won" : "lost";
    const title = this.speaker.say(key, { name: result.winner === null ? "" : this.speaker.line(view, result.winner) });
    write(byId("result-title"), title);
    write(byId("result-score"), this.points(view, result.score));
    const how = this.speaker.words[`decided-${result.decided_by}`];
    write(byId("result-how"), how && result.winner !== null ? this.speaker.say("how", { how }) : "");
    set(byId("result-link"), { href: result.url });
    set(byId("result"), { "data-outcome": key });
    const rows = byId("result-count");
    rows.replaceChildren(...(view.previous?.rows.length ? [this.countTable(view, view.previous)] : []));
    byId("result-detail").hidden = !rows.firstChild;
    this.closeCount();
    byId("result").hidden = false;
    byId("result-title").focus({ preventScroll: true });
    this.log(`${title} ${this.points(view, result.score)}`);
  }

  /** @param {string} words */
  toast(words) {
    const toast = byId("toast");
    clearTimeout(this.toasting);
    toast.hidden = false;
    write(byId("toast-text"), "");
    write(byId("toast-text"), words);
    this.toasting = window.setTimeout(() => { toast.hidden = true; }, TOAST);
  }

  /** A line of the chronicle, read aloud politely. @param {string} words @param {boolean} [caption]  shown under the table too */
  log(words, caption = true) {
    const list = byId("log");
    list.append(make("li", {}, words));
    while (list.children.length > LOG_LINES) list.firstElementChild?.remove();
    list.scrollTop = list.scrollHeight;
    if (caption) write(byId("caption"), words);
  }

  /** @param {string} words  "" : all is well @param {{label: string, act?: () => void, href?: string}} [way] */
  line(words, way) {
    const bar = byId("line-state");
    bar.hidden = !words;
    write(byId("line-words"), words);
    byId("line-way").replaceChildren();
    if (way?.href) byId("line-way").append(make("a", { class: "button button-small", href: way.href }, way.label));
    if (way?.act) {
      const button = make("button", { type: "button", class: "button button-small" }, way.label);
      button.addEventListener("click", way.act);
      byId("line-way").append(button);
    }
  }
}
