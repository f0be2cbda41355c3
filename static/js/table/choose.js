// @ts-check
/**
 * Choosing a play: a card is raised, then its ghost on the table is pressed. A single click never plays a card.
 *
 * Which plays exist is the server's list; this file only lets the player pick one of them. Every play waits for its answer,
 * and nothing else can be played meanwhile.
 */

import { byId, make, set } from "./dom.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").LegalMove} LegalMove */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./words.js").Speaker} Speaker */

export class Chooser {
  /**
   * @param {Scene} scene
   * @param {Speaker} speaker
   * @param {{play: (move: LegalMove, view: View) => string, refuse: (words: string) => void, busy: () => void}} table
   */
  constructor(scene, speaker, table) {
    this.scene = scene;
    this.speaker = speaker;
    this.table = table;
    this.ghosts = byId("ghosts");
    this.calls = byId("calls");
    /** @type {View | null} */
    this.view = null;
    /** @type {string | null} */
    this.raised = null;
    /** @type {{id: string, card: string | null} | null} sent, not answered by a new view yet */
    this.sent = null;
    this.looksOn = false; // another window plays this seat
    scene.dress = (card, name) => this.dress(card, name);
    scene.hand.addEventListener("click", (event) => this.clicked(event));
    scene.root.addEventListener("keydown", (event) => this.pressed(event));
    this.ghosts.addEventListener("keydown", (event) => {
      if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
    });
  }

  /** A newer view is about to be drawn. @param {View} view */
  take(view) {
    if (this.sent && view.v > (this.view?.v ?? -1)) this.sent = null;
    this.view = view;
    const hand = view.seat === null ? [] : view.hands[view.seat].cards;
    if (this.raised && !hand.includes(this.raised)) this.raised = null;
  }

  /** Whether this window only looks on. @param {boolean} on */
  lookOn(on) {
    if (this.looksOn === on) return;
    this.looksOn = on;
    if (on) this.raised = null;
    this.show();
  }

  /** The server refused what was sent, or it never will be answered. @param {string} [id] */
  release(id) {
    if (id && this.sent?.id !== id) return;
    this.sent = null;
    this.show();
  }

  get mine() {
    return !this.looksOn && this.view !== null && this.view.status === "playing" && this.view.seat !== null && this.view.turn === this.view.seat;
  }

  /** @param {string} card */
  plays(card) {
    return this.mine ? (this.view?.legal ?? []).filter((move) => move.card === card) : [];
  }

  /** How a card of the hand looks and reads. @param {HTMLElement} element @param {string} name */
  dress(element, name) {
    const off = this.mine && !this.sent && !this.plays(name).length;
    set(element, {
      "aria-pressed": String(this.raised === name),
      "data-raised": this.raised === name,
      "data-off": off,
      "data-playable": this.mine && !off,
      "data-sent": this.sent?.card === name,
      "aria-label": off ? this.speaker.say("card-off", { card: this.speaker.card(name) }) : this.speaker.card(name),
    });
  }

  /** Ghosts, calls and the look of the hand, from the state. */
  show() {
    for (const child of Array.from(this.scene.hand.children)) {
      const card = /** @type {HTMLElement} */ (child);
      this.dress(card, card.dataset.card ?? "");
    }
    const moves = this.raised && !this.sent ? this.plays(this.raised) : [];
    if (!this.sent) this.ghosts.replaceChildren(...moves.map((move) => this.ghost(move, moves.length > 1)));
    this.ghosts.dataset.count = String(this.ghosts.children.length);
    const calls = this.mine && !this.sent ? (this.view?.legal ?? []).filter((move) => !move.card) : [];
    this.calls.replaceChildren(...calls.map((move) => this.call(move)));
    this.calls.hidden = !calls.length;
    this.light(moves.length === 1 ? (moves[0].takes ?? []) : [], moves.flatMap((move) => move.takes ?? []));
  }

