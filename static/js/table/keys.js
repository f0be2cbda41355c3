// @ts-check
/**
 * The keyboard at the table: arrows walk through a hand (one stop of the Tab key) and between hand and ghosts, a number
 * takes a card, Escape puts it back, ? tells all this. Enter and Space are the buttons' own. Whose turn begins is at
 * the first card that may be played, unless they are somewhere else; and no key press leads back to the page's body.
 *
 * Letters and numbers count only while a card, a ghost or a call has the focus.
 */

import { byId } from "./dom.js";

const OVER = ".overlay:not([hidden]), .result:not([hidden])"; // what lies over the table

/**
 * @typedef {{choose: (card: string) => void, back: () => boolean}} Actions  back: whether there was something to put
 *   back
 */

export class Keys {
  /**
   * @param {HTMLElement} felt
   * @param {HTMLElement[]} rows  the hands
   * @param {HTMLElement} ghosts
   * @param {Actions} actions
   */
  constructor(felt, rows, ghosts, actions) {
    this.felt = felt;
    this.rows = rows;
    this.ghosts = ghosts;
    this.actions = actions;
    this.help = /** @type {HTMLDialogElement} */ (byId("help-dialog"));
    /** @type {"nothing" | "keys" | "pointer"} what the player used last */
    this.used = matchMedia("(pointer: coarse)").matches ? "pointer" : "nothing";
    felt.dataset.by = this.used;
    /** @type {Map<HTMLElement, number>} where in each hand the focus was last */
    this.at = new Map();
    byId("help-open").addEventListener("click", () => this.openHelp());
    document.addEventListener("keydown", (event) => this.pressed(event));
    for (const type of /** @type {const} */ (["pointerdown", "pointermove"]))
      addEventListener(type, (event) => this.pointed(event), true);
    for (const row of rows) row.addEventListener("focusin", () => this.rove());
  }

  /** @param {PointerEvent} event */
  pointed(event) {
    // a page that changes under a resting mouse makes moves of no distance
    if (event.type === "pointerdown" || event.movementX || event.movementY) this.use("pointer");
  }

  /** The ring round the card with the focus is for those who walk with keys. @param {"keys" | "pointer"} what */
  use(what) {
    if (this.used === what) return;
    this.used = what;
    this.felt.dataset.by = what;
  }

  openHelp() {
    for (const open of document.querySelectorAll("dialog[open]")) /** @type {HTMLDialogElement} */ (open).close();
    this.help.showModal();
  }

  /** One card of each hand can be reached with Tab: the one that has or last had the focus. */
  rove() {
    for (const row of this.rows) {
      const cards = cardsOf(row);
      const focused = cards.indexOf(/** @type {HTMLElement} */ (document.activeElement));
      if (focused >= 0) this.at.set(row, focused);
      const at = Math.min(this.at.get(row) ?? 0, cards.length - 1);
      cards.forEach((card, i) => {
        card.tabIndex = i === at ? 0 : -1;
      });
    }
  }

  /** The hand to play from, or the player's own. */
  get row() {
    return this.rows.find((row) => "toMove" in row.dataset && !row.hidden) ?? this.rows[this.rows.length - 1];
  }

  /** Focus the card a hand was left at. @param {HTMLElement} [row] */
  enter(row = this.row) {
    this.rove();
    const cards = cardsOf(row);
    (cards.find((card) => card.tabIndex === 0) ?? cards[0])?.focus();
    return cards.length > 0;
  }

  /** What had the focus is gone: go on in what lies over the table, or in the hand. */
  recover() {
    this.rove();
    if (this.used !== "keys" || !this.lost) return;
    const over = document.querySelector(OVER);
    const button = /** @type {HTMLElement | null | undefined} */ (over?.querySelector("button"));
    if (button) button.focus({ preventScroll: true });
    else if (!this.enter()) this.row.focus({ preventScroll: true });
  }

  /** The player's turn has begun. Whether it takes the focus along. */
  begin() {
    if (!this.lost || document.querySelector(OVER)) return false;
    const cards = cardsOf(this.row);
    (cards.find((card) => "playable" in card.dataset) ?? cards[0])?.focus({ preventScroll: true });
    this.rove();
    return true;
  }

  /** Whether nothing that could be used has the focus. */
  get lost() {
    const at = /** @type {HTMLElement | null} */ (document.activeElement);
    if (document.querySelector("dialog[open]")) return false;
    return !at || at === document.body || this.rows.includes(at) || !at.getClientRects().length;
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    this.use("keys");
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {HTMLElement} */ (event.target);
    const nowhere = target.contains(this.felt); // the page itself
    const hand = this.rows.find((row) => row.contains(target));
    if (!nowhere && !this.felt.contains(target)) return;
    if (event.repeat && (event.key === "Enter" || event.key === " ") && (hand || this.ghosts.contains(target)))
      event.preventDefault();
    else if (event.key === "Escape" ? this.actions.back() : this.step(event.key, target, hand ?? null, nowhere))
      event.preventDefault();
  }

  /**
   * @param {string} key
   * @param {HTMLElement} target
   * @param {HTMLElement | null} hand
   * @param {boolean} nowhere  nothing has the focus
   */
  step(key, target, hand, nowhere) {
    const row = hand ?? (this.ghosts.contains(target) ? this.ghosts : null);
    if (nowhere) return (key === "ArrowLeft" || key === "ArrowRight") && this.enter();
    if (key === "?") {
      this.openHelp();
      return true;
    }
    if (!row) return false;
    if (/^[0-9]$/.test(key)) return this.number(Number(key) || 10, hand ?? this.row);
    const items = cardsOf(row);
    const at = items.indexOf(target);
    const steps = new Map([
      ["ArrowLeft", at < 0 ? items.length - 1 : at - 1],
      ["ArrowRight", at + 1],
      ["Home", 0],
      ["End", items.length - 1],
    ]);
    const step = steps.get(key);
    if (step !== undefined && items.length) {
      items[(step + items.length) % items.length].focus();
      return true;
    }
    return (key === "ArrowUp" && this.up(hand)) || (key === "ArrowDown" && this.down(hand));
  }

  /** From a hand to the ghosts, or to the morto's hand. @param {HTMLElement | null} hand */
  up(hand) {
    const ghost = hand ? cardsOf(this.ghosts)[0] : undefined;
    ghost?.focus();
    return Boolean(ghost) || (hand === this.rows[1] && !this.rows[0].hidden && this.enter(this.rows[0]));
  }

  /** From the ghosts to the raised card, from the morto's hand to the own. @param {HTMLElement | null} hand */
  down(hand) {
    if (hand) return hand === this.rows[0] && this.enter(this.rows[1]);
    const raised = this.rows.flatMap(cardsOf).find((card) => "raised" in card.dataset);
    raised?.focus();
    return Boolean(raised);
  }

  /** @param {number} n  from 1 @param {HTMLElement} row */
  number(n, row) {
    const card = cardsOf(row)[n - 1];
    if (!card) return false;
    card.focus();
    this.actions.choose(card.dataset.card ?? "");
    return true;
  }
}

/** @param {HTMLElement} row @returns {HTMLElement[]} */
function cardsOf(row) {
  return /** @type {HTMLElement[]} */ (Array.from(row.children));
}
