// @ts-check
/**
 * Draws one picture of the table: seats around it, the cards on it, the hands. It only draws; choosing is choose.js.
 */

import { sorted } from "./cards.js";
import { byId, keyed, make, set, write } from "./dom.js";
import { drawFace, drawSuit } from "./faces.js";
import { arrive, cardIn, leave, places } from "./motion.js";
import { measureCloth, measureHand, watchRoom } from "./room.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").TableCard} TableCard */
/** @typedef {import("./steps.js").Picture} Picture */
/** @typedef {import("./cards.js").Deck} Deck */
/** @typedef {import("./words.js").Speaker} Speaker */

/** Places around the table seen from the bottom; seats go anticlockwise, so the next one sits to the right. */
const AROUND = new Map([
  [2, ["bottom", "top"]],
  [3, ["bottom", "right", "left"]],
  [4, ["bottom", "right", "top", "left"]],
]);
const FEW = 5; // cards in a hand that stand between plate and pile
const SAID_SHOWN = 3; // calls beside a seat; all of them are in the chronicle
const NARROW = 19.9; // rem: narrower than that beside its letters, the table goes one below the other
const DEALING = 1100; // ms in which a deal is dealt at most
const CARD_AFTER = 70; // ms from a card dealt to the next

export class Scene {
  /** @param {Deck} deck @param {Speaker} speaker */
  constructor(deck, speaker) {
    this.deck = deck;
    this.speaker = speaker;
    this.root = byId("table");
    this.seats = byId("seats");
    this.ownSeat = document.getElementById("own-seat") ?? this.seats;
    this.cloth = byId("cloth");
    this.hand = byId("hand");
    this.morto = byId("morto");
    this.rows = [this.morto, this.hand]; // the hands this viewer plays from
    this.layer = byId("flying");
    this.stock = byId("stock");
    /** @type {Map<string, DOMRect>} where a card the player just let go of is */
    this.released = new Map();
    /** @type {number[]} cards in each hand, as drawn last */
    this.counts = [];
    this.dealt = ""; // the deal drawn last
    this.most = { game: "", cards: 0 }; // the most cards that were in a hand of this game
    /** @type {Picture | null} drawn last */
    this.picture = null;
    /** @type {((card: HTMLElement, name: string) => void) | null} makes a card of the player's hand choosable */
    this.dress = null;
    watchRoom(this.cloth);
    /** @type {import("./faces.js").SeatedFaces | undefined} */
    this.faces = undefined;
    this.open = false; // a replay: the hand at the bottom is drawn large even where all are open
  }

  /** The seat whose hand lies in the row at the bottom, null where none does. @param {View} view */
  held(view) {
    return view.seat ?? (this.open ? 0 : null);
  }

  /** @param {View} view @param {number} seat */
  place(view, seat) {
    const bottom = view.seat ?? 0;
    const seats = view.seats.length;
    return (AROUND.get(seats) ?? [])[(seat - bottom + seats) % seats] ?? "top";
  }

  /** @param {Picture} picture */
  draw(picture) {
    const { view } = picture;
    const before = places(this.root);
    for (const [name, place] of this.released) before.set(name, place);
    this.released.clear();
    const fans = new Map(view.seats.map((_, seat) => [seat, this.cardOf(seat)]));
    const dealt = this.dealing(picture);
    const stock = this.stock.hidden ? undefined : cardIn(this.stock);
    this.sweep(picture);
    set(this.root, {
      "data-status": view.status,
      "data-seats": String(view.seats.length),
      "data-turn": view.turn === null || view.status !== "playing" ? "none" : ours(view, view.turn) ? "mine" : "theirs",
      "data-version": String(view.v),
      "data-drawn": true,
      "data-narrow": innerWidth < NARROW * Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
      "data-seat": view.seat === null ? null : String(view.seat),
      "data-hand": this.holdsMany(view) ? "many" : "few",
      "data-cloth": picture.table.length
        ? picture.table.some((card) => card.seat !== null)
          ? "trick"
          : "open"
        : (this.root.dataset.cloth ?? (picture.turned ? "trick" : null)),
    });
    this.drawSeats(picture);
    this.drawStock(picture);
    this.drawCloth(picture, before, fans, stock);
    const other = view.seats.findIndex((info, seat) => info.of !== undefined && ours(view, seat));
    this.morto.hidden = other < 0 || view.status === "waiting";
    this.drawHand(this.morto, picture, other < 0 ? null : other, before, stock, dealt);
    this.hand.hidden = this.held(view) === null;
    set(this.root, {
      "data-morto": !this.morto.hidden,
      "data-handless": this.hand.hidden,
    });
    this.drawHand(this.hand, picture, this.held(view), before, stock, dealt);
    if (dealt) this.deal(picture, dealt);
    this.counts = picture.hands.map((hand) => hand.count);
    this.dealt = dealOf(view);
    this.picture = picture;
  }

