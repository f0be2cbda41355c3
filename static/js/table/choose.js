// @ts-check
/**
 * Choosing a play (X2, S11): by a card and its ghost, by double click, card by card, or by carrying the card over the
 * table.
 *
 * Which plays exist is the server's list; this file only lets the player pick one of them. What a tap does with a card
 * that can be played in one way is the device's habit and the player's wish (taps.js). Every play waits for its answer,
 * and nothing else can be played meanwhile.
 */

import { aimed, isIn, isOver } from "./aim.js";
import { Calls } from "./calls.js";
import { byId, set, write } from "./dom.js";
import { Drag } from "./drag.js";
import { Ghosts } from "./ghosts.js";
import { Keys } from "./keys.js";
import { capturing, complete, putting, remaining } from "./picks.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").LegalMove} LegalMove */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./words.js").Speaker} Speaker */
/** @typedef {import("./drag.js").Place} Place */

const TRIES = 5; // of one play or call, where only calls of others came between

export class Chooser {
  /**
   * @param {Scene} scene
   * @param {Speaker} speaker
   * @param {import("./taps.js").Taps} taps
   * @param {{play: (move: LegalMove, view: View, going: LegalMove[] | undefined) => string, refuse: (words: string) =>
   *   void, busy: () => void, now: () => number, shown: (state: import("./gestures.js").Shown) => void}} table
   *   shown: whether there are cards to play from, and how the raised one can be played (null: none is)
   */
  constructor(scene, speaker, taps, table) {
    this.scene = scene;
    this.speaker = speaker;
    this.taps = taps;
    this.table = table;
    this.calls = new Calls(speaker, { send: (move) => this.send(move), changed: () => this.changed(), now: table.now });
    this.ghosts = new Ghosts(scene, speaker, {
      press: (move) => this.send(move),
      goingWith: (card) => this.calls.goingWith(card),
    });
    this.drag = new Drag(scene.rows, scene.layer, {
      lift: (card) => this.lift(card),
      carry: (place) => this.carry(place),
      drop: (card, place) => this.drop(card, place),
      back: () => {
        this.aimed = null;
        this.show();
      },
    });
    const felt = /** @type {HTMLElement} */ (scene.root.querySelector(".felt"));
    this.keys = new Keys(felt, scene.rows, this.ghosts.box, {
      choose: (card) => this.choose(card, 0),
      back: () => this.back(),
    });
    /** @type {View | null} */
    this.view = null;
    /** @type {string | null} */
    this.raised = null;
    /** @type {string[]} table cards picked for a capture, one by one */
    this.picked = [];
    /** @type {LegalMove | null} what letting go of the card in the air would play */
    this.aimed = null;
    this.inAir = ""; // the card that is drawn as carried
    this.clickedLast = { card: "", times: 0 };
    /** @type {{id: string, card: string | null} | null} sent, not answered by a new view yet */
    this.sent = null;
    /**
     * @type {{id: string, move: LegalMove, going: LegalMove[] | undefined, view: View, tries: number, stale: boolean} |
     *   null} the last one sent
     */
    this.attempt = null;
    this.looksOn = false; // another window plays this seat
    this.toldKeys = false;
    scene.dress = (card, name) => this.dress(card, name);
    for (const hand of scene.rows) {
      hand.addEventListener("click", (event) => this.clicked(event));
      hand.addEventListener("pointerover", (event) => this.foresee(cardAt(event)));
      hand.addEventListener("focusin", (event) => this.keys.used !== "pointer" && this.foresee(cardAt(event)));
      for (const type of ["pointerout", "focusout"]) hand.addEventListener(type, () => this.foresee(""));
    }
    felt.addEventListener("click", (event) => {
      if (event.target instanceof Element && !event.target.closest(".card, button, a, .overlay")) this.back();
    });
    byId("lying").addEventListener("pointerover", (event) => this.foreseePick(cardAt(event)));
    byId("lying").addEventListener("pointerout", () => this.foreseePick(""));
    byId("lying").addEventListener(
      "click",
      (event) => this.doubled(cardAt(event), event.detail) || this.pick(cardAt(event)),
    );
  }

