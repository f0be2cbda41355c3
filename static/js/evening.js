// An organiser's evening on one screen (EV12). Touches at the door and at the clock are sent in the background, one
// after the other, and each part of the page is then put in place as it is, beside whatever is being typed. Without
// a line they wait, marked, and are sent again. The field at the door finds by letters; Enter ticks who is found, +
// says that they have paid; the same key takes it back.

const RETRY_MS = 3000;

/** @type {Promise<void>} */
let touches = Promise.resolve();
let unsent = 0;

const door = document.getElementById("appello");
const findForm = /** @type {HTMLFormElement | null} */ (document.getElementById("door-find"));
const findField = /** @type {HTMLInputElement | null} */ (document.getElementById("door-name"));
const hint = document.getElementById("door-keys");
const usualHint = hint?.textContent ?? "";
let asked = ""; // a name that nobody has, for which Enter was pressed once

// --- Parts of the page --------------------------------------------------------------------------------------------

/** @param {string} text */
const parse = (text) => new DOMParser().parseFromString(text, "text/html");

/** @param {Element} part */
function isTypedIn(part) {
  const at = document.activeElement;
  return at instanceof HTMLInputElement && part.contains(at);
}

/**
 * Put each part of a page that may be renewed in the place of the old one, with the focus where it was.
 * @param {Document} page
 */
function renew(page) {
  const focused = document.activeElement?.id ?? "";
  for (const old of document.querySelectorAll("[data-renew]")) {
    const fresh = page.getElementById(old.id);
    if (!fresh || isTypedIn(old)) continue;
    const top = old.scrollTop;
    const open = [...old.querySelectorAll("details")].map((one) => one.open);
    old.replaceWith(fresh);
    fresh.scrollTop = top;
    for (const [place, one] of [...fresh.querySelectorAll("details")].entries()) one.open ||= open[place] ?? false;
  }
  if (focused && document.activeElement === document.body) {
    document.getElementById(focused)?.focus({ preventScroll: true });
  }
  findRows();
}

document.addEventListener("htmx:beforeSwap", (event) => {
  if (!(event instanceof CustomEvent)) return;
  const page = parse(event.detail.serverResponse);
  const fresh = page.getElementById("live");
  if (!fresh || unsent) return event.preventDefault();
  const began = fresh.querySelector(".quick-rows") && !document.querySelector(".quick-rows");
  if (began && !isTypedIn(document.body)) return; // the round has come: all of it is shown anew
  event.preventDefault();
  renew(page);
});

// --- Touches ------------------------------------------------------------------------------------------------------

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Send a touch until it arrives, and show what follows.
 * @param {HTMLFormElement} form
 * @param {FormData} data
 */
async function send(form, data) {
  for (;;) {
    try {
      const answer = await fetch(form.action || location.href, { method: "POST", body: data });
      if (answer.status === 403 || answer.status === 404) return location.reload(); // logged out, or no longer theirs
      if (answer.status !== 422 && !answer.ok) throw new Error(String(answer.status));
      const page = parse(await answer.text());
      showMessages(page);
      if (unsent === 1) renew(page); // else the next answer is newer
      return;
    } catch {
      markUnsent(form);
      await pause(RETRY_MS);
    }
  }
}

/** @param {Document} page what was refused, or done to many, is said */
function showMessages(page) {
  const fresh = page.querySelector(".messages");
  const old = document.querySelector(".messages");
  if (fresh && old) old.replaceWith(fresh);
  else if (fresh) document.querySelector("main")?.prepend(fresh);
  else old?.remove();
}

/** @param {HTMLFormElement} form */
function markUnsent(form) {
  const id = form.querySelector("button")?.id;
  const row = (id ? document.getElementById(id) : null)?.closest(".door-row");
  row?.classList.add("is-unsent");
}

/** @param {HTMLElement} button show the touch at once, as it will be */
function showTouch(button) {
  if (!button.matches(".switch")) return;
  const on = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(on));
  button.classList.toggle("is-on", on);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !("touch" in form.dataset)) return;
  event.preventDefault();
  const data = new FormData(form, event.submitter);
  if (event.submitter instanceof HTMLElement) showTouch(event.submitter);
  unsent += 1;
  touches = touches
    .then(() => send(form, data))
    .finally(() => {
      unsent -= 1;
    });
});
addEventListener("beforeunload", (event) => unsent && event.preventDefault());

// --- Finding at the door ------------------------------------------------------------------------------------------

/** @param {string} text */
const simplify = (text) =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();

/** @returns {HTMLElement[]} */
const listRows = () => [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".door-row"))];

/** Show the rows in which every word stands, and mark the first. @returns {HTMLElement | null} the first */
function findRows() {
  const words = simplify(findField?.value ?? "")
    .split(/[\s,;–-]+/)
    .filter(Boolean);
  /** @type {HTMLElement | null} */
  let first = null;
  for (const row of listRows()) {
    const name = simplify(row.querySelector(".door-name")?.textContent ?? "");
    const isFound = words.every((word) => name.includes(word));
    row.hidden = !isFound;
    if (isFound && words.length) first ??= row;
    row.classList.toggle("is-found", row === first);
  }
  return first;
}

/** @param {HTMLElement} row @param {string} which */
function touch(row, which) {
  const button = /** @type {HTMLButtonElement | null} */ (row.querySelector(`button[id^="${which}-"]`));
  if (!button?.form) return;
  button.form.requestSubmit(button);
  findField?.select();
}

/** @param {string | undefined} text */
function tell(text) {
  if (hint) hint.textContent = text || usualHint;
}

findField?.addEventListener("input", () => {
  asked = "";
  const first = findRows();
  tell(findField.value.trim() && !first && !findForm?.querySelector("button") ? hint?.dataset.nobody : "");
});

findField?.addEventListener("keydown", (event) => {
  const row = findField.value.trim() ? findRows() : null;
  if (event.key === "+" && row) {
    event.preventDefault();
    touch(row, "quota");
  } else if (event.key === "Enter" && row) {
    event.preventDefault();
    touch(row, "presenza");
  } else if (event.key === "Enter" && (!findForm?.querySelector("button") || asked !== findField.value)) {
    event.preventDefault();
    asked = findField.value;
    tell(findForm?.querySelector("button") && asked.trim() ? hint?.dataset.again : "");
  } else if (event.key === "Escape") {
    findField.value = "";
    findRows();
    tell("");
  }
});

findForm?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const data = new FormData(findForm);
  const typed = findField?.value ?? "";
  if (!typed.trim() || !findField) return;
  findField.value = "";
  findRows();
  tell("");
  try {
    const answer = await fetch(location.href, { method: "POST", body: data });
    const page = parse(await answer.text());
    showMessages(page);
    if (!answer.ok && answer.status !== 422) throw new Error(String(answer.status));
    if (answer.status === 422 && !findField.value) findField.value = typed;
    renew(page);
  } catch {
    if (!findField.value) findField.value = typed; // whoever sends it again looks first: it may be entered
    findRows();
  }
});

door?.addEventListener("click", (event) => {
  const chip = event.target instanceof Element ? event.target.closest("[data-show]") : null;
  if (!(chip instanceof HTMLAnchorElement)) return;
  event.preventDefault();
  door.dataset.shown = chip.dataset.show;
  history.replaceState(null, "", chip.href);
  for (const one of door.querySelectorAll("[data-show]")) one.removeAttribute("aria-current");
  chip.setAttribute("aria-current", "true");
});