  /**
   * Whether hands are long in this game: they stay in the same place down to the last card.
   * @param {View} view
   */
  holdsMany({ ruleset, players, hands, piles, turned }) {
    const game = `${ruleset} ${players}`;
    if (this.most.game !== game) this.most = { game, cards: 0 };
    const tricks = turned ? 0 : piles.reduce((sum, pile) => sum + pile.tricks, 0);
    this.most.cards = Math.max(this.most.cards, ...hands.map((hand) => hand.count), tricks ? FEW + 1 : 0);
    return this.most.cards > FEW;
  }

  /** Somebody's place. @param {number | string | undefined} seat @returns {HTMLElement | null} */
  seatOf(seat) {
    return this.root.querySelector(`.seat[data-seat="${seat}"]`);
  }

  /** The cards are called by other names from now on. */
  rename() {
    for (const said of this.root.querySelectorAll(".seat-said")) said.replaceChildren();
    if (this.picture) this.draw({ ...this.picture, swept: null });
  }

  /**
   * Where a card of somebody's hand is, or their place if none is seen.
   * @param {number} seat
   * @returns {DOMRect | undefined}
   */
  cardOf(seat) {
    const element = this.seatOf(seat);
    return element ? (cardIn(part(element, ".fan")) ?? cardIn(part(element, ".plate"))) : undefined;
  }

  /**
   * How this picture's cards are dealt: to whom first and how fast; null where nobody is dealt any.
   * @param {Picture} picture
   * @returns {{first: number, after: number} | null}
   */
  dealing(picture) {
    const { view, hands } = picture;
    if (!view.deal || view.status !== "playing" || picture.shown) return null;
    const anew = dealOf(view) !== this.dealt;
    const seats = hands.length;
    const more = hands.filter((hand, seat) => hand.count > (anew ? 0 : (this.counts[seat] ?? 0))).length;
    if (more < seats || (anew && this.dealt === "" && (view.last || picture.table.some((card) => card.seat !== null))))
      return null; // a draw, or a deal found half played
    const cards = hands.reduce((sum, hand) => sum + hand.count, 0);
    return { first: (view.deal.dealer + 1) % seats, after: Math.min(CARD_AFTER, DEALING / cards) };
  }

  /**
   * The backs of the others' hands come from the dealer, a card to each in turn.
   * @param {Picture} picture
   * @param {{first: number, after: number}} dealt
   */
  deal(picture, dealt) {
    const seats = picture.hands.length;
    const from = this.dealerPlace(picture.view);
    for (let seat = 0; seat < seats; seat++) {
      const fan = this.seatOf(seat)?.querySelector(".fan");
      const turn = (seat - dealt.first + seats) % seats;
      Array.from(fan?.children ?? []).forEach((card, i) => {
        arrive(card, from, { delay: (i * seats + turn) * dealt.after, duration: 260 });
      });
    }
  }

  /** @param {View} view */
  dealerPlace(view) {
    const dealer = this.seatOf(view.deal?.dealer)?.querySelector(".plate");
    return (dealer && cardIn(dealer)) || this.stockPlace();
  }