  /** @param {LegalMove} move @param {boolean} several */
  ghost(move, several) {
    const label = this.speaker.move(move);
    const takes = move.takes ?? [];
    const caption = takes.length
      ? this.speaker.say("takes", { taken: this.speaker.cards(takes) })
      : this.speaker.say("put-down", { card: this.speaker.card(move.card ?? "") });
    const button = make("button", { type: "button", class: "ghost", "data-move": move.move, "data-takes": takes.join(" "), "aria-label": label, title: label });
    const card = make("span", { class: "card" });
    card.append(this.scene.deck.face(move.card ?? "back"));
    button.append(card, make("span", { class: "ghost-text" }, caption));
    button.addEventListener("click", (event) => this.send(move, event.currentTarget));
    if (several) {
      const all = () => this.light([], this.plays(this.raised ?? "").flatMap((other) => other.takes ?? []));
      for (const type of ["pointerenter", "focus"]) button.addEventListener(type, () => this.light(takes, []));
      for (const type of ["pointerleave", "blur"]) button.addEventListener(type, all);
    }
    return button;
  }

  /** @param {LegalMove} move */
  call(move) {
    const button = make("button", { type: "button", class: "button button-gold", "data-move": move.move }, this.speaker.move(move));
    button.addEventListener("click", () => this.send(move, null));
    return button;
  }

  /** Mark the table cards a play would take, or those some play could. @param {string[]} would @param {string[]} could */
  light(would, could) {
    for (const card of this.scene.cloth.querySelectorAll("#lying [data-card]")) {
      const name = /** @type {HTMLElement} */ (card).dataset.card ?? "";
      set(card, { "data-would": would.includes(name), "data-could": could.includes(name) });
    }
  }

  /** @param {LegalMove} move @param {EventTarget | null} ghost */
  send(move, ghost) {
    if (!this.mine || this.sent || !this.view) return;
    const card = move.card ?? null;
    if (card && ghost instanceof HTMLElement) {
      this.scene.released.set(card, /** @type {HTMLElement} */ (ghost.querySelector(".card")).getBoundingClientRect());
      ghost.dataset.sent = "";
      for (const other of Array.from(this.ghosts.children)) if (other !== ghost) other.remove();
    }
    const refocus = this.ghosts.contains(document.activeElement);
    this.sent = { id: this.table.play(move, this.view), card };
    this.raised = null;
    this.show();
    if (refocus) this.scene.hand.focus();
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const card = event.target instanceof Element ? event.target.closest("[data-card]") : null;
    if (card instanceof HTMLElement) this.choose(card.dataset.card ?? "", event.detail === 0);
  }

  /** @param {string} name @param {boolean} keyboard */
  choose(name, keyboard) {
    if (this.sent || !this.view) return;
    this.table.busy();
    if (this.raised === name) {
      this.raised = null;
    } else if (this.mine && !this.plays(name).length) {
      this.raised = null;
      this.table.refuse(this.speaker.words["not-allowed"]);
    } else {
      this.raised = name;
    }
    this.show();
    if (keyboard && this.raised) /** @type {HTMLElement | null} */ (this.ghosts.firstElementChild)?.focus();
  }

  lower() {
    const name = this.raised;
    this.raised = null;
    this.show();
    if (name) /** @type {HTMLElement | null} */ (this.scene.hand.querySelector(`[data-card="${name}"]`))?.focus();
  }

  /** Arrow keys walk through the hand and between hand and ghosts; Escape puts a card back. @param {KeyboardEvent} event */
  pressed(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.key === "Escape" && this.raised) {
      this.lower();
      event.preventDefault();
      return;
    }
    const row = this.scene.hand.contains(target) ? this.scene.hand : this.ghosts.contains(target) ? this.ghosts : null;
    if (!row) return;
    const items = /** @type {HTMLElement[]} */ (Array.from(row.children));
    const at = items.indexOf(target);
    const steps = new Map([["ArrowLeft", at - 1], ["ArrowRight", at + 1], ["Home", 0], ["End", items.length - 1]]);
    const step = steps.get(event.key);
    if (step !== undefined && items.length) items[(step + items.length) % items.length]?.focus();
    else if (event.key === "ArrowUp" && row === this.scene.hand) /** @type {HTMLElement | null} */ (this.ghosts.firstElementChild)?.focus();
    else if (event.key === "ArrowDown" && row === this.ghosts) /** @type {HTMLElement | null} */ (this.scene.hand.querySelector("[data-raised]"))?.focus();
    else return;
    event.preventDefault();
  }
}
