// @ts-check
/** The lines of the chronicle, which outlive a reload of the page: the window remembers those of its last table. */

import { byId, make } from "./dom.js";

const LINES = 200; // kept, shown and remembered
const ALOUD = 10; // lines kept where they are read aloud
const REMEMBERED = "smazzata-chronicle";

export class Log {
  /** @param {HTMLElement} list @param {string} table  what tells this table from others */
  constructor(list, table) {
    this.list = list;
    this.table = table;
    /** @type {string[]} */
    this.lines = remembered(table);
    this.aloud = byId("aloud"); // the lines may be behind another tab
    list.append(...this.lines.map((words) => make("p", {}, words)));
    list.scrollTop = list.scrollHeight;
  }

  /**
   * What was told of the running deal stands there, whether or not this window was there.
   * @param {string[]} told  from its beginning
   * @param {string} before  how the line begins that ends the deal before it, "" for the first
   */
  recall(told, before) {
    let at = 0;
    for (const words of this.lines) if (words === told[at]) at++;
    if (at === told.length) return;
    const end = before ? this.lines.findLastIndex((line) => line.startsWith(before)) : -1;
    this.lines = [...this.lines.slice(0, end + 1), ...told].slice(-LINES);
    this.list.replaceChildren(...this.lines.map((words) => make("p", {}, words)));
    this.list.scrollTop = this.list.scrollHeight;
    this.keep();
  }

  /** @param {string} words */
  add(words) {
    this.lines = [...this.lines.slice(1 - LINES), words];
    this.list.append(make("p", {}, words));
    this.aloud.append(make("p", {}, words));
    while (this.aloud.children.length > ALOUD) this.aloud.firstElementChild?.remove();
    while (this.list.children.length > LINES) this.list.firstElementChild?.remove();
    this.list.scrollTop = this.list.scrollHeight;
    this.keep();
  }

  keep() {
    try {
      sessionStorage.setItem(REMEMBERED, JSON.stringify({ table: this.table, lines: this.lines }));
    } catch {
      // a browser that keeps nothing: the lines last as long as the page
    }
  }
}

/** @param {string} table @returns {string[]} */
function remembered(table) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(REMEMBERED) ?? "{}");
    return kept.table === table && Array.isArray(kept.lines) ? kept.lines.map(String).slice(-LINES) : [];
  } catch {
    return [];
  }
}
