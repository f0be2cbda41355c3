// @ts-check
/**
 * Decks, dealers, lots and commitments from a secret, as docs/rules/fair-deals.md has them, worked out by the reader's
 * own browser. It asks no server and knows no rule of a game.
 */

import { hmac, sha256 } from "./sha256.js";

/** @typedef {{scheme: string, scope: string, commitment: string, nonces: string[], secret: string, dealer: string}}
 *   Shuffle  of a record */
/** @typedef {{players: number, first_dealer: number, deals: {deck: string}[], shuffle?: Shuffle}} MatchRecord */
/** @typedef {{scheme: string, scope: string, commitment: string, secret: string, number: number, seeding: string,
 *   numbers: number[], parted?: number[][], swapped: number[][], lot: string,
 *   partners?: Partners | null}} TournamentDraw */
/** @typedef {{way: string, people: string[], pairs: number[][], out: number, strengths: (number | null)[],
 *   sides: string[], tied: number[][]}} Partners  pairs that were drawn, in numbers of the list of people, from 1 */

const SCHEME = "smazzata-1";
const CARDS = [..."dcbs"].flatMap((suit) => [..."A234567FCR"].map((rank) => rank + suit));
const NUMBERS = 2 ** 16;
const LOT_BYTES = 16;

/** @param {string} scope @param {string} secret  in hex @returns {Promise<string>} */
export async function commit(scope, secret) {
  return toHex(await sha256(Uint8Array.of(...encode("commit", scope), 0, ...fromHex(secret))));
}

/** @param {string} nonce  in hex @returns {Promise<string>} */
export async function hashNonce(nonce) {
  return toHex(await sha256(fromHex(nonce)));
}

/** The names of the cards of a deal, the top one first. @param {Shuffle} shuffle @param {number} deal  from 0 */
export async function shuffleDeck(shuffle, deal) {
  return mix(CARDS, new Numbers(shuffle.secret, "deal", shuffle.scope, String(deal), shuffle.nonces.join(",")));
}

/** What `things` are in the order that a stream gives them. @template T @param {T[]} things @param {Numbers} numbers */
async function mix(things, numbers) {
  const mixed = [...things];
  for (let last = mixed.length - 1; last > 0; last--) {
    const place = await numbers.below(last + 1);
    [mixed[last], mixed[place]] = [mixed[place], mixed[last]];
  }
  return mixed;
}

/** The seat of the first dealer. @param {Shuffle} shuffle @param {number} hands */
export async function drawDealer(shuffle, hands) {
  return new Numbers(shuffle.secret, "dealer", shuffle.scope, shuffle.nonces.join(",")).below(hands);
}

/**
 * What in a record doesn't come from the secret it names: "commitment", "dealer", or the number of a deal, from 0.
 * @param {MatchRecord} record @returns {Promise<(string | number)[]>}
 */
export async function findMismatches(record) {
  const shuffle = record.shuffle;
  if (!shuffle || shuffle.scheme !== SCHEME) return ["scheme"];
  /** @type {(string | number)[]} */
  const wrong = [];
  if ((await commit(shuffle.scope, shuffle.secret)) !== shuffle.commitment) wrong.push("commitment");
  const hands = record.players === 3 ? 4 : record.players;
  if (shuffle.dealer === "drawn" && (await drawDealer(shuffle, hands)) !== record.first_dealer) wrong.push("dealer");
  for (const [number, deal] of record.deals.entries())
    if ((await shuffleDeck(shuffle, number)).join(" ") !== deal.deck) wrong.push(number);
  return wrong;
}

/** The lots of that draw: entries by their numbers in the list, and the lot. @param {TournamentDraw} draw */
export async function drawLots({ secret, scope, number, numbers }) {
  const listed = numbers.map((_, place) => place + 1);
  const order = await mix(listed, new Numbers(secret, "seeds", scope, String(number), ""));
  const block = await hmac(fromHex(secret), encode("lot", scope, String(number), "", "0"));
  return { order, lot: toHex(block.slice(0, LOT_BYTES)) };
}

/**
 * The pairs that a draw makes of people who entered alone (EV2), by their numbers, in the order of the list.
 * @param {TournamentDraw} draw @param {Partners} partners
 */