  /** What was taken travels to the pile of whoever took it. @param {Picture} picture */
  sweep(picture) {
    const staying = new Set(picture.table.map((card) => card.card));
    const taker = picture.swept?.taker ?? null;
    const line = taker === null ? -1 : picture.view.lines.findIndex((seats) => seats.includes(taker));
    const piles = Array.from(this.root.querySelectorAll(`.pile[data-line="${line}"]`)).filter(
      (each) => each.getBoundingClientRect().width > 0,
    );
    const pile = piles[0] ?? (taker === null ? null : (this.seatOf(taker)?.querySelector(".plate") ?? null));
    let delay = 0;
    for (const element of Array.from(byId("lying").children)) {
      const name = /** @type {HTMLElement} */ (element).dataset.card ?? "";
      if (staying.has(name) || !pile) continue;
      leave(element, pile, this.layer, delay);
      delay += 45;
    }
  }

  /** @param {Picture} picture */
  drawSeats(picture) {
    const { view } = picture;
    const all = view.seats.map((info, seat) => ({ info, seat }));
    const own = (/** @type {{seat: number}} */ { seat }) => this.place(view, seat) === "bottom";
    if (this.ownSeat === this.seats) this.fillSeats(this.seats, all, picture);
    else {
      this.fillSeats(
        this.seats,
        all.filter((each) => !own(each)),
        picture,
      );
      this.fillSeats(this.ownSeat, all.filter(own), picture);
    }
  }

  /**
   * @param {HTMLElement} box
   * @param {{info: import("./types.js").SeatInfo, seat: number}[]} seats
   * @param {Picture} picture
   */
  fillSeats(box, seats, picture) {
    const { view } = picture;
    keyed(
      box,
      seats,
      ({ seat }) => String(seat),
      ({ seat }) => this.makeSeat(view, seat),
      (element, { info, seat }) => {
        const line = view.lines.findIndex((seats) => seats.includes(seat));
        set(element, {
          "data-place": this.place(view, seat),
          "data-to-move": view.turn === seat && view.status === "playing",
          "data-away": !info.here && !info.house && info.of === undefined,
          "data-played-by-house": view.away.includes(seat) && info.of === undefined,
          "data-morto": info.of !== undefined,
          "data-line": String(line),
        });
        const name = part(element, ".seat-name");
        write(name, this.speaker.seat(view, seat));
        set(name, { title: this.speaker.seat(view, seat) });
        part(element, ".seat-you").hidden = seat !== view.seat;
        part(element, ".seat-house").hidden = !info.house;
        part(element, ".seat-partner").hidden = !this.partners(view, seat);
        const substituted = view.away.includes(seat) && info.of === undefined && view.status === "playing";
        part(element, ".seat-substitute").hidden = !substituted;
        part(element, ".seat-away").hidden = substituted || info.here || info.house || info.of !== undefined;
        const beginner = view.beginners.includes(seat) && view.status !== "finished";
        part(element, ".seat-beginner").hidden = !beginner;
        set(element, { "data-beginner": beginner });
        part(element, ".seat-dealer").hidden = view.deal?.dealer !== seat || view.status !== "playing";
        part(element, ".seat-turn").hidden = !(view.turn === seat && view.status === "playing");
        this.drawFan(part(element, ".fan"), view, picture, seat);
        this.drawPile(element, picture, line, seat);
        this.drawSaid(part(element, ".seat-said"), view, seat);
      },
    );
  }

  /** Whether the viewer's partner sits here. @param {View} view @param {number} seat */
  partners(view, seat) {
    const own = view.seat;
    return own !== null && own !== seat && view.lines.some((seats) => seats.includes(own) && seats.includes(seat));
  }

