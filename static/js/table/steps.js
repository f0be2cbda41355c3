// @ts-check
/**
 * From one view to the next in pictures a person can follow: what was just taken lies on the table for a while before
 * it is swept. It only compares two views; it knows no rule.
 */

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Last} Last */
/** @typedef {import("./types.js").Said} Said */
/** @typedef {import("./types.js").Hand} Hand */
/** @typedef {import("./types.js").TableCard} TableCard */
/** @typedef {import("./types.js").Pile} Pile */
/**
 * @typedef {object} Picture
 * @property {View} view  the newest view: legal plays and clocks are always its
 * @property {Hand[]} hands
 * @property {TableCard[]} table
 * @property {Pile[]} piles
 * @property {number} stock
 * @property {string | null} turned
 * @property {Last | null} shown  what is being taken in this picture
 * @property {Last | null} swept  what leaves the table when this picture is drawn
 * @property {number} hold  ms this picture stays before the next one may come
 */

export const TRICK_PAUSE = 1400; // ms; the server's clock waits 1500 for it

/** Whether a deal was finished between the two. @param {View | null} before @param {View} after */
export function dealEnded(before, after) {
  if (!before?.deal || !after.previous) return false;
  return after.previous.number > (before.previous?.number ?? 0) && after.previous.number >= before.deal.number;
}

/** Whether cards were taken back in training: more are to be played. @param {View} before @param {View} after */
export function takenBack(before, after) {
  if (!after.training || !before.deal || !after.deal || redealt(before, after)) return false;
  if (before.deal.number !== after.deal.number) return after.deal.number < before.deal.number;
  return remaining(after) > remaining(before);
}

/** The cards of the deal that are still to be played. @param {View} view */
function remaining(view) {
  return view.hands.reduce((sum, hand) => sum + hand.count, view.stock);
}

/** Whether the deal that was finished is another than the one shown before. @param {View} before @param {View} after */
export function dealSkipped(before, after) {
  return dealEnded(before, after) && before.deal?.number !== after.previous?.number;
}

/**
 * What was taken or played since `before`, null if nothing new.
 * @param {View | null} before
 * @param {View} after
 * @returns {Last | null}
 */
export function fresh(before, after) {
  if (!before) return null;
  const last = dealEnded(before, after) ? (after.previous?.last ?? null) : after.last;
  return last && JSON.stringify(last) !== JSON.stringify(before.last) ? last : null;
}

/** Whether the cards were void and others were dealt. @param {View} before @param {View} after */
export function redealt(before, after) {
  if (!after.deal?.redealt) return false;
  const window = after.opening?.until;
  return (
    JSON.stringify(before.deal) !== JSON.stringify(after.deal) ||
    (window !== undefined && window !== before.opening?.until)
  );
}

/**
 * What was called since `before`, of what may be read: in the deal that is over since, and in the one that runs.
 * @param {View} before @param {View} after @returns {{ended: Said[], running: Said[]}}
 */
export function newlySaid(before, after) {
  if (dealEnded(before, after)) {
    const said = dealSkipped(before, after) ? [] : before.said;
    return { ended: added(said, after.previous?.said ?? []), running: after.said };
  }
  const same = before.deal?.number === after.deal?.number && !redealt(before, after);
  return { ended: [], running: added(same ? before.said : [], after.said) };
}

/** Those at the end of `now` that weren't among the ones before. @param {Said[]} before @param {Said[]} now */
function added(before, now) {
  const old = before.map((said) => JSON.stringify(said));
  const texts = now.map((said) => JSON.stringify(said));
  let kept = texts.length;
  while (kept && !within(texts.slice(0, kept), old)) kept--;
  return now.slice(kept);
}

/** Whether all of `some` stand in `all`, in that order. @param {string[]} some @param {string[]} all */
function within(some, all) {
  let found = 0;
  for (const each of all) if (each === some[found]) found++;
  return found === some.length;
}

/** @param {View} view @returns {Picture} */
function still(view) {
  return {
    view,
    hands: view.hands,
    table: view.table,
    piles: view.piles,
    stock: view.stock,
    turned: view.turned,
    shown: null,
    swept: null,
    hold: 0,
  };
}

/**
 * The pictures to show one after the other; the last is the view itself.
 * @param {View | null} before
 * @param {View} after
 * @returns {Picture[]}
 */
export function pictures(before, after) {
  const last = fresh(before, after);
  const end = still(after);
  if (!before || !last || last.taker === null || dealSkipped(before, after)) return [end];
  const lying = new Set(before.table.map((card) => card.card));
  const played = last.cards.filter((card) => !lying.has(card.card));
  const hands = before.hands.map((hand, seat) =>
    without(
      hand,
      played.filter((card) => card.seat === seat).map((card) => card.card),
    ),
  );
  end.swept = last;
  return [
    {
      ...end,
      hands,
      table: [...before.table, ...played.map((card) => (last.takes.length ? { ...card, seat: null } : card))],
      piles: before.piles,
      stock: before.stock,
      turned: before.turned,
      shown: last,
      swept: null,
      hold: TRICK_PAUSE,
    },
    end,
  ];
}

/**
 * The end of a deal as a view of its own: its last trick lies there, it is nobody's turn, the score is the one before
 * the count. Null if nothing was taken that could lie there.
 * @param {View | null} before
 * @param {View} after  the deal was finished between the two
 * @returns {{view: View, picture: Picture} | null}
 */
export function dealsEnd(before, after) {
  if (!before || !dealEnded(before, after)) return null;
  const [picture, ...more] = pictures(before, after);
  if (!more.length) return null;
  const view = {
    ...before,
    v: after.v,
    now: after.now,
    seats: after.seats,
    away: after.away,
    turn: null,
    legal: [],
    barred: [],
    opening: null,
    clock: { ...after.clock, from: null, ends: null },
    hands: picture.hands,
    table: picture.table,
    last: picture.shown,
    said: after.previous?.said ?? before.said,
  };
  return { view, picture: { ...picture, view } };
}

/** @param {Hand} hand @param {string[]} played @returns {Hand} */
function without(hand, played) {
  return { count: hand.count - played.length, cards: hand.cards.filter((card) => !played.includes(card)) };
}