export async function drawPairs({ secret, scope, number }, { way, people, out, strengths, sides, tied }) {
  const settled = new Set([out, ...tied.flat()]);
  const listed = people.map((_, place) => place + 1);
  const order = await mix(listed, new Numbers(secret, "pairs", scope, String(number), ""));
  const drawn = order.filter((one) => !settled.has(one));
  let first = drawn.filter((_, place) => place % 2 === 0);
  let second = drawn.filter((_, place) => place % 2 === 1);
  if (way === "strength") {
    /** @param {number} one */
    const at = (one) => strengths[one - 1];
    const known = drawn.filter((one) => at(one) !== null).sort((one, other) => Number(at(one)) - Number(at(other)));
    const middle = (known.length + 1) >> 1;
    const ranked = [...known.slice(0, middle), ...drawn.filter((one) => at(one) === null), ...known.slice(middle)];
    first = ranked.slice(0, ranked.length / 2);
    second = drawn.filter((one) => !first.includes(one));
  } else if (way === "lists") {
    const a = drawn.filter((one) => sides[one - 1] === "A");
    const b = drawn.filter((one) => sides[one - 1] === "B");
    for (const one of drawn.filter((one) => !sides[one - 1])) (b.length < a.length ? b : a).push(one);
    const short = Math.min(a.length, b.length);
    const left = [...a.slice(short), ...b.slice(short)];
    first = [...a.slice(0, short), ...left.filter((_, place) => place % 2 === 0)];
    second = [...b.slice(0, short), ...left.filter((_, place) => place % 2 === 1)];
  }
  return [...tied, ...first.map((one, place) => [one, second[place]])]
    .map((pair) => [Math.min(...pair), Math.max(...pair)])
    .sort((one, other) => one[0] - other[0]);
}

/** The numbers of pairs, in the organiser's order of their people. @param {number[][]} pairs */
function orderByPlaces(pairs) {
  const numbers = pairs.map((_, place) => place + 1);
  /** @param {number} number */
  const worth = (number) => pairs[number - 1][0] + pairs[number - 1][1];
  return numbers.sort((one, other) => worth(one) - worth(other) || pairs[one - 1][0] - pairs[other - 1][0]);
}

/**
 * What of a tournament's draw doesn't come from the secret it names: "commitment", "lot", "pairs" or "order". Seeds
 * that levels or a circuit give aren't compared: the lots part those who are level there.
 * @param {TournamentDraw} draw @returns {Promise<string[]>}
 */
export async function findDrawMismatches(draw) {
  if (draw.scheme !== SCHEME) return ["scheme"];
  const wrong = [];
  const { order, lot } = await drawLots(draw);
  if ((await commit(draw.scope, draw.secret)) !== draw.commitment) wrong.push("commitment");
  if (lot !== draw.lot) wrong.push("lot");
  const partners = draw.partners;
  if (partners && (await drawPairs(draw, partners)).join() !== partners.pairs.join()) wrong.push("pairs");
  const listed = [...order].sort((one, other) => one - other);
  const own = partners ? orderByPlaces(partners.pairs) : listed;
  const seeds = draw.seeding === "organiser" ? own : order;
  for (const [one, other] of [...(draw.parted ?? []), ...draw.swapped]) {
    const places = [seeds.indexOf(one), seeds.indexOf(other)];
    [seeds[places[0]], seeds[places[1]]] = [other, one];
  }
  if (["lot", "organiser"].includes(draw.seeding) && seeds.join() !== draw.numbers.join()) wrong.push("order");
  return wrong;
}

/** A stream of numbers, each pair of bytes of the blocks one. */
class Numbers {
  /** @param {string} secret  in hex @param {...string} parts */
  constructor(secret, ...parts) {
    this.secret = fromHex(secret);
    this.parts = parts;
    this.block = 0;
    /** @type {number[]} */
    this.waiting = [];
  }

  /** A number below `sides`, each as likely: those that would favour some are passed over. @param {number} sides */
  async below(sides) {
    for (;;) {
      if (!this.waiting.length) {
        const block = await hmac(this.secret, encode(...this.parts, String(this.block++)));
        for (let at = 0; at < block.length; at += 2) this.waiting.push(block[at] * 256 + block[at + 1]);
      }
      const number = /** @type {number} */ (this.waiting.shift());
      if (number < NUMBERS - (NUMBERS % sides)) return number % sides;
    }
  }
}

/** @param {...string} parts */
function encode(...parts) {
  return new TextEncoder().encode([SCHEME, ...parts].join("\0"));
}

/** @param {Uint8Array} bytes */
export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} hex */
function fromHex(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