  /** A newer view is about to be drawn. @param {View} view */
  take(view) {
    const news = view.v > (this.view?.v ?? -1);
    if (news) this.drag.cancel();
    if (this.sent && news) this.sent = null;
    this.view = view;
    this.calls.take(view);
    if (this.raised && (!this.held.includes(this.raised) || (this.mine && !this.plays(this.raised).length)))
      this.raised = null;
    this.unpick();
    this.again();
  }

  /** Whether this window only looks on. @param {boolean} on */
  lookOn(on) {
    if (this.looksOn === on) return;
    this.looksOn = on;
    if (on) {
      this.drag.cancel();
      this.raised = null;
      this.picked = [];
    }
    this.show();
  }

  /** The server refused what was sent. @param {string | undefined} id @param {string} code */
  release(id, code) {
    if (id && this.attempt?.id === id) {
      if (code === "stale" && this.attempt.tries < TRIES) this.attempt.stale = true;
      else this.attempt = null;
    }
    if (!id || this.sent?.id === id) this.sent = null;
    this.again();
    this.show();
  }

  /** Others only called something meanwhile: what was refused for that is sent again, to the table as it is now. */
  again() {
    const { attempt, view } = this;
    if (!attempt?.stale || !view || this.sent || view.v <= attempt.view.v) return;
    this.attempt = null;
    const same = attempt.move.card ? alike(attempt.view, view) : attempt.view.deal?.number === view.deal?.number;
    if (!same || ![attempt.move, ...(attempt.going ?? [])].every((move) => listed(view, move))) return;
    const id = this.table.play(attempt.move, view, attempt.going);
    this.sent = { id, card: attempt.move.card ?? null };
    this.attempt = { ...attempt, id, view, tries: attempt.tries + 1, stale: false };
  }

  /** Whether the viewer plays this seat's cards. @param {number} seat */
  own(seat) {
    return (
      this.view !== null &&
      this.view.seat !== null &&
      (seat === this.view.seat || this.view.seats[seat]?.of === this.view.seat)
    );
  }

  /** Whether the viewer may say or play something, on their turn or not. */
  get acts() {
    return !this.looksOn && this.view !== null && this.view.status === "playing" && this.view.seat !== null;
  }

  get mine() {
    return (
      this.acts && this.view !== null && this.view.turn !== null && this.own(this.view.turn) && !this.calls.opening
    );
  }

  /** The cards the viewer plays from. @returns {string[]} */
  get held() {
    return (this.view?.hands ?? []).filter((_, seat) => this.own(seat)).flatMap((hand) => hand.cards);
  }

  /** Every play that may be made now. @returns {LegalMove[]} */
  get all() {
    return this.mine ? (this.view?.legal ?? []).filter((move) => move.card && this.calls.allows(move.card)) : [];
  }

  /** @param {string} card */
  plays(card) {
    return this.all.filter((move) => move.card === card);
  }

  /** The plays of a card that what was picked leaves. @param {string} card */
  left(card) {
    return remaining(this.plays(card), this.raised === null || this.raised === card ? this.picked : []);
  }

  /** A declaration was chosen or taken back: a raised card it can't go with is put down. */
  changed() {
    this.drag.cancel();
    if (this.raised && this.mine && !this.plays(this.raised).length) this.raised = null;
    this.unpick();
    this.show();
  }

