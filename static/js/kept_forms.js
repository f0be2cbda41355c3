// Forms that somebody has worked on come back filled: what was typed is kept in this tab while the form is on its way,
// and put back into it where the server didn't take it (the form was too old, the session gone, the site busy), refused
// it on the way to another page, or gave no answer at all. The server says of each form it was sent what became of it
// (players/sent_forms.py). Passwords, codes and files are never kept. What somebody typed is shown to nobody else: a
// mark in a cookie, which the server takes away when somebody comes in or goes out, says whether the reader is the
// same.

const KEY = "smazzata-form";
const KEPT_MS = 3600_000;
const MOST_TOLD = 5; // pages that show the way back to a form: it may be no more
/** @type {Record<string, string>} */
const NAMES = { "": "unknown", 0: "refused", 2: "declined" }; // of the words for each answer
const SECRET = '[type="password"], [type="file"], [autocomplete="one-time-code"], [data-secret], [data-secret] *';
const UNTYPED = ["hidden", "submit", "button", "image", "reset"];

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */
/** @typedef {{id: string, page: string, reader: string, mark: string, at: number, told: number, action: string,
 *   key: string, hidden: string[], names: string[], values: [string, string][],
 *   worked: boolean, typed: string[]}} Kept */

const here = () => location.pathname + location.search;
const reader = () => document.body.dataset.reader ?? "";
const makeName = () => crypto.getRandomValues(new Uint32Array(3)).join("-");

/** @param {string} name */
const readCookie = (name) =>
  document.cookie
    .split("; ")
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? "";

