// @ts-check
/**
 * What happened between two views, in words and in the order of play: cards, calls, tricks, draws, void deals.
 *
 * A card is ordered by its trick and its place in it, a call by the trick and place it was made at. It knows no rule.
 */

import { dealEnded, dealSkipped, fresh, newlySaid, redealt } from "./steps.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Said} Said */
/** @typedef {import("./words.js").Speaker} Speaker */
/**
 * @typedef {{deal: number, trick: number, place: number, words: string}} Happened  deal: 0 for the one that is over, 1
 *   for the running one
 */

const CALL = 0.5; // before the card that has its place

/** @param {View} before @param {View} after @param {Speaker} speaker @returns {string[]} */
export function happened(before, after, speaker) {
  const told = [...begun(before, after, speaker), ...absences(before, after, speaker)];
  const found = [...calls(before, after, speaker), ...plays(before, after, speaker)];
  found.sort((one, other) => one.deal - other.deal || one.trick - other.trick || one.place - other.place);
  const turned =
    after.turned && after.deal?.number !== before.deal?.number
      ? [speaker.say("turned", { card: speaker.card(after.turned) })]
      : [];
  const words = (/** @type {number} */ deal) => found.filter((each) => each.deal === deal).map((each) => each.words);
  return [...words(0), ...told, ...turned, ...words(1)];
}

/**
 * The deal that is being played, as it was told to whoever was there from its beginning.
 * @param {import("./types.js").Moment[]} moments @param {View} now @param {Speaker} speaker @returns {string[]}
 */
export function recount(moments, now, speaker) {
  const views = moments.map((moment) => ({ ...now, ...moment }));
  const turned = views[0]?.turned;
  const told = views.slice(1).flatMap((view, i) => happened(views[i], view, speaker));
  return turned ? [speaker.say("turned", { card: speaker.card(turned) }), ...told] : told;
}

/**
 * How many tricks passed unseen between the two: the ones of which the later view shows nothing.
 * @param {View} before
 * @param {View} after
 */
export function unseen(before, after) {
  if (before.deal?.number !== after.deal?.number || redealt(before, after)) return 0;
  return Math.max(0, tricks(after) - tricks(before) - 1);
}

/** @param {View} before @param {View} after @param {Speaker} speaker */
function* begun(before, after, speaker) {
  if (before.status === "waiting" && after.status === "playing") yield speaker.words["match-begins"];
  if (!redealt(before, after)) return;
  const by = after.deal?.redealt?.seat ?? null;
  yield by === null ? speaker.words["redealt-itself"] : speaker.about(after, by, "redealt");
}

/**
 * For whom the house has begun to play, and who is back.
 * @param {View} before @param {View} after @param {Speaker} speaker
 */
function* absences(before, after, speaker) {
  if (after.status !== "playing") return;
  for (const [seat, info] of after.seats.entries()) {
    const away = after.away.includes(seat);
    if (info.of === undefined && away !== before.away.includes(seat))
      yield speaker.about(after, seat, away ? "away" : "back");
  }
}

/** @param {View} before @param {View} after @param {Speaker} speaker @returns {Happened[]} */
function calls(before, after, speaker) {
  const deal = (/** @type {number} */ which) => (/** @type {Said} */ said) => ({
    deal: which,
    trick: said.trick,
    place: said.place - CALL,
    words: speaker.about(after, said.seat, "say", { said: speaker.said(said) }),
  });
  const { ended, running } = newlySaid(before, after);
  return [...ended.map(deal(0)), ...running.map(deal(1))];
}

/** @param {View} before @param {View} after @param {Speaker} speaker @returns {Happened[]} */
function plays(before, after, speaker) {
  const known = new Set(dealSkipped(before, after) ? [] : before.table.map((card) => card.card));
  const last = fresh(before, after);
  /** @type {Happened[]} */
  const found = [];
  if (last) {
    const over = dealEnded(before, after);
    const deal = over ? 0 : 1;
    const trick = over ? tricks(before) : Math.max(0, tricks(after) - 1);
    last.cards.forEach(({ card, seat }, place) => {
      if (known.has(card) || seat === null) return;
      found.push({ deal, trick, place, words: speaker.played(after, seat, card, last.takes, last.scopa) });
      known.add(card);
    });
    const place = last.cards.length;
    if (place > 1 && last.taker !== null)
      found.push({ deal, trick, place, words: speaker.about(after, last.taker, "win-trick") });
    for (const { card, seat } of last.drawn) {
      if (seat !== null)
        found.push({ deal, trick, place, words: speaker.about(after, seat, "draw", { card: speaker.card(card) }) });
    }
  }
  after.table.forEach(({ card, seat }, place) => {
    if (seat !== null && !known.has(card))
      found.push({ deal: 1, trick: tricks(after), place, words: speaker.played(after, seat, card, [], false) });
  });
  return found;
}

/** The tricks of the deal that are over: the number of the running one. @param {View} view */
function tricks(view) {
  return view.piles.reduce((sum, pile) => sum + pile.tricks, 0);
}
