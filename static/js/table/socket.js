// @ts-check
/**
 * The line to the server: keeps one socket open, comes back by itself, and never loses or doubles an action.
 *
 * An action keeps its id until the server answers it; after a reconnect it is sent again with the same id, so the
 * server gives it its first answer. Views older than the last one are dropped here. It draws nothing.
 */

import { ServerClock, watchJumps } from "../clock.js";

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

const FIRST_WAIT = 250; // ms
const LONGEST_WAIT = 8000;
const PING_EVERY = 10_000;
const SILENCE = 7000; // a ping without an answer for so long: the line is dead
// an action without an answer for so long is sent again; with nothing heard at all, on a new line
const PATIENCE = 6000;
const CONNECTING = 8000; // a line that isn't there after so long is begun anew
const HURRIED = 1000; // as CONNECTING, where there is reason to think that it will be better now
const OURS = ["unavailable", "internal"]; // nothing is known to have happened: the same action is asked for again
const UNKNOWN = 1e6; // ms that a view may be old: any answer to a ping knows better
const CROWD = 4429; // too many sockets of one person
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

export class TableSocket {
  /** @param {string} path @param {Handlers} handlers */
  constructor(path, handlers) {
    this.url = new URL(path, location.href.replace(/^http/, "ws")).href;
    this.handlers = handlers;
    this.version = -1;
    /** @type {Map<string, Action>} actions without an answer yet, oldest first */
    this.pending = new Map();
    this.clock = new ServerClock();
    /** @type {WebSocket | null} */
    this.socket = null;
    this.attempt = 0;
    this.stopped = false;
    this.replaced = false; // another window plays this seat: this one looks on, and doesn't take it back by itself
    this.retry = 0;
    this.heard = 0;
    this.began = 0; // when the socket was
    addEventListener("online", () => this.hurry());
    addEventListener("offline", () => this.socket && this.drop(this.socket));
    addEventListener("pageshow", (event) => event.persisted && this.hurry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.hurry());
    setInterval(() => this.beat(), PING_EVERY);
    watchJumps(() => this.pingThrice());
  }

  open() {
    clearTimeout(this.retry);
    this.stopped = this.replaced = false;
    const before = this.socket;
    this.socket = null;
    before?.close();
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.began = performance.now();
    setTimeout(() => socket.readyState === WebSocket.CONNECTING && this.drop(socket), CONNECTING);
    socket.addEventListener("open", () => {
      if (socket !== this.socket) return;
      this.attempt = 0;
      this.heard = performance.now();
      this.raw({ t: "sync", v: Math.max(0, this.version) });
      for (const action of this.pending.values()) this.raw(action);
      this.pingThrice();
      this.handlers.state("open");
    });
    socket.addEventListener("message", (event) => socket === this.socket && this.receive(event.data));
    socket.addEventListener("close", (event) => this.closed(socket, event.code));
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
    this.raw(frame);
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
      else this.raw(action);
      this.expect(action);
    }, PATIENCE);
  }

  /** @param {object} frame */
  raw(frame) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  sync() {
    this.raw({ t: "sync", v: Math.max(0, this.version) });
  }

  ping() {
    this.raw({ t: "ping", c: performance.now() });
  }

  pingThrice() {
    for (let i = 0; i < 3; i++) setTimeout(() => this.ping(), i * 150);
  }

  beat() {
    if (this.stopped || this.socket?.readyState !== WebSocket.OPEN) return;
    const asked = performance.now();
    this.ping();
    setTimeout(() => {
      if (this.heard < asked && this.socket?.readyState === WebSocket.OPEN) this.drop(this.socket);
    }, SILENCE);
  }

  /** The line is dead though nobody said so: don't wait for the closing handshake. @param {WebSocket} socket */
  drop(socket) {
    socket.close();
    this.closed(socket, 1006);
  }

  hurry() {
    if (this.stopped) return;
    if (this.socket?.readyState === WebSocket.OPEN) {
      this.beat();
      this.sync();
    } else if (!this.replaced && !(this.socket && performance.now() - this.began < HURRIED)) {
      this.attempt = 0;
      this.open();
    }
  }

  /** @param {WebSocket} socket @param {number} code */
  closed(socket, code) {
    if (socket !== this.socket || this.stopped) return;
    this.socket = null;
    const end = FINAL.get(code);
    if (end) {
      this.stop(/** @type {"signed-out" | "gone"} */ (end));
      return;
    }
    if (this.replaced) return;
    this.handlers.state("lost");
    if (code === CROWD && document.visibilityState !== "visible") return; // hurry() opens it when the page is looked at
    const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.attempt++);
    this.retry = window.setTimeout(() => this.open(), longest * (0.5 + Math.random() / 2));
  }

  /** @param {"signed-out" | "gone"} why */
  stop(why) {
    this.stopped = true;
    clearTimeout(this.retry);
    this.socket?.close();
    this.socket = null;
    this.handlers.state(why);
  }

  /** A view, from the socket or the one the page came with. @param {View} frame */
  view(frame) {
    if (!this.clock.samples.length)
      this.clock.learn(frame.now, performance.now() - UNKNOWN, performance.now() + UNKNOWN);
    if (frame.v < this.version) return;
    this.version = frame.v;
    this.handlers.view({ ...SILENT, ...frame });
  }

  /** @param {string} data */
  receive(data) {
    this.heard = performance.now();
    const frame = JSON.parse(data);
    if (frame.t === "view") {
      this.view(frame);
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
      this.handlers.refused(frame);
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