  /** Picked cards that can't be taken any more are let go of. */
  unpick() {
    if (this.picked.length && !remaining(this.raised ? this.plays(this.raised) : this.all, this.picked).length)
      this.picked = [];
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
      "data-carried": this.drag.card === name,
      "aria-label": off ? this.speaker.say("card-off", { card: this.speaker.card(name) }) : this.speaker.card(name),
    });
  }

  /** Ghosts, calls and the look of the hand, from the state. */
  show() {
    for (const child of this.scene.rows.flatMap((row) => Array.from(row.children))) {
      const card = /** @type {HTMLElement} */ (child);
      this.dress(card, card.dataset.card ?? "");
    }
    if (!this.sent) {
      this.drag.clear();
      const held = this.drag.card;
      const card = held ?? this.raised;
      const open = card ? this.left(card) : [];
      this.ghosts.draw(held ? putting(open) : open, open, this.picked, held ? this.aimed : null);
    }
    set(this.scene.root, { "data-carrying": this.drag.card !== null });
    if (this.drag.copy) set(this.drag.copy, { "data-takes": this.ghosts.would.length > 0 });
    this.calls.draw(this.acts && !this.sent);
    const plays = this.raised && this.mine ? this.plays(this.raised) : null;
    this.table.shown({ holds: this.acts && this.held.length > 0, plays });
    this.keys.recover();
  }

  /** @param {LegalMove} move @param {DOMRect} [from]  where the card was let go of */
  send(move, from) {
    if (!this.acts || this.sent || !this.view || (move.card && !this.mine)) return;
    this.drag.cancel();
    const card = move.card ?? null;
    const going = card ? this.calls.goingWith(card) : undefined;
    if (card) {
      this.ghosts.keep(move, from === undefined);
      const place = from ?? this.ghosts.element(move)?.querySelector(".card")?.getBoundingClientRect();
      if (place) this.scene.released.set(card, place);
    }
    const refocus = this.calls.box.contains(document.activeElement);
    const id = this.table.play(move, this.view, going);
    this.sent = { id, card };
    this.attempt = { id, move, going, view: this.view, tries: 1, stale: false };
    if (card) {
      this.raised = null;
      this.picked = [];
    }
    this.show();
    if (refocus) this.scene.hand.focus();
  }

  // --- Clicks -------------------------------------------------------------------------------------------------------

  /** @param {MouseEvent} event */
  clicked(event) {
    const name = cardAt(event);
    // meant for a card that was played with the first click
    const late = event.detail > 1 && !this.held.includes(this.clickedLast.card);
    if (name && !late) this.choose(name, event.detail);
  }

  /**
   * Whether this is the second click on one card. A finger's second tap may fall on its neighbour.
   * @param {string} card
   * @param {number} clicks
   */
  doubled(card, clicks) {
    const same = clicks > 1 && this.clickedLast.card === card;
    this.clickedLast = { card, times: same ? this.clickedLast.times + 1 : 1 };
    return this.clickedLast.times % 2 === 0;
  }

  /**
   * A card of the hand was pressed; `clicks`: how many in a row, 0 by the keyboard.
   * @param {string} name
   * @param {number} clicks
   */
  choose(name, clicks) {
    if (this.sent || !this.view) return;
    this.table.busy();
    const double = this.doubled(name, clicks);
    const plays = this.plays(name);
    if (this.mine && !plays.length) this.refuse(name);
    else if (double) this.putDown(name);
    else if (this.taps.atOnce && clicks < 2 && plays.length === 1) this.send(plays[0]);
    else if (this.raised === name && plays.length === 1 && this.taps.playsBy(clicks)) this.send(plays[0]);
    else if (this.raised === name) this.back();
    else this.raise(name, clicks === 0);
  }

  /** @param {string} name @param {boolean} keyboard */
  raise(name, keyboard) {
    if (this.raised !== null || !remaining(this.plays(name), this.picked).length) this.picked = [];
    this.raised = name;
    const plays = this.plays(name);
    const whole = complete(plays, this.picked);
    this.show();
    if (whole) {
      this.send(whole);
      return;
    }
    this.say(plays.length > 1 ? "raised-several" : this.mine ? "raised" : "raised-early", {
      card: this.speaker.card(name),
      n: plays.length,
    });
    if (keyboard) this.ghosts.first?.focus();
  }

  /** A double click puts a card down at once, if it can be (S11, X2). @param {string} name */
  putDown(name) {
    const moves = putting(this.plays(name));
    if (moves.length === 1) {
      this.send(moves[0]);
      return;
    }
    this.raised = name;
    this.picked = [];
    this.show();
    if (this.mine) this.refuse(name);
  }

  /** A card of the table was pressed (S11). @param {string} name */
  pick(name) {
    if (!name || this.sent || !capturing(this.all).length) return;
    this.table.busy();
    if (!this.view?.table.some(({ card }) => card === name)) return;
    const moves = this.raised ? this.plays(this.raised) : this.all;
    if (this.picked.includes(name)) this.picked = this.picked.filter((card) => card !== name);
    else if (remaining(moves, [...this.picked, name]).length) this.picked = [...this.picked, name];
    else if (remaining(moves, [name]).length) this.picked = [name];
    else {
      this.table.refuse(
        this.speaker.say(this.raised ? "cant-take" : "cant-take-any", {
          card: this.speaker.card(this.raised ?? name),
          taken: this.speaker.card(name),
        }),
      );
      return;
    }
    const whole = this.raised ? complete(moves, this.picked) : null;
    this.show();
    if (whole) this.send(whole);
    else this.say(this.picked.includes(name) ? "picked" : "unpicked", { card: this.speaker.card(name) });
  }

  /** Show what a click on a card of the hand could take, before it is made. @param {string} name  "": none */
  foresee(name) {
    if (this.raised || this.sent || this.drag.card || this.picked.length) return;
    this.ghosts.foresee(this.mine && name ? this.plays(name) : []);
  }

  /** Show what a click on a card of the table would take at once. @param {string} name  "": none */
  foreseePick(name) {
    if (!this.raised || this.sent || this.drag.card || this.picked.includes(name)) return;
    const whole = name ? complete(this.plays(this.raised), [...this.picked, name]) : null;
    if (whole) this.ghosts.foresee([whole]);
    else this.ghosts.light(null);
  }

  /** The raised card goes back to the hand, what was picked is let go of. Whether there was anything. */
  back() {
    const name = this.raised;
    if (this.sent || (!name && !this.picked.length)) return false;
    const refocus = this.ghosts.box.contains(document.activeElement);
    this.raised = null;
    this.picked = [];
    this.show();
    if (name) this.say("lowered", { card: this.speaker.card(name) });
    if (refocus && name)
      /** @type {HTMLElement | null} */ (this.scene.root.querySelector(`.hand [data-card="${name}"]`))?.focus();
    return true;
  }

  /** *Giocata non ammessa*, and why (G10). @param {string} name */
  refuse(name) {
    const { words } = this.speaker;
    const chosen = this.view?.legal.some((move) => move.card === name) && !this.plays(name).length;
    const code = this.view?.barred.find(([card]) => card === name)?.[1];
    const why = chosen ? words["off-calls"] : words[`illegal-${code}`];
    this.table.refuse(why ? this.speaker.say("not-allowed-why", { why }) : words["not-allowed"]);
  }

  /** Tell once which keys there are. */
  tellKeys() {
    if (this.toldKeys || this.keys.used === "pointer") return;
    this.toldKeys = true;
    this.say("keys", {});
  }

  /** Tell who can't see it. @param {string} key @param {Record<string, string | number>} values */
  say(key, values) {
    write(byId("hand-said"), this.speaker.say(key, values));
  }

  // --- Carrying a card ----------------------------------------------------------------------------------------------

  /** @param {string} name */
  lift(name) {
    if (this.sent || !this.mine) return undefined;
    this.table.busy();
    this.inAir = "";
    this.aimed = null;
    if (this.plays(name).length) return true;
    this.refuse(name);
    return false;
  }

  /** @param {Place} place */
  carry(place) {
    const card = this.drag.card;
    if (card === null) return;
    if (this.inAir !== card) this.show(); // its ghosts are aimed at
    const move = this.aim(card, place);
    if (this.inAir === card && move?.move === this.aimed?.move) return;
    this.inAir = card;
    this.aimed = move;
    this.show();
  }

  /** What letting go here would play. @param {string} card @param {Place} place */
  aim(card, place) {
    const hand = this.scene.rows.find((row) => row.querySelector(`[data-card="${card}"]`));
    return hand && isIn(hand, place) ? null : aimed(this.left(card), place, this.scene.cloth, this.ghosts);
  }

  /** @param {string} card @param {Place} place */
  drop(card, place) {
    const move = this.aim(card, place);
    if (move) {
      this.send(move, place.box);
      return;
    }
    if (isOver(this.scene.cloth, place)) {
      if (this.raised !== card) this.raise(card, false);
      if (capturing(this.left(card)).length > 1) this.table.refuse(this.speaker.words["pick-one-by-one"]);
    }
    this.show();
  }
}

/** The card an event happened on. @param {Event} event */
function cardAt(event) {
  const card = event.target instanceof Element ? event.target.closest("[data-card]") : null;
  return card instanceof HTMLElement ? (card.dataset.card ?? "") : "";
}

/** Whether nothing was played between the two views. @param {View} before @param {View} after */
function alike(before, after) {
  const what = (/** @type {View} */ view) => JSON.stringify([view.deal, view.turn, view.table, view.last, view.hands]);
  return what(before) === what(after);
}

/** @param {View} view @param {LegalMove} move */
function listed(view, move) {
  return view.legal.some((each) => each.move === move.move && each.seat === move.seat);
}
