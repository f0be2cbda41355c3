// @ts-check
/**
 * *Carte viste*: the cards of earlier tricks, by suit and rank, and what was called. It shows what the server tells.
 */

import { byId, make, set, write } from "./dom.js";
import { RANKS, SUITS } from "./cards.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./cards.js").Deck} Deck */
/** @typedef {import("./words.js").Speaker} Speaker */

export class Seen {
  /** @param {Deck} deck @param {Speaker} speaker */
  constructor(deck, speaker) {
    this.deck = deck;
    this.speaker = speaker;
    this.panel = byId("seen");
    this.opener = byId("seen-open");
    this.drawn = "";
    this.opener.addEventListener("click", () => this.show(Boolean(this.panel.hidden)));
    byId("seen-close").addEventListener("click", () => this.show(false));
    this.panel.addEventListener("keydown", (event) => event.key === "Escape" && this.show(false));
  }

  /** @param {boolean} open */
  show(open) {
    this.panel.hidden = !open;
    this.opener.setAttribute("aria-expanded", String(open));
    (open ? byId("seen-close") : this.opener).focus();
  }

  /** @param {View} view */
  draw(view) {
    if (view.seen.length) this.opener.hidden = false; // from then on; the match is played so
    const drawn = JSON.stringify([view.seen, view.said]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    byId("seen-none").hidden = view.seen.length > 0;
    byId("seen-cards").replaceChildren(...(view.seen.length ? [this.grid(view.seen)] : []));
    byId("seen-said-title").hidden = !view.said.length;
    byId("seen-said").replaceChildren(
      ...view.said.map((said) => {
        const suit = this.speaker.suitOf(said);
        return make(
          "li",
          {},
          make("strong", {}, this.speaker.seat(view, said.seat)),
          `${this.speaker.said(said)}${suit ? ` (${suit})` : ""}`,
        );
      }),
    );
    write(byId("seen-words"), this.speaker.say("seen-short", { n: view.seen.length }));
    set(this.opener, { "aria-label": this.speaker.say("seen", { n: view.seen.length }) });
  }

  /** @param {string[]} seen */
  grid(seen) {
    const { words } = this.speaker;
    const head = make(
      "tr",
      {},
      make("td", {}),
      ...Array.from(RANKS, (rank) => make("th", { scope: "col", "aria-label": words[`rank-${rank}`] }, rank)),
    );
    const rows = Array.from(SUITS, (suit) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, words[`suit-${suit}`]),
        ...Array.from(RANKS, (rank) =>
          make(
            "td",
            {},
            seen.includes(rank + suit)
              ? this.card(rank + suit)
              : make("span", { class: "unseen", "aria-hidden": "true" }),
          ),
        ),
      ),
    );
    return make("table", { class: "seen-grid" }, make("thead", {}, head), make("tbody", {}, ...rows));
  }

  /** A card of the panel, which no card of the table flies from. @param {string} name */
  card(name) {
    const card = make("span", {
      class: "card",
      role: "img",
      "aria-label": this.speaker.card(name),
      title: this.speaker.card(name),
    });
    card.append(this.deck.face(name));
    return card;
  }
}
