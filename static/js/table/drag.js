// @ts-check
/**
 * Carrying a card of the hand with mouse, pen or finger. It knows where the card is, not what may be done with it.
 *
 * A press becomes a drag after a few pixels; until then it is a click. Whatever breaks it off (Escape, a second finger
 * or button, the system, another window) leaves everything as it was. The click a browser makes of a drag's end is
 * swallowed.
 */

import { make } from "./dom.js";

/** @typedef {{x: number, y: number, box: DOMRect}} Place  the pointer, and the card in the air */
/**
 * @typedef {object} Carrier
 * @property {(card: string) => boolean | undefined} lift  whether this card may be carried now; undefined: the press
 *   stays a click
 * @property {(place: Place) => void} carry
 * @property {(card: string, place: Place) => void} drop
 * @property {() => void} back  it was broken off
 */

const FAR = 8; // px
const SMALLER = 0.85; // in the air, so that more of the table is seen

export class Drag {
  /**
   * @param {HTMLElement[]} rows  of cards that can be carried
   * @param {HTMLElement} layer  fixed over the page
   * @param {Carrier} carrier
   */
  constructor(rows, layer, carrier) {
    this.layer = layer;
    this.carrier = carrier;
    /** @type {{id: number, element: HTMLElement, x: number, y: number} | null} */
    this.press = null;
    /** @type {string | null} the card in the air */
    this.card = null;
    /** @type {HTMLElement | null} what is seen of it */
    this.copy = null;
    /** @type {DOMRect} where it lay */
    this.origin = new DOMRect();
    this.swallow = false;
    for (const row of rows) {
      row.addEventListener("pointerdown", (event) => this.down(event));
      row.addEventListener("dragstart", (event) => event.preventDefault());
      row.addEventListener("contextmenu", (event) => (this.press || this.card) && event.preventDefault());
      row.addEventListener("lostpointercapture", (event) => event.pointerId === this.press?.id && this.cancel());
    }
    addEventListener("pointerdown", (event) => this.another(event), true);
    addEventListener("pointermove", (event) => this.move(event));
    addEventListener("pointerup", (event) => this.up(event));
    addEventListener("pointercancel", (event) => event.pointerId === this.press?.id && this.cancel());
    addEventListener("blur", () => this.cancel());
    document.addEventListener("visibilitychange", () => this.cancel());
    addEventListener("keydown", (event) => this.key(event), true);
    addEventListener("click", (event) => this.click(event), true);
  }

  /** @param {PointerEvent} event */
  down(event) {
    const element = event.target instanceof Element ? event.target.closest("[data-card]") : null;
    if (this.press || !event.isPrimary || event.button !== 0 || !(element instanceof HTMLElement)) return;
    this.press = { id: event.pointerId, element, x: event.clientX, y: event.clientY };
  }

  /**
   * Any press: what is left of an earlier one is over; a second finger breaks a drag off.
   * @param {PointerEvent} event
   */
  another(event) {
    if (this.press && event.pointerId !== this.press.id) this.cancel();
    else if (!this.press) this.swallow = false;
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { press } = this;
    if (!press || event.pointerId !== press.id) return;
    if (event.buttons !== 1) {
      this.cancel();
      return;
    }
    if (this.card === null) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < FAR || !this.lift(press)) return;
      press.element.setPointerCapture(press.id);
    }
    this.place(event, press);
    this.carrier.carry(this.where(event));
  }

  /** @param {{id: number, element: HTMLElement}} press */
  lift({ element }) {
    const name = element.dataset.card ?? "";
    const lifted = this.carrier.lift(name);
    if (lifted === undefined) return false;
    this.swallow = true;
    if (!lifted || !element.isConnected) {
      this.press = null;
      return false;
    }
    this.clear();
    this.card = name;
    this.origin = element.getBoundingClientRect();
    const copy = make("div", { class: "card flying carried", "aria-hidden": "true" });
    copy.append(...Array.from(element.childNodes, (child) => child.cloneNode(true)));
    const { left, top, width, height } = this.origin;
    for (const [side, value] of Object.entries({ left, top, width, height }))
      copy.style.setProperty(side, `${value}px`);
    this.layer.append(copy);
    this.copy = copy;
    return true;
  }

  /** @param {PointerEvent} event @param {{x: number, y: number}} press */
  place(event, press) {
    this.copy?.style.setProperty(
      "transform",
      `translate(${event.clientX - press.x}px, ${event.clientY - press.y}px) scale(${SMALLER})`,
    );
  }

  /** @param {PointerEvent} event @returns {Place} */
  where(event) {
    return { x: event.clientX, y: event.clientY, box: this.copy?.getBoundingClientRect() ?? this.origin };
  }

  /** @param {PointerEvent} event */
  up(event) {
    const { press } = this;
    if (!press || event.pointerId !== press.id) return;
    this.press = null;
    const { card } = this;
    if (card === null) return;
    this.place(event, press);
    this.card = null;
    this.carrier.drop(card, this.where(event));
  }

  /** All as it was. */
  cancel() {
    const carried = this.card !== null;
    this.press = this.card = null;
    if (!carried) return;
    this.clear();
    this.carrier.back();
  }

  /** What is seen of a card that was let go stays until it is drawn where it went. */
  clear() {
    if (this.card !== null) return;
    this.copy?.remove();
    this.copy = null;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key !== "Escape" || this.card === null) return;
    event.preventDefault();
    event.stopPropagation();
    this.cancel();
  }

  /** @param {MouseEvent} event */
  click(event) {
    if (!this.swallow || event.detail === 0) return;
    this.swallow = false;
    event.preventDefault();
    event.stopPropagation();
  }
}
