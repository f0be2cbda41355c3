// @ts-check
/**
 * What is said around the cards: the score, the count of a deal, the result, toasts, the chronicle, the state of the
 * line.
 */

import { Count } from "./count.js";
import { byId, make, set, write } from "./dom.js";
import { Ending } from "./ending.js";
import { Log } from "./log.js";
import { LATEST, Latest, Points } from "./points.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Previous} Previous */
/** @typedef {import("./cards.js").Deck} Deck */
/** @typedef {import("./words.js").Speaker} Speaker */

const TOAST = 3500; // ms
const COUNT_FADES = 300; // ms

export class Panels {
  /**
   * @param {Speaker} speaker @param {Deck} deck
   * @param {boolean} fewest  whether fewer points are better
   * @param {number[][]} deals  the points of those that are over, by line
   */
  constructor(speaker, deck, fewest, deals) {
    this.speaker = speaker;
    this.counting = new Count(deck, speaker, fewest);
    this.ending = new Ending(speaker, fewest);
    this.toasting = 0;
    this.refusing = false; // whether the toast is about the player's own turn
    this.running = 0; // the deal that is played while an earlier one is shown
    this.opening = () => false; // whether the first card still waits for calls
    this.counted = () => {}; // the count of a deal is closed
    this.count = byId("count");
    this.chronicle = new Log(byId("log"), byId("table").dataset.socket ?? "");
    this.sheet = new Points(speaker, deals);
    this.latest = new Latest();
    this.fading = 0;
    byId("count-close").addEventListener("click", () => this.closeCount());
  }

  /** @param {View} view */
  draw(view) {
    this.drawStage(view);
    this.drawScore(view);
    byId("leave").hidden = view.seat === null || view.status !== "playing";
    byId("spectating").hidden = view.seat !== null || view.late;
    byId("late").hidden = !view.late;
    this.drawTurn(view);
    this.drawWaiting(view);
    this.sheet.draw(view, this.order(view));
  }

  /** The points of the finished deals; partners read "noi" and "loro", as on a score sheet. @param {View} view */
  drawScore(view) {
    const [own, other] = this.order(view);
    const pair = view.seat !== null && view.seats.length > 2;
    /** @param {number} line @param {string} short */
    const name = (line, short) => {
      const names = this.speaker.line(view, line);
      return pair
        ? make(
            "span",
            { class: "score-name", title: names },
            make("span", { "aria-hidden": "true" }, this.speaker.words[short]),
            make("span", { class: "visually-hidden" }, names),
          )
        : make("span", { class: "score-name", title: names }, names);
    };
    byId("score").replaceChildren(
      name(own, "score-us"),
      this.credited(view, own),
      make("strong", { class: "score-points", "data-line": String(own) }, String(view.score[own])),
      make("span", { "aria-hidden": "true" }, "–"),
      make("strong", { class: "score-points", "data-line": String(other) }, String(view.score[other])),
      this.credited(view, other),
      name(other, "score-them"),
    );
  }

  /** Points that calls have brought a line in this deal, "" if none. @param {View} view @param {number} line */
  credited(view, line) {
    const points = view.status === "playing" ? view.credited[line] : 0;
    if (!points) return "";
    const words = this.speaker.say("credited", { n: points });
    return make(
      "span",
      { class: "score-credited", "data-line": String(line), title: words },
      make("span", { "aria-hidden": "true" }, `+${points}`),
      make("span", { class: "visually-hidden" }, words),
    );
  }

  /**
   * A finished match shows no deal: its last stays written, or takes the place of the one that was shown late.
   * @param {View} view
   */
  drawStage(view) {
    const { deal, late, length, previous } = view;
    if (late) this.running = deal ? deal.number + 1 : missing(view).length ? 0 : 1;
    else if (deal) this.running = 0;
    if (deal || !byId("stage").textContent) write(byId("stage"), this.stage(view));
    else if (view.status === "finished" && this.running) {
      const number = Math.max(this.running, previous?.number ?? 0);
      const ended = { number, dealer: 0, tie_break: Math.max(0, number - (length.deals ?? number)) };
      write(byId("stage"), this.stage({ ...view, deal: ended }));
    }
  }

  /** How far the match has come. @param {View} view */
  stage(view) {
    const { deal, length } = view;
    const { speaker } = this;
    const goal = length.points
      ? speaker.say(length.points === 1 ? "target-one" : "target", { n: length.points })
      : length.deals && !deal
        ? speaker.say(length.deals === 1 ? "in-one-deal" : "in-deals", { n: length.deals })
        : "";
    if (!deal) return goal;
    const stage = deal.tie_break
      ? speaker.say("tie-break", { n: deal.tie_break })
      : length.deals
        ? speaker.say("deal-of", { n: deal.number, m: length.deals })
        : speaker.say("deal", { n: deal.number });
    return [stage, deal.redealt ? speaker.words.redealt : "", goal].filter(Boolean).join(" · ");
  }