  /** @param {View} view @param {number} seat */
  makeSeat(view, seat) {
    const { words } = this.speaker;
    return make(
      "section",
      { class: "seat", "data-seat": String(seat), "aria-label": this.speaker.seat(view, seat) },
      make(
        "div",
        { class: "plate" },
        make("span", { class: "seat-face", "aria-hidden": "true" }, drawFace(this.faces, seat)),
        make("strong", { class: "seat-name" }),
        make(
          "p",
          { class: "clocks" },
          make("span", { class: "seat-you" }, words["you-mark"]),
          make("span", { class: "seat-turn visually-hidden" }, words["to-move"]),
          make(
            "span",
            { class: "seat-hurry", hidden: true },
            make("span", { "aria-hidden": "true" }, "▲"),
            make("span", { class: "visually-hidden" }, words["hurry-mark"]),
          ),
          make("span", { class: "turn-clock", role: "timer", hidden: true }),
          make("span", { class: "match-clock", role: "timer", hidden: true }),
          make("span", { class: "seat-house", title: words["house-title"] }, words.house),
          make("span", { class: "seat-partner" }, words.partner),
          make("span", { class: "seat-dealer", title: words["dealer-title"] }, words.dealer),
          make("span", { class: "seat-beginner", title: words["beginner-title"] }, words.beginner),
          make("span", { class: "seat-away" }, words.away),
          make("span", { class: "seat-substitute", title: words["house-plays-title"] }, words["house-plays"]),
        ),
        make("span", { class: "turn-bar", "aria-hidden": "true" }, make("span", {})),
      ),
      make("ul", { class: "seat-said", hidden: true, "aria-label": words["said-label"] }),
      make("div", { class: "fan", role: "img" }),
      make("div", { class: "pile", hidden: true }),
    );
  }

  /**
   * The hand of somebody else: backs, or faces where they are open.
   * @param {HTMLElement} fan
   * @param {View} view
   * @param {Picture} picture
   * @param {number} seat
   */
  drawFan(fan, view, picture, seat) {
    const hand = picture.hands[seat] ?? { count: 0, cards: [] };
    const own = ours(view, seat) || seat === this.held(view);
    fan.hidden = own || view.status === "waiting";
    const known = own ? [] : sorted(hand.cards);
    const backs = own ? 0 : Math.max(0, hand.count - known.length);
    const items = [...known, ...Array.from({ length: backs }, (_, i) => `back${i}`)];
    set(fan, {
      "aria-label":
        this.speaker.say("hand-count", { n: hand.count }) + (known.length ? `: ${this.speaker.cards(known)}` : ""),
      "data-count": String(hand.count),
      "data-known": known.length > 0,
    });
    keyed(
      fan,
      items,
      (item) => item,
      (item) => this.deck.lying(item.startsWith("back") ? "back" : item, ""),
      () => undefined,
    );
  }

  /**
   * What a seat has called and may still be read, the newest last.
   * @param {HTMLElement} list
   * @param {View} view
   * @param {number} seat
   */
  drawSaid(list, view, seat) {
    const said = view.status === "waiting" ? [] : view.said.filter((each) => each.seat === seat).slice(-SAID_SHOWN);
    list.hidden = !said.length;
    keyed(
      list,
      said.map((each, i) => ({ each, key: `${i} ${JSON.stringify(each)}` })),
      ({ key }) => key,
      ({ each }) => {
        const suit = this.speaker.suitOf(each);
        return make(
          "li",
          {},
          make("span", { class: "said-words" }, this.speaker.said(each)),
          suit ? make("span", { class: "said-suit" }, ` ${suit}`) : null,
        );
      },
      () => undefined,
    );
  }

