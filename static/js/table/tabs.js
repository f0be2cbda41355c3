// @ts-check
/**
 * Points, moves and chat beside the felt: the tab chosen last is remembered; where there is no room for it all, the
 * panel is opened from the bar, or from one of its icons, and closed again.
 */

import { byId, set } from "./dom.js";

const TABS = ["points", "moves", "chat"];
const REMEMBERED = "smazzata-tab"; // where this browser remembers the tab
const FOLDED = 100; // px: a panel that isn't wider shows its icons alone

export class Tabs {
  constructor() {
    this.root = byId("table");
    this.panel = byId("panel");
    this.opener = byId("chat-open");
    /** @type {(tab: string) => void} called when a page of the panel comes before the reader's eyes */
    this.shown = () => {};
    this.at = "points";
    this.opener.addEventListener("click", () => this.toggle(!this.isOpen));
    byId("panel-close").addEventListener("click", () => this.toggle(false));
    this.panel.addEventListener("keydown", (event) => this.pressed(event));
    document.addEventListener("pointerdown", (event) => {
      const at = /** @type {Element} */ (event.target);
      if (this.isOpen && !this.panel.contains(at) && !this.way.contains(at) && !at.closest("dialog"))
        this.toggle(false, false);
    });
    for (const tab of TABS) byId(`tab-${tab}`).addEventListener("click", () => this.pressTab(tab));
    this.choose(remembered());
  }

  /** Whether the panel lies over the felt now. */
  get isOpen() {
    return "panel" in this.root.dataset;
  }

  /** Whether a page of the panel is before the reader's eyes. @param {string} tab */
  isSeen(tab) {
    return this.at === tab && byId(tab).checkVisibility();
  }

  /** @param {string} tab */
  pressTab(tab) {
    const again = this.at === tab && this.isOpen;
    this.choose(tab);
    if (!this.isFolded) return;
    this.toggle(!again, false);
    byId(`tab-${tab}`).focus();
  }

  get isFolded() {
    const { width } = this.panel.getBoundingClientRect();
    return width > 0 && width < FOLDED;
  }

  /** Where the panel was opened from: the bar, or the end of the match. */
  get way() {
    return byId("result").hidden ? this.opener : byId("result-chat");
  }

  /** @param {string} chosen */
  choose(chosen) {
    this.at = chosen;
    for (const tab of TABS) {
      byId(tab).hidden = tab !== chosen;
      set(byId(`tab-${tab}`), { "aria-selected": String(tab === chosen), tabindex: tab === chosen ? null : "-1" });
    }
    remember(chosen);
    this.shown(chosen);
  }

  /** A page of the panel, over whatever lies there. @param {string} tab */
  open(tab) {
    this.choose(tab);
    this.toggle(true);
  }

  /** @param {boolean} open @param {boolean} [moves]  whether the focus goes along */
  toggle(open, moves = true) {
    set(this.root, { "data-panel": open ? "open" : null });
    set(this.opener, { "aria-expanded": String(open) });
    if (open) this.shown(this.at);
    if (moves) (open ? byId(`tab-${this.at}`) : this.way).focus();
  }

  /** Arrows lead from tab to tab, Escape closes what lies over the felt. @param {KeyboardEvent} event */
  pressed(event) {
    if (event.key === "Escape" && this.isOpen) {
      event.stopPropagation();
      this.toggle(false);
      return;
    }
    const at = TABS.indexOf(/** @type {HTMLElement} */ (event.target).id.replace("tab-", ""));
    const step = new Map([
      ["ArrowLeft", -1],
      ["ArrowUp", -1],
      ["ArrowRight", 1],
      ["ArrowDown", 1],
    ]).get(event.key);
    if (at < 0 || step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const tab = TABS[(at + step + TABS.length) % TABS.length];
    this.choose(tab);
    byId(`tab-${tab}`).focus();
  }
}

/** @returns {string} */
function remembered() {
  try {
    const tab = localStorage.getItem(REMEMBERED) ?? "";
    return TABS.includes(tab) ? tab : TABS[0];
  } catch {
    return TABS[0]; // a browser that keeps nothing
  }
}

/** @param {string} tab */
function remember(tab) {
  try {
    localStorage.setItem(REMEMBERED, tab);
  } catch {
    // it holds for this page
  }
}
