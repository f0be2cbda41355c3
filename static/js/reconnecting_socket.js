// @ts-check
/**
 * A socket that comes back by itself: exponential back-off with jitter, at once when the page is looked at again or the
 * network is back; a line on which nothing is heard is dropped, though nobody said that it is dead.
 */

const SILENCE = 7000; // ms; a ping without an answer for so long: the line is dead
const CONNECTING = 8000; // a line that isn't there after so long is begun anew
const HURRIED = 1000; // as CONNECTING, where there is reason to think that it will be better now
export const CROWD = 4429; // too many sockets of one person: it waits until the page is looked at

/**
 * @typedef {{first: number, longest: number, beat: number}} Waits  ms before it comes back, the first time and at
 *   most, and from one ping to the next
 */

export class ReconnectingSocket {
  /** @param {string} path @param {Waits} waits */
  constructor(path, waits) {
    this.url = new URL(path, location.href.replace(/^http/, "ws")).href;
    this.waits = waits;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.attempt = 0;
    this.stopped = true; // until it is opened, and for good once it was told to
    this.retry = 0;
    this.heard = 0;
    this.began = 0; // when the socket was
    addEventListener("online", () => this.hurry());
    addEventListener("offline", () => this.socket && this.drop(this.socket));
    addEventListener("pageshow", (event) => event.persisted && this.hurry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.hurry());
    setInterval(() => this.beat(), waits.beat);
  }

  /** The line is there. */
  opened() {}

  /** @param {Record<string, any>} _frame */
  received(_frame) {}

  /** The line is gone. @param {number} _code @returns {boolean} whether it comes back */
  lost(_code) {
    return true;
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Begin a new line, in the place of the one that is there. */
  open() {
    clearTimeout(this.retry);
    this.stopped = false;
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
      this.opened();
    });
    socket.addEventListener("message", (event) => {
      if (socket !== this.socket) return;
      this.heard = performance.now();
      this.received(JSON.parse(event.data));
    });
    socket.addEventListener("close", (event) => this.end(socket, event.code));
  }

  /** @param {object} frame lost where the line is down */
  send(frame) {
    if (this.isOpen) this.socket?.send(JSON.stringify(frame));
  }

  ping() {
    this.send({ t: "ping", c: performance.now() });
  }

  beat() {
    const { socket } = this;
    if (!socket || !this.isOpen) return;
    const asked = performance.now();
    this.ping();
    setTimeout(() => socket === this.socket && this.isOpen && this.heard < asked && this.drop(socket), SILENCE);
  }

  /** There is reason to think that it will be better now: try the line that is there, or begin one. */
  hurry() {
    if (this.stopped) return;
    if (this.isOpen) this.beat();
    else if (!(this.socket && performance.now() - this.began < HURRIED)) {
      this.attempt = 0;
      this.open();
    }
  }

  /** The line is dead: don't wait for the closing handshake. @param {WebSocket} socket */
  drop(socket) {
    socket.close();
    this.end(socket, 1006);
  }

  /** @param {WebSocket} socket @param {number} code */
  end(socket, code) {
    if (socket !== this.socket || this.stopped) return;
    this.socket = null;
    if (!this.lost(code) || this.stopped) return;
    if (code === CROWD && document.visibilityState !== "visible") return; // hurry() opens it again
    const longest = Math.min(this.waits.longest, this.waits.first * 2 ** this.attempt++);
    this.retry = window.setTimeout(() => this.open(), longest * (0.5 + Math.random() / 2));
  }

  /** Come back no more. */
  stop() {
    this.stopped = true;
    clearTimeout(this.retry);
    this.socket?.close();
    this.socket = null;
  }
}