  /** @param {HTMLElement} element @param {Picture} picture @param {number} line @param {number} seat */
  drawPile(element, picture, line, seat) {
    const pile = part(element, ".pile");
    if (picture.view.status === "finished") return; // it stays as the last deal left it
    const count = picture.piles[line];
    const keeper = ["bottom", picture.view.seats.length === 2 ? "top" : "right"].includes(
      this.place(picture.view, seat),
    );
    pile.hidden = !keeper || !count || picture.view.status === "waiting";
    if (pile.hidden) return;
    set(pile, { "data-empty": !count.cards });
    pile.dataset.line = String(line);
    if (!pile.firstElementChild) {
      pile.append(
        this.deck.lying("back", ""),
        make("span", { class: "pile-count" }),
        make("span", { class: "pile-scope" }),
      );
    }
    const tricks = count.tricks && !picture.view.turned ? count.tricks : 0;
    const words = tricks
      ? this.speaker.say(tricks === 1 ? "tricks-one" : "tricks", { n: tricks })
      : this.speaker.say("pile", { n: count.cards });
    const written = part(pile, ".pile-count");
    if (written.textContent !== words) written.replaceChildren(...around(words, tricks || count.cards, "pile-words"));
    const scope = part(pile, ".pile-scope");
    scope.hidden = !count.scope;
    write(scope, this.speaker.say(count.scope === 1 ? "scopa-one" : "scope-many", { n: count.scope }));
  }

  /**
   * The stock, and under it the card turned up for the deal, which is still shown once it was drawn.
   * @param {Picture} picture
   */
  drawStock(picture) {
    const { stock, turned } = picture;
    this.stock.hidden = stock === 0 && !turned;
    set(this.cloth, { "data-stock": !this.stock.hidden });
    if (!this.stock.firstElementChild) {
      this.stock.append(
        make("div", { class: "turned" }),
        this.deck.lying("back", ""),
        make("span", { class: "stock-count" }),
      );
    }
    set(this.stock, { "data-turned": Boolean(turned), "data-empty": stock === 0 });
    keyed(
      part(this.stock, ".turned"),
      turned ? [turned] : [],
      (name) => name,
      (name) => this.deck.lying(name, this.speaker.say("turned", { card: this.speaker.card(name) })),
      (card, name) => {
        const label = this.speaker.say("turned", { card: this.speaker.card(name) });
        set(card, { "data-card": stock ? name : null, "aria-label": label, title: label });
      },
    );
    const count = part(this.stock, ".stock-count");
    const words = stock ? this.speaker.say("stock", { n: stock }) : "";
    if (count.title !== words) {
      count.replaceChildren(...(stock ? around(words, stock, "stock-words") : []));
      count.title = words;
    }
    this.drawTrump(turned);
  }

