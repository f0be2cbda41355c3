// @ts-check
/** Words for people: fills the server's sentences with names, cards and times. Decides nothing. */

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Last} Last */
/** @typedef {import("./types.js").LegalMove} LegalMove */
/** @typedef {import("./types.js").Said} Said */
/** @typedef {import("./types.js").Words} Words */

const SUITS = ["d", "c", "b", "s"];

export class Speaker {
  /** @param {Words} words @param {Words} [cards]  other words for cards, with the player's deck */
  constructor(words, cards = {}) {
    this.plain = words;
    this.words = { ...words, ...cards };
  }

  /** The player sees another deck. @param {Words} cards */
  wear(cards) {
    this.words = { ...this.plain, ...cards };
  }

  /**
   * A sentence with its `{name}` places filled.
   * @param {string} key
   * @param {Record<string, string | number>} [values]
   */
  say(key, values = {}) {
    return (this.words[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
  }

  /** @param {string} card  a name of the record: "7d" is "Sette di denari" */
  card(card) {
    return this.say("card", { rank: this.words[`rank-${card[0]}`], suit: this.words[`suit-${card[1]}`] });
  }

  /** @param {string[]} cards */
  cards(cards) {
    return this.list(cards.map((card) => this.card(card)));
  }

  /** The full label of a play: "Gioca Asso di coppe: prende Asso di denari". @param {LegalMove} move */
  move(move) {
    if (!move.card) return move.label ?? this.call(move.verb ?? "", move.arg ?? "") ?? move.move;
    if (!move.takes?.length) return this.say("play", { card: this.card(move.card) });
    return this.say("play-takes", { card: this.card(move.card), taken: this.cards(move.takes) });
  }

  /** @param {View} view @param {number | null} seat */
  name(view, seat) {
    if (seat === null) return "";
    return seat === view.seat ? this.words.you : this.seat(view, seat);
  }

  /** Who sits there; the hand nobody sits at is the morto. @param {View} view @param {number} seat */
  seat(view, seat) {
    const info = view.seats[seat];
    return info?.name ?? (info?.of === undefined ? "" : this.words.morto);
  }

  /**
   * A sentence about a seat: "your-…" for the viewer's, "morto-…" for the hand nobody sits at, "their-…" for the
   * others.
   * @param {View} view @param {number} seat @param {string} what @param {Record<string, string | number>} [values]
   */
  about(view, seat, what, values = {}) {
    const who = seat === view.seat ? "you" : view.seats[seat]?.of === undefined ? "they" : "morto";
    return this.say(`${who}-${what}`, { name: this.seat(view, seat), ...values });
  }

  /** The names of a line. @param {View} view @param {number} line */
  line(view, line) {
    return this.list(view.lines[line].map((seat) => view.seats[seat]?.name ?? "").filter(Boolean));
  }

  /**
   * A combination by its code: "quattro assi", "napoletana di coppe".
   * @param {string} code
   * @param {string[]} [cards]  those named: of three equal ones the suit that is missing is told
   */
  combination(code, cards = []) {
    const [what, suit] = code.split(":");
    const name = this.say(`combination-${what}`, { suit: this.words[`suit-${suit}`] });
    const [many, rank] = what.split("x");
    const suits = cards.filter((card) => card[0] === rank).map((card) => card[1]);
    const missing = SUITS.filter((each) => !suits.includes(each));
    if (!rank || suits.length !== Number(many) || missing.length !== 1) return name;
    return this.say("without", { combination: name, suit: this.words[`suit-${missing[0]}`] });
  }

  /**
   * A call in words, as it is said or as its button reads; undefined for one without words.
   * @param {string} verb
   * @param {string} arg
   * @param {string[]} [cards]  those it names
   * @param {number} [held]  cards of the suit a "Ho" tells
   * @returns {string | undefined}
   */
  call(verb, arg, cards = [], held = 0) {
    const what = arg.split(" ").pop() ?? "";
    if (verb === "accuso")
      return this.say("accuso", {
        combinations: this.list(what.split("+").map((code) => this.combination(code, cards))),
      });
    if (verb === "declare" || verb === "signal") {
      return what
        .split("+")
        .map((part) => (part === "ho" && held ? this.holding(cards, held) : this.words[`${verb}-${part}`]))
        .join(". ");
    }
    return this.words[`call-${verb}`];
  }

  /** "Ho il 3 e l'asso quarti" (T10). @param {string[]} cards @param {number} held */
  holding(cards, held) {
    if (!cards.length) return this.say(held === 1 ? "held-one" : "held-many", { n: held });
    const honours = this.list(cards.map((card) => this.words[`honour-${card[0]}`]));
    return this.say(cards.length === 1 ? `ho-${held}` : `hos-${held}`, { honours });
  }

  /** @param {string[]} names */
  list(names) {
    if (names.length < 2) return names.join("");
    return this.say("and", { first: names.slice(0, -1).join(", "), last: names[names.length - 1] });
  }

  /** The suit a declaration is about, in words, "" for other calls. @param {Said} said */
  suitOf({ verb, arg }) {
    return verb === "declare" ? (this.words[`suit-${arg[0]}`] ?? "") : "";
  }

  /** What was said, in words. @param {Said} said */
  said(said) {
    const named = `named-${said.verb}`;
    if (said.cards.length && this.words[named])
      return this.say(named, { suit: this.words[`suit-${said.cards[0][1]}`] });
    return this.call(said.verb, said.arg, said.cards, said.held) ?? `${said.verb} ${said.arg}`.trim();
  }

  /**
   * What somebody just played; for the viewer who is away the house did.
   * @param {View} view
   * @param {number} seat
   * @param {string} card
   * @param {string[]} takes
   * @param {boolean} scopa
   */
  played(view, seat, card, takes, scopa) {
    const what = takes.length ? "take" : "play";
    const values = { card: this.card(card), taken: this.cards(takes) };
    const forViewer = seat === view.seat && view.away.includes(seat);
    const sentence = forViewer ? this.say(`house-${what}`, values) : this.about(view, seat, what, values);
    return scopa ? `${sentence} ${this.words.scopa}` : sentence;
  }
}

/** Milliseconds as m:ss, never negative, rounded up so that 0:00 means over. @param {number} ms */
export function clockText(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
