// @ts-check
/** The last trick, or the last play of Scopa, looked at again on demand: a button, or the key L at the table. */

import { byId, make, set, write } from "./dom.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Last} Last */
/** @typedef {import("./cards.js").Deck} Deck */
/** @typedef {import("./words.js").Speaker} Speaker */

export class LastTrick {
  /** @param {Deck} deck @param {Speaker} speaker */
  constructor(deck, speaker) {
    this.deck = deck;
    this.speaker = speaker;
    this.panel = byId("last");
    this.opener = byId("last-open");
    this.drawn = "";
    this.again = byId("last-again"); // among the moves, where the bar has no room
    for (const opener of [this.opener, this.again])
      opener.addEventListener("click", () => this.show(Boolean(this.panel.hidden)));
    byId("last-close").addEventListener("click", () => this.show(false));
    byId("table").addEventListener("keydown", (event) => this.pressed(event));
  }

  /** The letter counts only at the table itself, never where something is typed. @param {KeyboardEvent} event */
  pressed(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.key === "Escape" && this.panel.contains(target)) {
      event.stopPropagation();
      this.show(false);
    }
    if (
      event.key.toLowerCase() !== "l" ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      target.closest("input, textarea, dialog")
    )
      return;
    if (this.opener.hidden) return;
    event.preventDefault();
    this.show(Boolean(this.panel.hidden));
  }

  /** @param {boolean} open */
  show(open) {
    this.panel.hidden = !open;
    set(this.opener, { "aria-expanded": String(open) });
    if (open) byId("last-close").focus();
    else if (this.panel.contains(document.activeElement) || document.activeElement === document.body)
      [this.opener, this.again].find((each) => each.checkVisibility())?.focus();
  }

  /** @param {View} view */
  draw(view) {
    const last = view.last ?? (view.status === "waiting" ? null : (view.previous?.last ?? null));
    this.opener.hidden = this.again.hidden = !last;
    const drawn = JSON.stringify(last);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    if (!last) this.panel.hidden = true;
    byId("last-cards").replaceChildren(...(last ? this.cards(view, last) : []));
    write(byId("last-words"), last ? this.words(view, last) : "");
  }

  /** @param {View} view @param {Last} last */
  cards(view, last) {
    const { words } = this.speaker;
    const played = last.cards.map(({ card, seat }) =>
      this.one(
        card,
        seat === null ? "" : this.speaker.seat(view, seat),
        seat !== null && seat === last.taker && last.cards.length > 1 ? words["took-it"] : "",
      ),
    );
    const takes = last.takes.map((card) => this.one(card, words.taken, ""));
    const drawn = last.drawn.map(({ card, seat }) =>
      this.one(card, seat === null ? "" : this.speaker.seat(view, seat), words["just-drawn"]),
    );
    return [...played, ...takes, ...drawn];
  }

  /** @param {string} card @param {string} by @param {string} mark */
  one(card, by, mark) {
    const face = make("span", { class: "card", role: "img", "aria-label": this.speaker.card(card) });
    face.append(this.deck.face(card));
    return make(
      "li",
      { "data-mark": Boolean(mark) },
      face,
      make("span", { class: "last-by" }, by),
      mark ? make("strong", { class: "last-mark" }, mark) : null,
    );
  }

  /** @param {View} view @param {Last} last */
  words(view, last) {
    const [first] = last.cards;
    if (last.takes.length && first && first.seat !== null)
      return this.speaker.played(view, first.seat, first.card, last.takes, last.scopa);
    return last.taker === null ? "" : this.speaker.about(view, last.taker, "win-trick");
  }
}
