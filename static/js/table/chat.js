// @ts-check
/** The table's chat: what was said, and a line to say something where the server allows it. It decides nothing. */

import { byId, make, write } from "./dom.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").ChatLine} ChatLine */
/** @typedef {import("./words.js").Speaker} Speaker */

const KEPT = 200; // lines shown

export class Chat {
  /** @param {Speaker} speaker @param {(words: string) => string} say  gives the id the line goes by */
  constructor(speaker, say) {
    this.speaker = speaker;
    this.panel = byId("chat");
    this.opener = byId("chat-open");
    this.text = /** @type {HTMLInputElement} */ (byId("chat-text"));
    /** @type {View | null} */
    this.view = null;
    /** @type {ChatLine[]} lines that came before the first view, which has the names */
    this.early = [];
    this.newest = 0;
    this.unread = 0;
    this.sent = "";
    this.opener.addEventListener("click", () => this.show(this.panel.hidden));
    byId("chat-close").addEventListener("click", () => this.show(false));
    this.panel.addEventListener("keydown", (event) => event.key === "Escape" && this.show(false));
    byId("chat-form").addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.text.value.trim()) this.sent = say(this.text.value);
    });
  }

  /** @param {boolean} open */
  show(open) {
    this.panel.hidden = !open;
    this.opener.setAttribute("aria-expanded", String(open));
    if (!open) {
      this.opener.focus();
      return;
    }
    this.unread = 0;
    this.badge();
    this.toEnd();
    if (byId("chat-form").hidden) byId("chat-close").focus();
    else this.text.focus();
  }

  /** @param {View} view */
  take(view) {
    this.view = view;
    byId("chat-form").hidden = view.seat === null || !view.chat;
    byId("chat-shut").hidden = view.seat === null || view.chat;
    const early = this.early;
    this.early = [];
    if (early.length) this.add(early);
  }

  /** @param {ChatLine[]} lines */
  add(lines) {
    if (!this.view) {
      this.early.push(...lines);
      return;
    }
    const list = byId("chat-lines");
    for (const { n, seat, text } of lines) {
      if (n <= this.newest) continue; // after a reconnect all of them come again
      this.newest = n;
      list.append(make("li", {}, make("strong", {}, this.view.seats[seat].name), text));
      if (this.panel.hidden) this.unread++;
    }
    while (list.children.length > KEPT) list.firstElementChild?.remove();
    byId("chat-none").hidden = list.children.length > 0;
    this.toEnd();
    this.badge();
  }

  /** The line went out. @param {string} id */
  said(id) {
    if (id !== this.sent) return;
    this.sent = "";
    this.text.value = "";
    byId("chat-refused").hidden = true;
  }

  /** Whether it was a line of the chat that was refused; it says why, and keeps what was typed. @param {import("./socket.js").Refusal} refusal */
  refused(refusal) {
    if (!refusal.id || refusal.id !== this.sent) return false;
    this.sent = "";
    write(byId("chat-refused"), refusal.message ?? "");
    byId("chat-refused").hidden = false;
    return true;
  }

  toEnd() {
    const list = byId("chat-lines");
    list.scrollTop = list.scrollHeight;
  }

  badge() {
    const { words } = this.speaker;
    write(this.opener, this.unread ? this.speaker.say("chat-new", { n: this.unread }) : words.chat);
    this.opener.toggleAttribute("data-unread", this.unread > 0);
  }
}