  /** @param {View} view */
  drawTurn(view) {
    const text =
      view.paused !== null
        ? this.speaker.words.paused
        : view.status !== "playing" || view.turn === null
          ? ""
          : this.turn(view, view.turn);
    const [whose, how] = text.split(/(?=: )/);
    if (byId("turn").textContent !== text)
      byId("turn").replaceChildren(whose, ...(how ? [make("span", { class: "turn-more" }, how)] : []));
    const mine = this.mine(view) && !this.opening();
    set(byId("turn"), { "data-mine": mine });
    const led = view.barred.some(([, code]) => code === "must_follow_suit") ? view.table[0]?.card[1] : undefined;
    write(byId("follow"), mine && led ? this.speaker.say("follow", { suit: this.speaker.words[`suit-${led}`] }) : "");
    this.latest.draw(mine ? text : "");
  }

  /** Whether the viewer is to play, the morto's cards included. @param {View} view */
  mine(view) {
    if (view.seat === null || view.turn === null || view.status !== "playing" || view.paused !== null) return false;
    return view.turn === view.seat || view.seats[view.turn].of === view.seat;
  }

  /** Whose turn it is, in words. @param {View} view @param {number} seat */
  turn(view, seat) {
    const of = view.seats[seat].of;
    if (this.opening()) return this.speaker.about(view, seat, "open");
    if (of !== undefined)
      return of === view.seat
        ? this.speaker.words["your-morto-turn"]
        : this.speaker.say("morto-turn", { name: this.speaker.seat(view, of) });
    const morto = view.seats.some((info) => info.of === seat);
    if (seat === view.seat) return this.speaker.words[morto ? "your-own-turn" : "your-turn"];
    return this.speaker.say("their-turn", { name: this.speaker.seat(view, seat) });
  }

  /** @param {View} view */
  drawWaiting(view) {
    byId("waiting").hidden = view.status !== "waiting";
    if (view.status !== "waiting") return;
    const { words } = this.speaker;
    const names = missing(view)
      .map((seat) => this.speaker.name(view, seat))
      .join(", ");
    const later = view.late && !names; // it waits for nobody: its first deal is being played
    write(byId("waiting-title"), words[later ? "watching-late" : "table-open"]);
    write(
      byId("waiting-text"),
      names ? this.speaker.say("waiting-for", { names }) : words[later ? "first-deal" : "about-to-start"],
    );
    byId("waiting-limit").hidden = view.clock.noshow === null || !names;
  }

  /** The count of the deal just finished, point by point. @param {View} view @param {Previous} previous */
  openCount(view, previous) {
    write(byId("count-title"), this.speaker.say("deal-over", { n: previous.number }));
    byId("count-body").replaceChildren(this.counting.table(view, previous, this.order(view), view.score));
    byId("count-body").scrollTop = 0;
    this.stay();
    this.count.hidden = false;
    this.log(`${this.speaker.say("deal-over", { n: previous.number })} ${this.points(view, previous.points)}`);
  }

  /** Its time is over. Who is about to press its button must not press the card beneath it instead. */
  fadeCount() {
    this.count.dataset.fading = "";
    this.fading = window.setTimeout(() => this.closeCount(), COUNT_FADES);
  }

  closeCount() {
    this.stay();
    this.count.hidden = true;
    this.counted();
  }

  /** It fades no more. */
  stay() {
    clearTimeout(this.fading);
    delete this.count.dataset.fading;
  }

  /** The lines, the player's own first. @param {View} view */
  order(view) {
    const own =
      view.seat === null ? 0 : view.lines.findIndex((seats) => seats.includes(/** @type {number} */ (view.seat)));
    return [own, 1 - own];
  }

  /** @param {View} view @param {number[]} points */
  points(view, points) {
    return this.order(view)
      .map((line) => `${this.speaker.line(view, line)}\u00a0${points[line]}`)
      .join(" – ");
  }

