// @ts-check
/**
 * Which of the listed plays the player means, from the table cards they have picked or hold a card over.
 * Plain functions.
 */

/** @typedef {import("./types.js").LegalMove} LegalMove */

/** The plays that take every picked card, and maybe more. @param {LegalMove[]} moves @param {string[]} picked */
export function remaining(moves, picked) {
  return picked.length ? moves.filter((move) => picked.every((card) => takes(move).includes(card))) : moves;
}

/**
 * The play that takes just the picked cards, if nothing else can still be meant.
 * @param {LegalMove[]} moves
 * @param {string[]} picked
 */
export function complete(moves, picked) {
  const left = remaining(moves, picked);
  return picked.length && left.length === 1 && takes(left[0]).length === picked.length ? left[0] : null;
}

/**
 * The one capture meant by a card held over the table: the only one there is, or the only one with the table card under
 * it.
 * @param {LegalMove[]} moves @param {string | undefined} over
 */
export function meant(moves, over) {
  const taking = capturing(moves);
  if (taking.length === 1) return taking[0];
  const those = taking.filter((move) => over !== undefined && takes(move).includes(over));
  return those.length === 1 ? those[0] : null;
}

/** @param {LegalMove[]} moves */
export function capturing(moves) {
  return moves.filter((move) => takes(move).length);
}

/** Those that only put the card down. @param {LegalMove[]} moves */
export function putting(moves) {
  return moves.filter((move) => !takes(move).length);
}

/** @param {LegalMove} move @returns {string[]} */
export function takes(move) {
  return move.takes ?? [];
}

/** The table cards that any of these plays takes. @param {LegalMove[]} moves */
export function taken(moves) {
  return [...new Set(moves.flatMap(takes))];
}
