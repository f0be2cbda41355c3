// @ts-check
/**
 * What the player sees and hears, chosen in the options: true at once, and sent to be kept; if it isn't, they are told.
 */

import { byId } from "./dom.js";

/** @typedef {import("./types.js").Preferences} Chosen */

export class Preferences {
  /** @param {(chosen: Chosen) => void} apply */
  constructor(apply) {
    this.apply = apply;
    this.form = /** @type {HTMLFormElement | null} */ (document.querySelector("#looks")); // a visitor has none
    this.changes = 0;
    this.busy = false;
    if (!this.form) return;
    byId("looks-save").hidden = true;
    const felt = this.form.querySelector("[name=vibration]")?.closest(".field");
    felt?.toggleAttribute("hidden", !("vibrate" in navigator)); // not taken out: it is sent with the rest
    byId("options-open").addEventListener("click", () => this.samples());
    this.form.addEventListener("change", () => this.changed());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.keep();
    });
  }

  /** What the other decks look like: loaded when somebody is about to choose, not with the table. */
  samples() {
    for (const use of this.form?.querySelectorAll("use[data-href]") ?? []) {
      use.setAttribute("href", use.getAttribute("data-href") ?? "");
      use.removeAttribute("data-href");
    }
  }

  /** Choose yes or no in the form, as by hand; whether there is one. @param {string} name @param {boolean} on */
  choose(name, on) {
    const box = /** @type {HTMLInputElement | null | undefined} */ (this.form?.querySelector(`[name=${name}]`));
    if (!box) return false;
    box.checked = on;
    this.changed();
    return true;
  }

  changed() {
    this.changes += 1;
    if (this.form) this.apply(chosen(this.form));
    void this.keep();
  }

  /** One at a time, the newest last, so that what is kept is what was chosen last. */
  async keep() {
    if (this.busy || !this.form) return;
    this.busy = true;
    let sent = -1;
    let kept = false;
    while (sent !== this.changes) {
      sent = this.changes;
      kept = await send(this.form);
    }
    this.busy = false;
    byId("looks-lost").hidden = kept;
    byId("looks-save").hidden = kept;
  }
}

/** @param {HTMLFormElement} form @returns {Promise<boolean>} whether the server has it */
async function send(form) {
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body: new FormData(form),
      headers: { Accept: "application/json" },
      redirect: "error",
      keepalive: true,
    });
    return answer.status === 204;
  } catch {
    return false;
  }
}

/** @param {HTMLFormElement} form @returns {Chosen} */
function chosen(form) {
  const data = new FormData(form);
  return {
    deck: String(data.get("deck")),
    indices: data.has("indices"),
    one_click: data.has("one_click"),
    second_tap: String(data.get("second_tap")),
    sound: data.has("table_sound"),
    vibration: data.has("vibration"),
    theme: String(data.get("theme")),
  };
}
