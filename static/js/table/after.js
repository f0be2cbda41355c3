// @ts-check
/**
 * What comes after a tournament match for one of its players, as the server tells it (a piece of a page), until their
 * next table is open: then they are led there, if the end of this one is still before them.
 */

import { byId } from "./dom.js";

/** @typedef {import("./types.js").View} View */

const REST = 5000; // ms the end of a match is looked at, before the next table takes its place
const CALM = 1500; // ms between two looks, however often the tournament changes
const LOOK_AGAIN = 20_000; // ms: a hint may be lost

export class AfterMatch {
  /** @param {(words: string) => void} say */
  constructor(say) {
    this.say = say;
    this.place = document.getElementById("after"); // of tournament matches alone
    this.said = "";
    this.opened = 0; // when the end was shown; 0: not yet
    this.looked = 0;
    this.timer = 0;
    this.leading = 0;
    this.following = false;
    document.addEventListener("table-open", (event) => this.lead(/** @type {CustomEvent<string>} */ (event).detail));
  }

  /** The match is over. @param {View} view */
  open(view) {
    if (!this.place || this.opened || view.seat === null) return;
    this.opened = performance.now();
    void this.look();
  }

  /** Look soon: much may change in a moment. */
  lookSoon() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.look(), Math.max(50, this.looked + CALM - performance.now()));
  }

  async look() {
    if (!this.place) return;
    clearTimeout(this.timer);
    this.looked = performance.now();
    try {
      const answer = await fetch(this.place.dataset.afterUrl ?? "");
      if (answer.ok) this.draw(await answer.text());
    } catch {
      // the next look tries again
    }
    this.timer = window.setTimeout(() => void this.look(), LOOK_AGAIN);
  }

  /** @param {string} html */
  draw(html) {
    const { place } = this;
    const piece = new DOMParser().parseFromString(html, "text/html").body.firstElementChild;
    if (!place || !(piece instanceof HTMLElement)) return;
    if (bare(place.firstElementChild) !== bare(piece)) place.replaceChildren(piece);
    place.hidden = piece.dataset.after === "none";
    const said = piece.querySelector(".after-said")?.textContent?.trim() ?? "";
    if (said && said !== this.said) this.say(said);
    this.said = said;
    this.follow(piece.dataset.follow ?? "");
    if (piece.dataset.table) this.lead(piece.dataset.table);
  }

  /** Hear of the tournament's changes from now on. @param {string} path  of its socket */
  follow(path) {
    if (this.following || !path) return;
    this.following = true;
    const detail = { path, changed: () => this.lookSoon() };
    const begin = () => document.dispatchEvent(new CustomEvent("follow", { detail }));
    if (document.readyState === "complete") begin();
    else addEventListener("load", begin, { once: true });
  }

  /** The next table is open: one touch leads there, and so does a moment. @param {string} url */
  lead(url) {
    if (!this.place || !this.opened || url === location.pathname) return;
    const go = /** @type {HTMLAnchorElement} */ (document.querySelector("#after-go"));
    go.href = url;
    go.hidden = false;
    byId("result-on").hidden = true;
    clearTimeout(this.leading);
    this.leading = window.setTimeout(
      () => {
        if (!byId("result").hidden) location.replace(url);
      },
      Math.max(0, this.opened + REST - performance.now()),
    );
  }
}

/** What a piece says: a form's token is another each time. @param {Element | null} piece */
function bare(piece) {
  return piece?.outerHTML.replace(/(name="csrfmiddlewaretoken" value=)"\w*"/g, "$1");
}
