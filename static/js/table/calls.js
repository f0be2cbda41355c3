// @ts-check
/**
 * The calls a player may make now: a button each, several at once where the server lists several at once, and those
 * that go out together with a card, which are only chosen here.
 *
 * Which calls exist, and with which cards, is the server's list; this file knows what belongs together only by the
 * codes.
 */

import { byId, keyed, make, set, write } from "./dom.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").LegalMove} LegalMove */
/** @typedef {import("./words.js").Speaker} Speaker */
/** @typedef {{verb: string, moves: LegalMove[]}} Group */

const OPENING = ["redeal", "collatondrione"]; // heard only in the window before the first card
const OF_ITSELF = new Map([["declare", "ho"]]); // what the server says with a card for whoever has the verb automatic

export class Calls {
  /**
   * @param {Speaker} speaker
   * @param {{send: (move: LegalMove) => void, changed: () => void, now: () => number}} table
   */
  constructor(speaker, table) {
    this.speaker = speaker;
    this.table = table;
    this.box = byId("calls");
    /** @type {View | null} */
    this.view = null;
    /** @type {Map<string, string[]>} by verb, the parts chosen to go with the card; [] means: say nothing */
    this.chosen = new Map();
    /** @type {Map<string, string[]>} by verb, the parts left out of what is called at once */
    this.left = new Map();
    this.moment = "";
  }

  /** @param {View} view */
  take(view) {
    this.view = view;
    const moment = JSON.stringify([view.deal, view.turn, view.piles, view.table.length]);
    if (moment !== this.moment) {
      this.chosen.clear();
      this.left.clear();
    }
    this.moment = moment;
    for (const [verb, parts] of this.chosen) {
      if (parts.length ? !this.listed(verb, parts).length : !this.going(verb).length) this.chosen.delete(verb);
    }
  }

  /** Whether the calls before the first card are still heard. */
  get opening() {
    const until = this.view?.opening?.until;
    return until !== undefined && this.table.now() < until;
  }

  /** Calls of this verb that go with a card. @param {string} verb */
  going(verb) {
    return (this.view?.legal ?? []).filter((move) => move.verb === verb && move.goes_with);
  }

  /** Those of them that say just these parts. @param {string} verb @param {string[]} parts */
  listed(verb, parts) {
    return this.going(verb).filter((move) => same(partsOf(move), parts));
  }

  /** What is chosen to go with the card, said or not. @param {string} verb @returns {string[]} */
  parts(verb) {
    const chosen = this.chosen.get(verb);
    if (chosen) return chosen;
    const own = OF_ITSELF.get(verb);
    return own && this.view?.automatic.includes(verb) && this.listed(verb, [own]).length ? [own] : [];
  }

  /** Whether what was chosen can go with this card. @param {string} card */
  allows(card) {
    return [...this.chosen].every(([verb, parts]) => !parts.length || this.with(verb, parts, card) !== undefined);
  }

  /** @param {string} verb @param {string[]} parts @param {string} card */
  with(verb, parts, card) {
    return this.listed(verb, parts).find((move) => move.goes_with?.includes(card));
  }

  /**
   * What goes out with this card; undefined: whatever the player has automatic.
   * @param {string} card
   * @returns {LegalMove[] | undefined}
   */
  goingWith(card) {
    if (!this.chosen.size) return undefined;
    const verbs = new Set([...this.chosen.keys(), ...OF_ITSELF.keys()]);
    return [...verbs].map((verb) => this.with(verb, this.parts(verb), card)).filter((move) => move !== undefined);
  }

  /**
   * A part pressed: what is listed with it and keeps most of what was chosen.
   * @param {string} verb
   * @param {string} part
   */
  press(verb, part) {
    const before = this.parts(verb);
    const on = !before.includes(part);
    const wanted = on ? [...before, part] : before.filter((each) => each !== part);
    const ways = distinct(this.going(verb)).filter((parts) => parts.includes(part) === on);
    const kept = (/** @type {string[]} */ parts) =>
      parts.filter((each) => wanted.includes(each)).length * 10 - parts.length;
    const best = ways
      .filter((parts) => on || parts.every((each) => wanted.includes(each)))
      .sort((a, b) => kept(b) - kept(a))[0];
    this.chosen.set(verb, wanted.length && best ? best : []);
    this.table.changed();
  }

  /** @param {string} verb */
  cancel(verb) {
    this.chosen.delete(verb);
    if (this.parts(verb).length) this.chosen.set(verb, []);
    this.table.changed();
  }