  /**
   * The end of the match.
   * @param {View} view
   * @returns {string} how it ended for the viewer: won, lost, drawn ...; "" where nothing was opened
   */
  openResult(view) {
    const result = view.result;
    if (!result || !byId("result").hidden) return "";
    const key = this.ending.outcome(view, result);
    const title = this.ending.title(view, result, key);
    write(byId("result-title"), title);
    write(byId("result-score"), this.points(view, result.score));
    this.ending.draw(view, result, this.order(view));
    const cards = result.cards ? this.speaker.say("card-points", { points: this.points(view, result.cards) }) : "";
    write(byId("result-cards"), cards);
    byId("result-cards").hidden = !cards;
    const how = this.speaker.words[`decided-${result.decided_by}`];
    const stakes = Math.max(...(result.stakes ?? [1]));
    const worth = stakes > 1 ? this.speaker.say("stakes", { n: stakes }) : "";
    const plain = result.decided_by === "points" ? "" : how; // by points: the figures tell it
    write(
      byId("result-how"),
      plain && result.winner !== null ? `${this.speaker.say("how", { how: plain })} ${worth}`.trim() : worth,
    );
    const call = view.previous?.said?.find((said) => said.verb === result.decided_by);
    if (call)
      byId("result-how").prepend(`${this.speaker.about(view, call.seat, "say", { said: this.speaker.said(call) })} `);
    if (result.both_forfeited || key === result.decided_by) document.querySelector("[data-picture]")?.remove();
    const table = this.counting.worth(view, result, this.order(view));
    byId("result-worth").replaceChildren(...(table ? [table] : []));
    set(byId("result-link"), { href: result.url });
    const analysis = document.getElementById("result-analysis"); // of who played
    if (analysis) set(analysis, { href: analysis.dataset.address, hidden: !result.deciding });
    set(byId("result-replay"), { href: result.deciding?.url ?? result.url, hidden: !result.deciding });
    const rows = byId("result-count");
    rows.replaceChildren(
      ...(view.previous?.rows.length ? [this.counting.table(view, view.previous, this.order(view), result.score)] : []),
    );
    byId("result-detail").hidden = !rows.firstChild;
    this.closeCount();
    byId("result").hidden = false;
    byId("result-body").scrollTop = 0;
    byId("result-title").focus({ preventScroll: true });
    this.log(`${title} ${this.points(view, result.score)}${cards ? `. ${cards}` : ""}`);
    return key;
  }

  /** Why a play isn't made, as long as it is the player's turn. @param {string} words */
  refuse(words) {
    this.toast(words);
    this.refusing = true;
  }

  /** The turn has passed. */
  forget() {
    if (this.refusing) byId("toast").hidden = true;
  }

  /** @param {string} words */
  toast(words) {
    const toast = byId("toast");
    this.refusing = false;
    clearTimeout(this.toasting);
    toast.hidden = false;
    write(byId("toast-text"), "");
    write(byId("toast-text"), words);
    this.toasting = window.setTimeout(() => {
      toast.hidden = true;
    }, TOAST);
  }

  /**
   * What was told of the running deal before this page was opened, where its window doesn't remember it.
   * @param {string[]} told @param {View} view
   */
  recall(told, view) {
    const before = (view.deal?.number ?? 1) - 1;
    this.chronicle.recall(told, before ? this.speaker.say("deal-over", { n: before }) : "");
    this.latest.lines = [];
    for (const words of this.chronicle.lines.slice(-LATEST)) this.latest.add(words);
  }

  /**
   * A line of the chronicle, read aloud politely.
   * @param {string} words
   * @param {boolean} [caption]  shown among the latest moves too
   */
  log(words, caption = true) {
    this.chronicle.add(words);
    if (caption) this.latest.add(words);
  }

  /**
   * What stands there stays the same element while only its words change: somebody may be about to press it.
   * @param {string} words  "" : all is well @param {{label: string, act?: () => void, href?: string}} [way]
   */
  line(words, way) {
    byId("line-state").hidden = !words;
    write(byId("line-words"), words);
    if (!words) return;
    const place = byId("line-way");
    const kind = way?.href ? "A" : way ? "BUTTON" : "";
    if (!way || place.firstElementChild?.tagName !== kind) {
      place.replaceChildren(
        ...(way
          ? [make(way.href ? "a" : "button", { class: "button button-small", type: way.href ? null : "button" })]
          : []),
      );
    }
    const element = /** @type {HTMLElement | null} */ (place.firstElementChild);
    if (!way || !element) return;
    write(element, way.label);
    if (way.href) set(element, { href: way.href });
    element.onclick = way.act ?? null;
  }
}

/** Who hasn't come yet: their seats. @param {View} view */
function missing(view) {
  return view.seats.flatMap((info, seat) => (info.here || info.house || info.of !== undefined ? [] : [seat]));
}
