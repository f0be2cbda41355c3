// @ts-check
/** The lines of the chronicle, which outlive a reload of the page: the window remembers those of its last table. */

import { make } from "./dom.js";

const LINES = 200; // kept, shown and remembered
const REMEMBERED = "smazzata-chronicle";

export class Log {
  /** @param {HTMLElement} list @param {string} table  what tells this table from others */
  constructor(list, table) {
    this.list = list;
    this.table = table;
    /** @type {string[]} */
    this.lines = remembered(table);
    list.setAttribute("aria-live", "off"); // what was heard before isn't read again
    list.append(...this.lines.map((words) => make("p", {}, words)));
    list.scrollTop = list.scrollHeight;
    requestAnimationFrame(() => list.setAttribute("aria-live", "polite"));
  }

  /** @param {string} words */
  add(words) {
    this.lines = [...this.lines.slice(1 - LINES), words];
    this.list.append(make("p", {}, words));
    while (this.list.children.length > LINES) this.list.firstElementChild?.remove();
    this.list.scrollTop = this.list.scrollHeight;
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
