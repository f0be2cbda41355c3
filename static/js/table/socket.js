// @ts-check
/**
 * The line to the server: keeps one socket open, comes back by itself, and never loses or doubles an action.
 *
 * An action keeps its id until the server answers it; after a reconnect it is sent again with the same id, so the
 * server gives it its first answer. Views older than the last one are dropped here. It draws nothing.
 */

import { ServerClock, watchJumps } from "../clock.js";
import { ReconnectingSocket } from "../reconnecting_socket.js";

/** @typedef {import("./types.js").View} View */
/**
 * @typedef {{t: string, id: string, v?: number, move?: string, confirm?: boolean, text?: string, with?: string[],
 *   automatic?: string[], hash?: string, nonce?: string}} Action
 */
/** @typedef {{code: string, message?: string, id?: string | null, v?: number}} Refusal */
/**
 * @typedef {object} Handlers
 * @property {(view: View) => void} view
 * @property {(id: string) => void} ack
 * @property {(refusal: Refusal) => void} refused
 * @property {(moves: import("./types.js").LegalMove[], v: number, why?: import("./types.js").Why) => void} hint  what
 *   the house would play at a version
 * @property {(lines: import("./types.js").ChatLine[]) => void} chat
 * @property {(n: number) => void} watchers  how many people watch
 * @property {(state: "open" | "lost" | "replaced" | "signed-out" | "gone") => void} state
 */

const WAITS = { first: 250, longest: 8000, beat: 10_000 }; // ms
// an action without an answer for so long is sent again; with nothing heard at all, on a new line
const PATIENCE = 6000;
const OURS = ["unavailable", "internal"]; // nothing is known to have happened: the same action is asked for again
const UNKNOWN = 1e6; // ms that a view may be old: any answer to a ping knows better
// a game without calls
const SILENT = {
  automatic: [],
  said: [],
  credited: [0, 0],
  seen: [],
  opening: null,
  barred: [],
  shuffle: null,
  paused: null,
  away: [],
};
const FINAL = new Map([
  [4401, "signed-out"],
  [4404, "gone"],
  [4403, "gone"],
]);

export class TableSocket extends ReconnectingSocket {
  /** @param {string} path @param {Handlers} handlers */
  constructor(path, handlers) {
    super(path, WAITS);
    this.handlers = handlers;
    this.version = -1;
    /** @type {Map<string, Action>} actions without an answer yet, oldest first */
    this.pending = new Map();
    this.clock = new ServerClock();
    this.replaced = false; // another window plays this seat: this one looks on, and doesn't take it back by itself
    watchJumps(() => this.pingThrice());
  }

  open() {
    this.replaced = false;
    super.open();
  }

  opened() {
    this.sync();
    for (const action of this.pending.values()) this.send(action);
    this.pingThrice();
    this.handlers.state("open");
  }

  /** Server time, ms since the epoch. */
  now() {
    return this.clock.now();
  }

  /** @param {Omit<Action, "id">} action @returns {string} the id it goes by */
  act(action) {
    const id = identifier();
    const frame = { ...action, id };
    this.pending.set(id, frame);
    this.send(frame);
    this.expect(frame);
    return id;
  }

  /** An answer to this is due; if it doesn't come, it is asked for again, by the same id. @param {Action} action */
  expect(action) {
    const asked = performance.now();
    const { socket } = this;
    setTimeout(() => {
      if (this.stopped || !this.pending.has(action.id)) return;
      if (socket && socket === this.socket && this.heard < asked)
        this.drop(socket); // it is sent again on the next line
      else this.send(action);
      this.expect(action);
    }, PATIENCE);
  }

  sync() {
    this.send({ t: "sync", v: Math.max(0, this.version) });
  }

  pingThrice() {
    for (let i = 0; i < 3; i++) setTimeout(() => this.ping(), i * 150);
  }

  hurry() {
    if (this.isOpen) this.sync();
    if (this.isOpen || !this.replaced) super.hurry();
  }

  /** @param {number} code */
  lost(code) {
    const end = FINAL.get(code);
    if (end) {
      this.stop();
      this.handlers.state(/** @type {"signed-out" | "gone"} */ (end));
    } else if (!this.replaced) {
      this.handlers.state("lost");
    }
    return !this.replaced;
  }

  /** A view, from the socket or the one the page came with. @param {View} frame */
  view(frame) {
    if (!this.clock.samples.length)
      this.clock.learn(frame.now, performance.now() - UNKNOWN, performance.now() + UNKNOWN);
    if (frame.v < this.version) return;
    this.version = frame.v;
    this.handlers.view({ ...SILENT, ...frame });
  }

  /** @param {Record<string, any>} frame */
  received(frame) {
    if (frame.t === "view") {
      this.view(/** @type {View} */ (frame));
    } else if (frame.t === "ack") {
      this.pending.delete(frame.id);
      this.handlers.ack(frame.id);
    } else if (frame.t === "hint") {
      this.pending.delete(frame.id);
      this.handlers.hint(frame.moves, frame.v, frame.why);
    } else if (frame.t === "error") {
      if (OURS.includes(frame.code) && this.pending.has(frame.id)) return; // expect() asks again
      if (frame.id) this.pending.delete(frame.id);
      if (typeof frame.v === "number" && frame.v > this.version) this.sync();
      this.handlers.refused(/** @type {Refusal} */ (frame));
    } else if (frame.t === "pong") {
      this.clock.learn(frame.now, frame.c, performance.now());
    } else if (frame.t === "chat") {
      this.handlers.chat(frame.lines);
    } else if (frame.t === "watchers") {
      this.handlers.watchers(frame.n);
    } else if (frame.t === "replaced") {
      this.replaced = true;
      this.handlers.state("replaced");
    }
  }
}

/** A random UUID; `crypto.randomUUID` is missing on plain http outside this machine. */
function identifier() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