/** @param {string} name @param {string} value @param {number} seconds */
function setCookie(name, value, seconds) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${name}=${value}; path=/; max-age=${seconds}; samesite=lax${secure}`;
}

/** The cookie that stands as long as a reader is the same: a visitor until somebody comes in or goes out, an account
 * until it goes out. @param {string} who */
const nameMark = (who) => (who ? "kept_account" : "kept_visitor");

/** The fields in which somebody types or chooses. @param {HTMLFormElement} form */
const listFields = (form) =>
  /** @type {Field[]} */ (
    [...form.elements].filter(
      (field) => field.matches("input[name], textarea[name], select[name]") && !field.matches(SECRET),
    )
  ).filter((field) => !UNTYPED.includes(field.type));

/** What tells a form from others that look like it: its hidden fields but those that are new on each page.
 * @param {HTMLFormElement} form */
const listHidden = (form) =>
  /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll('input[type="hidden"]')])
    .filter(({ name }) => !["csrfmiddlewaretoken", "key", "stamp"].includes(name))
    .map(({ name, value }) => `${name}=${value}`);

/** The key under which an act is done once. @param {HTMLFormElement} form */
const findKey = (form) =>
  /** @type {HTMLInputElement | null} */ (form.querySelector('input[type="hidden"][name="key"]'));

/** @param {HTMLFormElement} form */
const listNames = (form) => [...new Set(listFields(form).map(({ name }) => name))];

/** @param {Field} field @returns {string[]} */
function readValues(field) {
  if (field instanceof HTMLSelectElement) return [...field.selectedOptions].map(({ value }) => value);
  if (field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type)) {
    return field.checked ? [field.value] : [];
  }
  return [field.value];
}

/** What stands in a form's fields. @param {HTMLFormElement} form */
const listValues = (form) =>
  listFields(form).flatMap((field) =>
    readValues(field).map((value) => /** @type {[string, string]} */ ([field.name, value])),
  );

/** @param {Field} field */
const isText = (field) => !(field instanceof HTMLSelectElement) && !["checkbox", "radio"].includes(field.type);

/** Whether somebody has worked on a field: it isn't as the page brought it. @param {Field} field */
function isWorkedOn(field) {
  if (field instanceof HTMLSelectElement) {
    const options = [...field.options];
    const first = !field.multiple && !options.some((one) => one.defaultSelected) ? options[0] : null;
    return options.some((one) => one.selected !== (one.defaultSelected || one === first));
  }
  if (field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type)) {
    return field.checked !== field.defaultChecked;
  }
  return field.value !== field.defaultValue;
}

/** @param {HTMLFormElement} form @returns {Kept} */
const describe = (form) => ({
  id: makeName(),
  page: here(),
  reader: reader(),
  mark: readCookie(nameMark(reader())) || makeName(),
  at: Date.now(),
  told: 0,
  action: form.getAttribute("action") ?? "",
  key: findKey(form)?.value ?? "",
  hidden: listHidden(form),
  names: listNames(form),
  values: listValues(form),
  worked: listFields(form).some(isWorkedOn),
  typed: listFields(form)
    .filter((field) => isWorkedOn(field) && isText(field))
    .map(({ value }) => value),
});

/** @returns {Kept | null} */
function read() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "");
    return Array.isArray(kept?.values) && kept.at > Date.now() - KEPT_MS ? kept : null;
  } catch {
    return null;
  }
}

const forget = () => sessionStorage.removeItem(KEY);

/** Keep what stands in a form, and tell the server by which name to answer. @param {HTMLFormElement} form */
function keep(form) {
  const kept = describe(form);
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    return; // this browser keeps nothing, or not so much
  }
  setCookie(nameMark(kept.reader), kept.mark, KEPT_MS / 1000);
  setCookie("sent", kept.id, 120);
}

/** What became of the form, by the server's word: "1" it was taken, "0" nobody read it, "2" it was refused; null
 * without an answer. @param {string} id */
function readAnswer(id) {
  const own = readCookie("answered")
    .split("~")
    .find((word) => word.startsWith(`${id}.`));
  return own?.at(-1) ?? null;
}

/** The form of this page that was kept; of one that was refused no other is like it: it may be somebody else's.
 * @param {Kept} kept @param {boolean} refused */
function findForm(kept, refused) {
  const forms = [...document.forms].filter(
    (form) =>
      form.method === "post" &&
      (form.getAttribute("action") ?? "") === kept.action &&
      kept.names.some((name) => form.elements.namedItem(name)),
  );
  const same = forms.filter((form) => listHidden(form).join("&") === kept.hidden.join("&"));
  return same[0] ?? (forms.length === 1 && !refused ? forms[0] : null);
}

/** Put what was typed back into a form; false where it stands there already.
 * @param {HTMLFormElement} form @param {Kept} kept */
function fill(form, kept) {
  const changed = [];
  const left = kept.values.map(([name, value]) => ({ name, value }));
  for (const field of listFields(form).filter(({ name }) => kept.names.includes(name))) {
    const before = JSON.stringify(readValues(field));
    const own = left.filter(({ name }) => name === field.name);
    if (field instanceof HTMLSelectElement) {
      for (const option of field.options) option.selected = own.some(({ value }) => value === option.value);
    } else if (field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type)) {
      field.checked = own.some(({ value }) => value === field.value);
    } else if (own[0]) {
      field.value = own[0].value;
      left.splice(left.indexOf(own[0]), 1); // of several of one name each has its own
    }
    if (JSON.stringify(readValues(field)) !== before) changed.push(field);
    for (let fold = field.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null)
      if (JSON.stringify(readValues(field)) !== before) fold.open = true;
  }
  for (const field of changed) field.dispatchEvent(new Event("change", { bubbles: true }));
  return changed.length > 0;
}

/** Whether a form is just as it was sent. @param {HTMLFormElement} form @param {Kept} kept */
const isAsSent = (form, kept) =>
  JSON.stringify([listHidden(form), listValues(form)]) === JSON.stringify([kept.hidden, kept.values]) &&
  ![...form.elements].some((field) => field.matches(SECRET) && "value" in field && field.value);

/**
 * Give a form the key with which it was sent: if it did arrive, it is the same act again. With anything changed it is
 * another one, under the page's own key.
 * @param {HTMLFormElement} form
 * @param {Kept} kept
 */
function lendKey(form, kept) {
  const key = findKey(form);
  if (!key || !kept.key) return;
  const own = key.value;
  const choose = () => {
    key.value = isAsSent(form, kept) ? kept.key : own;
  };
  for (const type of ["input", "change", "submit"]) form.addEventListener(type, choose, { capture: true });
  choose();
}

/**
 * Say what happened, and what to do, at the beginning of an element.
 * @param {Element | null} place
 * @param {string} what
 * @param {string} page
 */
function tell(place, what, page) {
  for (const told of document.querySelectorAll("[data-kept]")) told.remove();
  const words = /** @type {HTMLTemplateElement | null} */ (document.getElementById("kept-words"));
  const told = words?.content.querySelector(`[data-kept="${what}"]`)?.cloneNode(true);
  if (!(told instanceof HTMLElement)) return;
  for (const link of told.querySelectorAll("a"))
    link.href = link.dataset.login ? `${link.dataset.login}?next=${encodeURIComponent(page)}` : page;
  place?.prepend(told);
  if (what === "declined") told.before(...document.querySelectorAll(".messages > .message-error")); // why, beside it
  told.scrollIntoView({ block: "center" });
}

/** Show what somebody typed into a form that may be possible no more, to copy it from there. @param {Kept} kept */
function showTyped(kept) {
  const list = document.querySelector("[data-kept=gone] ul");
  for (const value of kept.typed) list?.appendChild(document.createElement("li")).append(value);
  if (kept.page === here()) document.querySelector("[data-kept=gone] a")?.remove();
}

/** Bring back what didn't arrive or was refused: into its form, or with the way to it. */
function bringBack() {
  const kept = read();
  const answer = kept && readAnswer(kept.id);
  const left = Boolean(kept?.reader) && !reader(); // the session is gone: it is theirs once they are in again
  const same = kept && readCookie(nameMark(kept.reader)) === kept.mark && (left || kept.reader === reader());
  if (!kept || answer === "1" || !same) return forget();
  const form = !left && kept.page === here() ? findForm(kept, answer === "2") : null;
  const main = document.querySelector("main");
  if (form) {
    const changed = fill(form, kept);
    const missing = kept.names.filter((name) => !form.elements.namedItem(name));
    const later = () => fill(form, { ...kept, names: missing }); // fields that depend on others are fetched first
    if (missing.length > 0) document.addEventListener("htmx:afterSettle", later, { once: true });
    if (answer === null) lendKey(form, kept);
    if (answer !== "2" || changed) tell(form, NAMES[answer ?? ""], kept.page);
    forget();
  } else if (kept.told >= (answer === "2" ? 1 : MOST_TOLD) || (answer === "2" && !kept.worked)) forget();
  else {
    sessionStorage.setItem(KEY, JSON.stringify({ ...kept, told: kept.told + 1 }));
    tell(main, left ? "session" : answer === "2" ? "gone" : "elsewhere", kept.page);
    if (answer === "2" && !left) showTyped(kept);
  }
}

/** Keep forms from now on, and bring back the one that didn't arrive. */
export function keepForms() {
  addEventListener("submit", (event) => {
    const form = event.target;
    setCookie("sent", "", 0); // of a form that never left: no other one answers for it
    if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== "post") return;
    const logsIn = form.querySelector('[type="password"]') && read(); // what waits for that is found afterwards
    if (listFields(form).length > 0 && !logsIn) keep(form);
  });
  addEventListener("pageshow", bringBack);
}
