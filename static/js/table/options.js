// @ts-check
/**
 * The player's automatic calls, switched at the table at any moment (X1). The server keeps them; this shows and asks.
 */

import { byId } from "./dom.js";

/** @typedef {import("./types.js").View} View */

export class Options {
  /** @param {(automatic: string[]) => string} send  gives the id the wish goes by */
  constructor(send) {
    this.dialog = /** @type {HTMLDialogElement} */ (byId("options-dialog"));
    this.boxes = /** @type {HTMLInputElement[]} */ (Array.from(this.dialog.querySelectorAll("[name=automatic]")));
    /** @type {string[]} as the server has them */
    this.kept = [];
    this.sent = "";
    byId("options-open").addEventListener("click", () => this.dialog.showModal());
    for (const box of this.boxes) {
      box.addEventListener("change", () => {
        const elsewhere = this.kept.filter((verb) => this.boxes.every((each) => each.value !== verb));
        this.sent = send([...elsewhere, ...this.boxes.filter((each) => each.checked).map((each) => each.value)]);
      });
    }
  }

  /** @param {View} view */
  take(view) {
    this.kept = view.automatic;
    byId("automatic").hidden = view.seat === null || !this.boxes.length;
    if (!this.sent) this.show();
  }

  show() {
    for (const box of this.boxes) box.checked = this.kept.includes(box.value);
  }

  /** @param {string} id */
  done(id) {
    if (id === this.sent) this.sent = "";
  }

  /** It was refused: shown as it is. @param {string | null | undefined} id */
  refused(id) {
    if (!id || id !== this.sent) return;
    this.sent = "";
    this.show();
  }
}
