// @ts-check
/** Words for people: fills the server's sentences with names, cards and times. Decides nothing. */

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Last} Last */
/** @typedef {import("./types.js").LegalMove} LegalMove */
/** @typedef {import("./types.js").Words} Words */

export class Speaker {
  /** @param {Words} words */
  constructor(words) {
    this.words = words;
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
    const named = cards.map((card) => this.card(card));
    if (named.length < 2) return named.join("");
    return this.say("and", { first: named.slice(0, -1).join(", "), last: named[named.length - 1] });
  }

  /** The full label of a play: "Gioca Asso di coppe: prende Asso di denari". @param {LegalMove} move */
  move(move) {
    if (!move.card) return move.label ?? move.move;
    if (!move.takes?.length) return this.say("play", { card: this.card(move.card) });
    return this.say("play-takes", { card: this.card(move.card), taken: this.cards(move.takes) });
  }

  /** @param {View} view @param {number | null} seat */
  name(view, seat) {
    if (seat === null) return "";
    return seat === view.seat ? this.words.you : (view.seats[seat]?.name ?? "");
  }

  /** The names of a line. @param {View} view @param {number} line */
  line(view, line) {
    const names = view.lines[line].map((seat) => view.seats[seat]?.name ?? "");
    return names.length > 1 ? this.say("and", { first: names.slice(0, -1).join(", "), last: names[names.length - 1] }) : names[0];
  }

  /** What somebody just played. @param {View} view @param {number} seat @param {string} card @param {string[]} takes @param {boolean} scopa */
  played(view, seat, card, takes, scopa) {
    const mine = seat === view.seat;
    const values = { name: view.seats[seat]?.name ?? "", card: this.card(card), taken: this.cards(takes) };
    const sentence = this.say(`${mine ? "you" : "they"}-${takes.length ? "take" : "play"}`, values);
    return scopa ? `${sentence} ${this.words.scopa}` : sentence;
  }
}

/** Milliseconds as m:ss, never negative, rounded up so that 0:00 means over. @param {number} ms */
export function clockText(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