  /** Buttons and choices, from the state. @param {boolean} on  whether anything can be sent now */
  draw(on) {
    const legal = on ? (this.view?.legal ?? []).filter((move) => !move.card) : [];
    const now = legal.filter(
      (move) => !move.goes_with && (!this.view?.opening || this.opening || !OPENING.includes(move.verb ?? "")),
    );
    const several = groups(now.filter((move) => move.arg)).filter((group) => group.moves.length > 1);
    const single = now.filter((move) => !several.some((group) => group.moves.includes(move)));
    const withCard = groups(legal.filter((move) => move.goes_with));
    /** @type {({key: string, move: LegalMove} | {key: string, group: Group, goes: boolean})[]} */
    const items = [
      ...single.map((move) => ({ key: move.move, move })),
      ...several.map((group) => ({ key: `several ${group.verb}`, group, goes: false })),
      ...withCard.map((group) => ({ key: `with ${group.verb}`, group, goes: true })),
    ];
    keyed(
      this.box,
      items,
      (item) => item.key,
      (item) =>
        "move" in item
          ? make("button", { type: "button", class: "button button-gold" })
          : this.makeGroup(item.group, item.goes),
      (element, item) =>
        "move" in item ? this.drawSingle(element, item.move) : this.drawGroup(element, item.group, item.goes),
    );
    this.box.hidden = !items.length;
    if (items.length) byId("table").dataset.calls = ""; // from now on there is room for them
  }

  /** @param {HTMLElement} button @param {LegalMove} move */
  drawSingle(button, move) {
    set(button, { "data-move": move.move });
    write(button, this.speaker.move(move));
    button.onclick = () => this.table.send(move);
  }

  /** @param {Group} group @param {boolean} goes */
  makeGroup(group, goes) {
    const { words } = this.speaker;
    const name = words[`group-${group.verb}`] ?? group.verb;
    const box = make("div", {
      class: "call-group",
      role: "group",
      "aria-label": goes ? `${name}. ${words["goes-with-card"]}` : name,
    });
    box.append(
      make("span", { class: "call-name", "aria-hidden": "true" }, name),
      make("span", { class: "call-parts" }),
      make(
        "button",
        { type: "button", class: `button button-small ${goes ? "button-felt call-cancel" : "button-gold call-send"}` },
        goes ? words.cancel : "",
      ),
    );
    return box;
  }

  /** @param {HTMLElement} box @param {Group} group @param {boolean} goes */
  drawGroup(box, group, goes) {
    const { verb, moves } = group;
    const ways = distinct(moves);
    const all = [...new Set(ways.flat())];
    const left = this.left.get(verb) ?? [];
    const on = goes ? this.parts(verb) : all.filter((part) => !left.includes(part));
    const parts = /** @type {HTMLElement} */ (box.querySelector(".call-parts"));
    keyed(
      parts,
      all,
      (part) => part,
      () => make("button", { type: "button", class: "call-part" }),
      (button, part) => {
        set(button, {
          "aria-pressed": String(on.includes(part)),
          "data-part": part,
          "data-automatic": goes && on.includes(part) && !this.chosen.has(verb),
        });
        write(button, this.part(verb, part));
        button.onclick = () => {
          if (goes) this.press(verb, part);
          else {
            this.left.set(verb, left.includes(part) ? left.filter((each) => each !== part) : [...left, part]);
            this.table.changed();
          }
        };
      },
    );
    const button = /** @type {HTMLButtonElement} */ (box.querySelector(".call-cancel, .call-send"));
    if (goes) {
      button.disabled = !on.length;
      button.onclick = () => this.cancel(verb);
      return;
    }
    const move = moves.find((each) => same(partsOf(each), on));
    button.disabled = !move;
    write(button, this.speaker.words[`send-${verb}`] ?? verb);
    set(button, { "data-move": move?.move ?? null });
    button.onclick = () => move && this.table.send(move);
  }

  /** @param {string} verb @param {string} part */
  part(verb, part) {
    return verb === "accuso"
      ? this.speaker.combination(part)
      : (this.speaker.words[`choose-${part}`] ?? this.speaker.words[`${verb}-${part}`] ?? part);
  }
}

/** What a call says, in parts: the last word of its argument, "per-te+ho" is two. @param {LegalMove} move */
function partsOf(move) {
  return ((move.arg ?? "").split(" ").pop() ?? "").split("+");
}

/** @param {string[]} one @param {string[]} other */
function same(one, other) {
  return one.length === other.length && one.every((part) => other.includes(part));
}

/** @param {LegalMove[]} moves @returns {string[][]} the different things they say */
function distinct(moves) {
  return [...new Map(moves.map((move) => [partsOf(move).join("+"), partsOf(move)])).values()];
}

/** @param {LegalMove[]} moves @returns {Group[]} */
function groups(moves) {
  const verbs = [...new Set(moves.map((move) => move.verb ?? ""))];
  return verbs.map((verb) => ({ verb, moves: moves.filter((move) => move.verb === verb) }));
}
