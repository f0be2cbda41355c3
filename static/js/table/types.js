// @ts-check
/**
 * The frames of docs/protocol.md, as types only. Nothing here runs.
 *
 * @typedef {{name: string | null, house: boolean, here: boolean, of?: number}} SeatInfo  of: the seat that plays this
 *   one (the morto)
 * @typedef {{count: number, cards: string[]}} Hand  cards: those this viewer may see
 * @typedef {{card: string, seat: number | null}} TableCard
 * @typedef {{cards: number, tricks: number, scope: number}} Pile
 * @typedef {{cards: TableCard[], takes: string[], taker: number | null, scopa: boolean, drawn: TableCard[]}} Last
 * @typedef {{move: string, seat?: number, verb?: string, arg?: string, card?: string, takes?: string[], goes_with?:
 *   string[], label?: string}} LegalMove
 * @typedef {{code: string, instead: string, cards: string[], n: number, total: number}} Why  a card is better than
 *   `instead`
 * @typedef {{seat: number, verb: string, arg: string, cards: string[], held: number, trick: number, place: number}}
 *   Said  trick, place: where in the deal it was said
 * @typedef {{code: string, values: number[], points: number[], cards?: string[][]}} CountRow
 * @typedef {{number: number, dealer: number, points: number[], rows: CountRow[], last: Last | null, said?: Said[]}}
 *   Previous
 * @typedef {{winner: number | null, decided_by: string, score: number[], cards?: number[] | null, margin: number,
 *   stakes?: number[], mp?: number[] | null, vp?: number[] | null, both_forfeited?: boolean, url: string, deciding?:
 *   {number: number, gain: number, url: string} | null}} Result  cards: their points, where the score counts deals;
 *   deciding: the deal that decided it, and how many points it was won by
 * @typedef {{from: number | null, ends: number | null, extra: number, left: (number | null)[] | null, noshow: number |
 *   null}} Clock
 *
 * @typedef {{n: number, seat: number | null, name: string | null, text: string, phrase: string | null, at: number}}
 *   ChatLine  name: of whoever watches
 *
 * @typedef {{scope: string, commitment: string, shared: boolean, stage: "hashes" | "nonces" | "fixed", hashes:
 *   string[], nonces: string[]}} ShuffleInfo  one of the last two for each player, in the order of seats; shared: all
 *   tables of a round have these cards, and the nonces are the tournament's
 *
 * @typedef {Pick<View, "table" | "turned" | "piles" | "last" | "said">} Moment
 * @typedef {{deals: number[][], moments: Moment[]}} Past  the points by line of deals that are over, and the running
 *   one move by move, as everybody saw it
 *
 * @typedef {object} View
 * @property {number} v  the match's version
 * @property {number} now  server time, ms since the epoch
 * @property {number | null} seat  the viewer's seat, null for a spectator
 * @property {boolean} late  the deal before the running one is shown, to whoever may not see this one yet
 * @property {"waiting" | "playing" | "finished"} status
 * @property {string} ruleset
 * @property {number} players
 * @property {number[][]} lines  the seats of each line
 * @property {SeatInfo[]} seats
 * @property {{deals?: number, points?: number}} length
 * @property {"free" | "ko" | "round_robin"} context
 * @property {"loses" | "house"} absence  what becomes of whoever is absent
 * @property {number[]} away  the seats the house plays for whoever is absent
 * @property {number[]} beginners  the seats whose first turn is yet to come, and longer
 * @property {boolean} training  alone against the house, with hints and taking back
 * @property {boolean} chat  whether players may talk now
 * @property {{number: number, dealer: number, tie_break: number, redealt?: {seat: number | null} | null} | null} deal
 *   redealt: the cards before were void, and who asked
 * @property {number[]} score
 * @property {number | null} turn
 * @property {Clock} clock
 * @property {number | null} paused  since when a referee holds the clocks
 * @property {Hand[]} hands
 * @property {TableCard[]} table
 * @property {number} stock
 * @property {string | null} turned  the card turned up for the whole deal; under the stock while there is one
 * @property {Pile[]} piles
 * @property {Last | null} last
 * @property {LegalMove[]} legal
 * @property {[string, string][]} barred  cards of the hand to play from that can't just be put down, and the code of
 *   the reason
 * @property {string[]} automatic  the calls the server makes for the viewer
 * @property {Said[]} said  what was called and may still be read
 * @property {number[]} credited  points calls have brought each line in this deal
 * @property {string[]} seen  carte viste: cards of earlier tricks
 * @property {{until: number} | null} opening  the calls before the first card, which waits for them
 * @property {Previous | null} previous
 * @property {ShuffleInfo | null} shuffle  where the cards come from
 * @property {Result | null} result
 *
 * @typedef {Record<string, string>} Words  what people read, from the server's catalogue
 * @typedef {{deck: string, indices: boolean, one_click: boolean, second_tap: string, sound: boolean, vibration:
 *   boolean, theme: string}} Preferences  the player's own
 * @typedef {Record<string, {sprite: string, words: Words}>} Decks  where each is drawn, and the words that are others
 *   with it
 * @typedef {{words: Words, preferences: Preferences, decks: Decks, beginner?: boolean, fewest?: boolean,
 *   faces?: import("./faces.js").SeatedFaces}} Client  what the page gives its script; fewest: fewer points are better;
 *   faces: of those who sit there
 */
export {};
