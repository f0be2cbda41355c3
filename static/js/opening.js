// Who has their tournament's page in front while their table waits is taken there after three seconds, unless they say
// that they stay.

const SECONDS = 3;
const KEPT = "stays-from"; // the table to which this window isn't to go by itself

/** The count before a table opens by itself. */
export class Opening {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  #left = 0;
  #url = "";

  /** @param {(url: string) => void} leave what takes the reader to a table */
  constructor(leave) {
    this.leave = leave;
    document.addEventListener("click", ({ target }) => {
      if (target instanceof Element && target.closest("[data-stay]")) this.#stay();
    });
    document.addEventListener("keydown", ({ key }) => {
      if (key === "Escape" && this.#timer) this.#stay();
    });
  }

  /** Count before this table opens; asked again, as when the page is drawn anew, it goes on. @param {string} url */
  begin(url) {
    if (sessionStorage.getItem(KEPT) === url) return this.stop();
    if (this.#timer && url === this.#url) return this.#show();
    this.stop();
    this.#url = url;
    this.#left = SECONDS;
    this.#timer = setInterval(() => this.#count(), 1000);
    this.#show();
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = undefined;
    document.querySelector("[data-opening]")?.removeAttribute("data-left");
  }

  #stay() {
    sessionStorage.setItem(KEPT, this.#url);
    this.stop();
  }

  #count() {
    this.#left -= 1;
    if (this.#left > 0) return this.#show();
    this.stop();
    this.leave(this.#url);
  }

  #show() {
    const line = document.querySelector("[data-opening]");
    if (!(line instanceof HTMLElement)) return;
    line.dataset.left = String(this.#left);
    const words = line.querySelector("span");
    if (words) words.textContent = `${line.dataset.opening} ${this.#left}`;
  }
}
