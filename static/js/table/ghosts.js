// @ts-check
/**
 * The half-transparent cards on the table, one for each play that can be meant, and the table cards each would take.
 */

import { byId, keyed, make, set, write } from "./dom.js";
import { taken, takes } from "./picks.js";
import { measureCloth } from "./room.js";

/** @typedef {import("./types.js").LegalMove} LegalMove */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./words.js").Speaker} Speaker */

export class Ghosts {
  /**
   * @param {Scene} scene
   * @param {Speaker} speaker
   * @param {{press: (move: LegalMove) => void, goingWith: (card: string) => LegalMove[] | undefined}} table
   */
  constructor(scene, speaker, table) {
    this.scene = scene;
    this.speaker = speaker;
    this.table = table;
    this.box = byId("ghosts");
    /** @type {LegalMove[]} */
    this.moves = [];
    /** @type {LegalMove[]} all that can still be meant, drawn or not */
    this.open = [];
    /** @type {string[]} */
    this.picked = [];
    /** @type {LegalMove | null} the play a release would make */
    this.aimed = null;
    /** @type {string[]} cards of the table that are marked as taken by it */
    this.would = [];
    this.box.addEventListener("click", (event) => {
      const move = this.moveOf(event.target);
      if (move) table.press(move);
    });
    for (const type of ["pointerover", "focusin"])
      this.box.addEventListener(type, (event) => this.light(this.moveOf(event.target)));
    for (const type of ["pointerout", "focusout"]) this.box.addEventListener(type, () => this.light(null));
  }

  /** @param {EventTarget | null} target */
  moveOf(target) {
    const ghost = target instanceof Element ? target.closest(".ghost") : null;
    return this.moves.find((move) => ghost instanceof HTMLElement && move.move === ghost.dataset.move);
  }

  /** @param {LegalMove} move @returns {HTMLElement | undefined} */
  element(move) {
    return /** @type {HTMLElement[]} */ (Array.from(this.box.children)).find(
      (ghost) => ghost.dataset.move === move.move,
    );
  }

  get first() {
    return /** @type {HTMLElement | null} */ (this.box.firstElementChild);
  }

  /**
   * @param {LegalMove[]} moves  each gets a ghost
   * @param {LegalMove[]} open  all that can still be meant
   * @param {string[]} picked
   * @param {LegalMove | null} aimed
   */
  draw(moves, open, picked, aimed) {
    Object.assign(this, { moves, open, picked, aimed });
    keyed(
      this.box,
      moves,
      (move) => move.move,
      (move) => this.make(move),
      (element, move) => this.update(element, move),
    );
    this.box.dataset.count = String(moves.length);
    measureCloth(this.scene.cloth);
    this.light(this.moveOf(document.activeElement));
  }

  /** @param {LegalMove} move */
  make(move) {
    const card = make("span", { class: "card" });
    card.append(this.scene.deck.face(move.card ?? "back"));
    const prey = takes(move).map((name) => {
      const small = make("span", {});
      small.append(this.scene.deck.face(name));
      return small;
    });
    return make(
      "button",
      { type: "button", class: "ghost", "data-move": move.move, "data-takes": takes(move).join(" ") },
      card,
      prey.length ? make("span", { class: "ghost-takes", "aria-hidden": "true" }, ...prey) : null,
      make("span", { class: "ghost-text" }),
    );
  }

  /** @param {HTMLElement} ghost @param {LegalMove} move */
  update(ghost, move) {
    const saying = (this.table.goingWith(move.card ?? "") ?? [])
      .map((call) => `«${this.speaker.move(call)}»`)
      .join(" ");
    const does = takes(move).length
      ? this.speaker.say("takes", { taken: this.speaker.cards(takes(move)) })
      : this.speaker.say("put-down", { card: this.speaker.card(move.card ?? "") });
    const label = `${this.speaker.move(move)} ${saying}`.trim();
    set(ghost, { "aria-label": label, title: label, "data-aimed": move.move === this.aimed?.move, "data-sent": false });
    write(/** @type {HTMLElement} */ (ghost.querySelector(".ghost-text")), `${does} ${saying}`.trim());
  }

  /**
   * What was sent stays, until the server's answer is drawn.
   * @param {LegalMove} move
   * @param {boolean} seen  as a ghost; else it lies where it was let go of
   */
  keep(move, seen) {
    this.draw(seen ? [move] : [], [move], [], move);
    this.element(move)?.setAttribute("data-sent", "");
  }

  /**
   * Mark what a play would take, or what some play could.
   * @param {LegalMove | null | undefined} hinted  the one looked at
   */
  light(hinted) {
    const one = this.aimed ?? hinted ?? (this.open.length === 1 ? this.open[0] : null);
    this.mark(one ? takes(one) : [], one ? [] : taken(this.open), this.picked);
    set(this.scene.cloth, { "data-foreseen": Boolean(hinted && this.would.length) });
  }

  /** Mark what plays that aren't chosen yet would take. @param {LegalMove[]} moves */
  foresee(moves) {
    const [one, ...more] = moves;
    this.mark(one && !more.length ? takes(one) : [], more.length ? taken(moves) : [], this.picked);
  }

  /** @param {string[]} would @param {string[]} could @param {string[]} picked */
  mark(would, could, picked) {
    this.would = would;
    for (const card of this.scene.cloth.querySelectorAll("#lying [data-card]")) {
      const name = /** @type {HTMLElement} */ (card).dataset.card ?? "";
      set(card, {
        "data-would": would.includes(name),
        "data-could": could.includes(name),
        "data-picked": picked.includes(name),
      });
    }
  }
}
