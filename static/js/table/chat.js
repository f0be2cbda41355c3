// @ts-check
/**
 * What is said at the table: the lines, ready-made phrases, whom this reader doesn't want to hear. It decides nothing.
 */

import { byId, make, set, write } from "./dom.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").ChatLine} ChatLine */
/** @typedef {import("./words.js").Speaker} Speaker */
/** @typedef {{text: string} | {phrase: string}} Said */

const KEPT = 200; // lines shown
const MUTED = "smazzata-muted"; // where this browser remembers the names

export class Chat {
  /**
   * @param {Speaker} speaker
   * @param {(said: Said) => string} say  gives the id the line goes by
   * @param {(about: {line: ChatLine, name: string, said: string}) => void} report
   * @param {import("./tabs.js").Tabs} tabs
   */
  constructor(speaker, say, report, tabs) {
    this.speaker = speaker;
    this.report = report;
    this.tabs = tabs;
    this.panel = byId("chat");
    this.openers = [byId("chat-open"), byId("tab-chat")];
    this.text = /** @type {HTMLInputElement} */ (byId("chat-text"));
    this.own = this.panel.dataset.name ?? ""; // "": a visitor, who only reads
    this.muted = new Set(remembered());
    /** @type {View | null} */
    this.view = null;
    /** @type {ChatLine[]} lines that came before the first view, which has the names */
    this.early = [];
    this.newest = 0;
    this.unread = 0;
    this.sent = "";
    this.typed = false; // whether what was sent is what stands in the field
    this.say = say;
    tabs.shown = () => this.read();
    byId("chat-form").addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.text.value.trim()) this.send({ text: this.text.value });
    });
    byId("chat-phrases").addEventListener("click", (event) => {
      const { phrase } = /** @type {HTMLElement} */ (event.target).dataset;
      if (phrase) this.send({ phrase });
    });
    byId("count-phrases").addEventListener("click", (event) => {
      const { phrase } = /** @type {HTMLElement} */ (event.target).dataset;
      if (!phrase) return;
      this.send({ phrase });
      byId("count-phrases").hidden = true; // once, between two deals
    });
    this.drawMuted();
  }

  /** A deal is counted: who plays in a pair may say one of three things meanwhile. @param {View} view */
  greet(view) {
    byId("count-phrases").hidden = view.seat === null || view.chat || view.status !== "playing";
    write(byId("count-said"), "");
  }

  /** @param {Said} said */
  send(said) {
    this.typed = "text" in said;
    this.sent = this.say(said);
  }

  /** Whatever is before the reader's eyes isn't unread. */
  read() {
    if (!this.tabs.isSeen("chat")) return;
    this.unread = 0;
    this.badge();
    this.toEnd();
  }

  /** @param {View} view */
  take(view) {
    this.view = view;
    const open = view.seat === null ? Boolean(this.own) : view.chat;
    byId("chat-form").hidden = !open;
    byId("chat-phrases").hidden = !open;
    byId("chat-shut").hidden = view.seat === null || view.chat;
    byId("chat-watching").hidden = view.seat !== null || !this.own;
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
    for (const line of lines) {
      if (line.n <= this.newest) continue; // after a reconnect all of them come again
      this.newest = line.n;
      const element = this.line(this.view, line);
      list.append(element);
      if (line.seat !== null && !this.view.chat && !element.hidden)
        write(byId("count-said"), element.textContent ?? "");
      const own = line.seat === null ? line.name === this.own : line.seat === this.view.seat;
      if (!this.tabs.isSeen("chat") && !element.hidden && !own) this.unread++;
    }
    while (list.children.length > KEPT) list.firstElementChild?.remove();
    byId("chat-none").hidden = list.children.length > 0;
    this.toEnd();
    this.badge();
  }

  /** @param {View} view @param {ChatLine} line */
  line(view, line) {
    const { words } = this.speaker;
    const name = line.seat === null ? (line.name ?? "") : this.speaker.seat(view, line.seat);
    const said = line.phrase ? (words[`phrase-${line.phrase}`] ?? line.phrase) : line.text;
    const element = make(
      "p",
      { "data-person": name, "data-watching": line.seat === null },
      make("strong", {}, name),
      line.seat === null ? make("span", { class: "chat-watches" }, words.watches) : null,
      make("span", { class: "chat-said" }, said),
      name === this.own ? null : this.more(line, name, said),
    );
    element.hidden = this.muted.has(name);
    return element;
  }

  /** What can be done about a line. @param {ChatLine} line @param {string} name @param {string} said */
  more(line, name, said) {
    const { words } = this.speaker;
    const mute = make("button", { type: "button", class: "button button-small button-plain" }, words.mute);
    mute.addEventListener("click", () => this.mute(name, true));
    const report = make("button", { type: "button", class: "button button-small button-plain" }, words.report);
    report.addEventListener("click", () => this.report({ line, name, said }));
    return make(
      "details",
      { class: "chat-more", "aria-live": "off" },
      make("summary", { "aria-label": this.speaker.say("line-more", { name }) }, "⋯"),
      mute,
      this.own ? report : null,
    );
  }

  /**
   * Whether this reader wants to hear somebody is their own affair, and their browser's.
   * @param {string} name
   * @param {boolean} muted
   */
  mute(name, muted) {
    if (muted) this.muted.add(name);
    else this.muted.delete(name);
    remember([...this.muted]);
    for (const line of byId("chat-lines").children) {
      const { person } = /** @type {HTMLElement} */ (line).dataset;
      if (person === name) /** @type {HTMLElement} */ (line).hidden = muted;
    }
    this.drawMuted();
    (this.text.closest("[hidden]") ? byId("tab-chat") : this.text).focus();
  }

  drawMuted() {
    byId("chat-muted").hidden = !this.muted.size;
    byId("chat-muted-names").replaceChildren(
      ...[...this.muted].map((name) => {
        const button = make(
          "button",
          { type: "button", class: "button button-small button-plain" },
          this.speaker.say("unmute", { name }),
        );
        button.addEventListener("click", () => this.mute(name, false));
        return button;
      }),
    );
  }

  /** How many people watch. @param {number} n */
  watchers(n) {
    byId("watchers").hidden = !n;
    write(byId("watchers"), this.speaker.say(n === 1 ? "watchers-one" : "watchers", { n }));
  }

  /** The line went out. @param {string} id */
  said(id) {
    if (id !== this.sent) return;
    this.sent = "";
    if (this.typed) this.text.value = "";
    byId("chat-refused").hidden = true;
  }

  /**
   * Whether it was a line of the chat that was refused; it says why, and keeps what was typed.
   * @param {import("./socket.js").Refusal} refusal
   */
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
    const unread = this.unread ? this.speaker.say("chat-new", { n: this.unread }) : "";
    write(byId("chat-words"), unread || words.panel);
    set(byId("tab-chat"), { "aria-label": unread || null });
    for (const opener of this.openers) set(opener, { "data-unread": this.unread > 0 });
  }
}

/** @returns {string[]} */
function remembered() {
  try {
    const found = JSON.parse(localStorage.getItem(MUTED) ?? "[]");
    return Array.isArray(found) ? found.filter((name) => typeof name === "string") : [];
  } catch {
    return []; // a browser that keeps nothing
  }
}

/** @param {string[]} names */
function remember(names) {
  try {
    localStorage.setItem(MUTED, JSON.stringify(names));
  } catch {
    // it holds for this page
  }
}
