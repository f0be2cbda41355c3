// @ts-check
/**
 * The frames of docs/protocol.md, as types only. Nothing here runs.
 *
 * @typedef {{name: string, house: boolean, here: boolean}} SeatInfo
 * @typedef {{count: number, cards: string[]}} Hand  cards: those this viewer may see
 * @typedef {{card: string, seat: number | null}} TableCard
 * @typedef {{cards: number, tricks: number, scope: number}} Pile
 * @typedef {{cards: TableCard[], takes: string[], taker: number | null, scopa: boolean, drawn: TableCard[]}} Last
 * @typedef {{move: string, card?: string, takes?: string[], label?: string}} LegalMove
 * @typedef {{code: string, values: number[], points: number[]}} CountRow
 * @typedef {{number: number, dealer: number, points: number[], rows: CountRow[], last: Last | null}} Previous
 * @typedef {{winner: number | null, decided_by: string, score: number[], margin: number, url: string}} Result
 * @typedef {{from: number | null, ends: number | null, left: number[] | null, noshow: number | null}} Clock
 *
 * @typedef {{n: number, seat: number, text: string, at: number}} ChatLine
 *
 * @typedef {object} View
 * @property {number} v  the match's version
 * @property {number} now  server time, ms since the epoch
 * @property {number | null} seat  the viewer's seat, null for a spectator
 * @property {"waiting" | "playing" | "finished"} status
 * @property {string} ruleset
 * @property {number} players
 * @property {number[][]} lines  the seats of each line
 * @property {SeatInfo[]} seats
 * @property {{deals?: number, points?: number}} length
 * @property {"free" | "ko" | "round_robin"} context
 * @property {boolean} chat  whether players may talk now
 * @property {{number: number, dealer: number, tie_break: number} | null} deal
 * @property {number[]} score
 * @property {number | null} turn
 * @property {Clock} clock
 * @property {Hand[]} hands
 * @property {TableCard[]} table
 * @property {number} stock
 * @property {string | null} turned  the card turned up for the whole deal; under the stock while there is one
 * @property {Pile[]} piles
 * @property {Last | null} last
 * @property {LegalMove[]} legal
 * @property {Previous | null} previous
 * @property {Result | null} result
 *
 * @typedef {Record<string, string>} Words  what people read, from the server's catalogue
 * @typedef {{socket: string, deck: string, back: string, login: string}} Config
 */
export {};