  /** What is trump, as long as it is. @param {string | null} turned */
  drawTrump(turned) {
    for (const badge of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".trump-badge"))) {
      badge.hidden = !turned;
      const suit = turned?.[1] ?? "";
      if (!turned || (badge.dataset.suit === suit && badge.dataset.words === this.speaker.words[`suit-${suit}`]))
        continue;
      const mark = drawSuit(suit);
      const words = this.speaker.say("trump", { suit: this.speaker.words[`suit-${suit}`] });
      badge.replaceChildren(mark, make("span", {}, words));
      set(badge, { "data-suit": suit, "data-words": this.speaker.words[`suit-${suit}`] });
    }
  }

  /**
   * @param {Picture} picture
   * @param {Map<string, DOMRect>} before
   * @param {Map<number, DOMRect | undefined>} fans
   * @param {DOMRect | undefined} stock
   */
  drawCloth(picture, before, fans, stock) {
    const { view } = picture;
    const shown = picture.shown;
    const playedBy = new Map((shown ?? view.last)?.cards.map((card) => [card.card, card.seat]) ?? []);
    const winner = shown?.takes.length === 0 ? shown.cards.find((card) => card.seat === shown.taker)?.card : undefined;
    const taking = new Set(shown?.takes.length ? [...shown.takes, ...shown.cards.map((card) => card.card)] : []);
    /** @type {HTMLElement[]} */
    const arrived = [];
    keyed(
      byId("lying"),
      picture.table,
      (item) => item.card,
      (item) => {
        const card = this.deck.lying(item.card, this.speaker.card(item.card));
        arrived.push(card);
        return card;
      },
      (card, item) =>
        set(card, {
          "aria-label": this.speaker.card(item.card),
          "data-place": item.seat === null ? null : this.place(view, item.seat),
          "data-taking": taking.has(item.card),
          "data-winner": item.card === winner,
          "data-could": null,
          "data-would": null,
        }),
    );
    set(this.cloth, {
      "data-empty": !picture.table.length,
      "data-foreseen": null, // as no card is marked as taken
      "data-scopa": Boolean(shown?.scopa),
      "data-count": String(picture.table.length),
    });
    measureCloth(this.cloth);
    for (const child of Array.from(byId("lying").children)) {
      const card = /** @type {HTMLElement} */ (child);
      const name = card.dataset.card ?? "";
      const index = arrived.indexOf(card);
      const by = playedBy.get(name);
      const from =
        before.get(name) ?? (typeof by === "number" ? fans.get(by) : undefined) ?? (index < 0 ? undefined : stock);
      arrive(card, from, { delay: index > 0 && !before.has(name) ? index * 60 : 0 });
    }
  }

  /**
   * A hand the player plays from; dressed by whoever lets them choose.
   * @param {HTMLElement} hand
   * @param {Picture} picture
   * @param {number | null} seat
   * @param {Map<string, DOMRect>} before
   * @param {DOMRect | undefined} stock
   * @param {{first: number, after: number} | null} dealing
   */
  drawHand(hand, picture, seat, before, stock, dealing) {
    const { view } = picture;
    const cards = seat === null || view.status === "waiting" ? [] : sorted(picture.hands[seat]?.cards ?? []);
    set(hand, {
      "data-count": String(cards.length),
      "data-to-move": seat !== null && view.turn === seat && view.status === "playing",
    });
    measureHand(hand, cards.length);
    let dealt = 0;
    keyed(
      hand,
      cards,
      (name) => name,
      (name) => {
        if (!this.dress) return this.deck.lying(name, this.speaker.card(name)); // nobody chooses here: a replay
        const card = make("button", {
          type: "button",
          class: "card",
          "data-card": name,
          "aria-label": this.speaker.card(name),
        });
        card.append(this.deck.face(name));
        return card;
      },
      (card, name) => this.dress?.(card, name),
    );
    for (const child of Array.from(hand.children)) {
      const card = /** @type {HTMLElement} */ (child);
      const known = before.get(card.dataset.card ?? "");
      if (known) arrive(card, known, { duration: 220 });
      else if (dealing && seat !== null) {
        const seats = picture.hands.length;
        const turn = (seat - dealing.first + seats) % seats;
        arrive(card, this.dealerPlace(view), { delay: (dealt++ * seats + turn) * dealing.after, duration: 300 });
      } else if (this.counts.length) arrive(card, stock ?? this.stockPlace(), { delay: dealt++ * 70 });
    }
  }

  /** Cards come from the middle of the table when no stock lies there. */
  stockPlace() {
    const cloth = this.cloth.getBoundingClientRect();
    return new DOMRect(cloth.left + cloth.width / 2 - 20, cloth.top + cloth.height / 2 - 32, 40, 64);
  }
}

/** What tells a deal from the one before. @param {View} view */
function dealOf(view) {
  return view.deal ? JSON.stringify(view.deal) : "";
}

/** Whether the viewer plays this seat's cards. @param {View} view @param {number} seat */
function ours(view, seat) {
  return view.seat !== null && (seat === view.seat || view.seats[seat]?.of === view.seat);
}

/**
 * A number, and the words around it, which a telephone doesn't show.
 * @param {string} sentence @param {number} n @param {string} name  class of the words
 */
function around(sentence, n, name) {
  const [before, after] = sentence.split(String(n));
  return [make("span", { class: name }, before), String(n), make("span", { class: name }, after)];
}

/** @param {Element} element @param {string} selector @returns {HTMLElement} */
function part(element, selector) {
  return /** @type {HTMLElement} */ (element.querySelector(selector));
}
