// Quick entry of results (O4): Enter goes on, from the first points to the second, from there to the next fixture
// without a result, while the row is sent in the background. T asks for a table's number. Nothing typed ahead is lost.
// What comes from elsewhere (live.js asks for it) is put beside what is being typed, and never in its place (O13).
// Of a large hall the page has some sheets; the next one comes before the last of its rows is typed.

const OPEN = '[data-state="open"]';
const FEW = 12; // open rows that are left when the next sheet is asked for
const MOST_SHEETS = 3; // at once: the first goes when another comes

const finder = document.getElementById("trova");
const number = document.getElementById("tavolo");
const said = document.getElementById("quick-said");
let seen = 0; // the tournament's version of the last answer: an older picture tells nothing any more
/** @type {Map<string, Element>} */
const held = new Map(); // rows that came from elsewhere while they were being typed here, by their ids

/** @param {Element} row @param {string} name */
const field = (row, name) => /** @type {HTMLInputElement | null} */ (row.querySelector(`[name="${name}"]`));

/** @returns {HTMLElement[]} */
const listOpen = () => [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(OPEN))];

/** @returns {HTMLElement | null} */
const findList = () => document.querySelector(".quick-rows");

/** @type {Set<Promise<void>>} */
const sending = new Set(); // rows on their way
let growing = false;

/**
 * Tell whether somebody is at a row: it is on its way, has the cursor, holds what was typed, or says what is wrong.
 * @param {Element} row
 */
function isBusy(row) {
  if (row.classList.contains("is-sending") || row.contains(document.activeElement)) return true;
  if (row.querySelector(".form-error")) return true;
  return ["points_0", "points_1", "games", "how", "code"].some((name) => field(row, name)?.value);
}

/**
 * Go to where the row is typed: always to its first points, or the line of its games, selected, whatever stands there
 * already. Whoever types without looking types both.
 * @param {Element} row
 */
function go(row) {
  const first = field(row, "points_0") ?? field(row, "games");
  const way = /** @type {HTMLElement | null} */ (row.querySelector("a"));
  (first ?? way)?.focus();
  first?.select();
}

function goToFinder() {
  if (!(number instanceof HTMLInputElement)) return;
  number.focus();
  number.select();
}

/**
 * Go to the first row after this one that waits for its result; after the last, to the first.
 * @param {Element} row
 */
function goOn(row) {
  const all = [...(findList()?.children ?? [])];
  const later = all.slice(all.indexOf(row) + 1);
  const open = listOpen().filter((other) => other !== row && !other.classList.contains("is-sending"));
  const next = open.find((other) => later.includes(other)) ?? open[0];
  if (next) go(next);
  else if (countSheets() === 1) goToFinder();
  else row.querySelector("input")?.blur(); // what is typed ahead belongs to no table that is here
}

/** Return how many sheets the whole list has. */
const countSheets = () => Number(findList()?.dataset.sheets ?? 1);

/**
 * Take in the sheets of an address, and have them asked for anew from now on. What somebody is at stays.
 * @param {string} address
 * @param {HTMLElement} list
 */
async function takeIn(address, list) {
  const answer = await fetch(address, { headers: { Accept: "text/html" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.querySelector(".quick-rows");
  if (!answer.ok || !(fresh instanceof HTMLElement)) return;
  history.replaceState(history.state, "", answer.url);
  addRows(fresh, list);
}

/**
 * Show another part of a large hall, once nothing is on its way any more.
 * @param {string} asked
 */
async function openPart(asked) {
  await Promise.allSettled([...sending]);
  const list = findList();
  const address = `${location.pathname}?${asked}`;
  if (list) await takeIn(address, list).catch(() => location.assign(address));
}

/** Take in the next sheet of a large hall while some rows of these are still to be typed. */
async function growList() {
  const list = findList();
  if (!list || growing || listOpen().length > FEW) return;
  const { first, last, sheets } = list.dataset;
  if (Number(last) >= Number(sheets)) return;
  growing = true;
  const asked = new URLSearchParams(location.search);
  asked.set("fino", String(Number(last) + 1));
  asked.set("pagina", String(Math.max(Number(first), Number(last) + 2 - MOST_SHEETS)));
  for (const name of ["dopo", "tavolo"]) asked.delete(name);
  try {
    await takeIn(`${location.pathname}?${asked}`, list);
  } catch {
    // no line: the sheet is asked for again after the next row
  } finally {
    growing = false;
  }
}

/**
 * Show what stands below the rows as it is now: whether all results are in, then the way on, and what can be undone.
 * Of two answers the older may come last.
 * @param {HTMLElement | null} fresh
 */
function renewAfter(fresh) {
  const old = document.getElementById("quick-after");
  if (!fresh || !old || Number(fresh.dataset.version) < Number(old.dataset.version)) return;
  if (!old.contains(document.activeElement)) old.replaceWith(fresh);
}

/** After the last result Enter leads on. */
function leadOn() {
  const way = /** @type {HTMLElement | null} */ (document.querySelector('#quick-after [data-note="all_in"] a'));
  const at = document.activeElement;
  const isTyping = at?.closest(".quick-row") || (at instanceof HTMLInputElement && at === number && at.value);
  if (!isTyping) way?.focus();
}

/** A row that didn't arrive: by the name of the words about it that the page has. */
class Trouble extends Error {}

/**
 * Post a row. Whoever was logged out and came back by another window has another token: it is asked for once.
 * @param {string} address
 * @param {FormData} data
 * @param {boolean} again
 * @returns {Promise<Document>} with the row as it is then
 */
async function post(address, data, again = false) {
  const answer = await fetch(address, { method: "POST", body: data, headers: { Accept: "text/html" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if ((answer.ok || answer.status === 422) && page.querySelector(".quick-row")) return page;
  if (answer.status === 429) throw new Trouble("many");
  if (answer.status >= 500 || again) throw new Trouble(answer.status >= 500 ? "line" : "session");
  const fresh = new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");
  const token = fresh.querySelector("#live [name=csrfmiddlewaretoken]");
  if (!(token instanceof HTMLInputElement)) throw new Trouble("session");
  data.set("csrfmiddlewaretoken", token.value);
  return post(address, data, true);
}

/**
 * Say in a row why it didn't arrive, and what to do. What was typed is still there, under the key it was sent with: if
 * it did arrive, and only the answer is lost, nothing is done twice.
 * @param {HTMLElement} row
 * @param {string} trouble
 */
function tellTrouble(row, trouble) {
  const words = /** @type {HTMLTemplateElement | null} */ (document.getElementById(`trouble-${trouble}`));
  row.querySelector("[data-trouble]")?.remove();
  const told = words?.content.firstElementChild?.cloneNode(true);
  if (told) row.querySelector("form")?.before(told);
  if (said)
    said.textContent = `${row.querySelector(".quick-table")?.textContent ?? ""} ${told?.textContent ?? ""}`.trim();
}

/**
 * Send a row and put the answer in its place: the result as it counts, or why it was refused.
 * @param {HTMLElement} row
 * @param {HTMLFormElement} form
 */
async function send(row, form) {
  const sent = deliver(row, form);
  sending.add(sent);
  growList();
  await sent;
  sending.delete(sent);
  const isLast = countSheets() > 1 && !listOpen().length && !sending.size && !growing;
  const isOver = document.querySelector('#quick-after [data-note="all_in"]');
  if (!isLast || isOver) return;
  await openPart(`dopo=${row.id.replace(/\D/g, "")}`);
  const [next] = listOpen();
  if (next && document.activeElement === document.body) go(next);
}

/**
 * Send a row, and wait for its answer.
 * @param {HTMLElement} row
 * @param {HTMLFormElement} form
 */
async function deliver(row, form) {
  const data = new FormData(form);
  data.set("part", "1");
  row.classList.add("is-sending");
  row.dataset.state = "sending";
  goOn(row);
  try {
    const page = await post(form.action, data);
    const fresh = /** @type {Element} */ (page.querySelector(".quick-row"));
    held.delete(row.id);
    row.replaceWith(fresh);
    const after = page.getElementById("quick-after");
    seen = Math.max(seen, Number(after?.dataset.version ?? 0));
    renewAfter(after);
    leadOn();
    if (said) said.textContent = (fresh.querySelector(".form-error, .quick-result")?.textContent ?? "").trim();
    if (fresh.matches(OPEN) && !document.activeElement?.closest(".quick-row")) go(fresh);
  } catch (error) {
    row.classList.remove("is-sending");
    row.classList.add("is-refused");
    row.dataset.state = "open";
    tellTrouble(row, error instanceof Trouble ? error.message : "line");
  }
}

/**
 * Put a row that came from elsewhere in the place of the old one, or keep it until nobody is there any more, and show
 * its result meanwhile. Return the row that stands there now.
 * @param {Element} old
 * @param {Element} fresh
 */
function replaceRow(old, fresh) {
  if (!isBusy(old)) {
    held.delete(old.id);
    old.replaceWith(fresh);
    return fresh;
  }
  held.set(old.id, fresh);
  const result = fresh.querySelector(".quick-result");
  if (result && !old.querySelector(".quick-result")) old.append(result.cloneNode(true));
  return old;
}

/**
 * Take in the page as it is now: new rows, results from other desks and telephones, clocks.
 * @param {HTMLElement} fresh
 * @param {Element} list
 */
function merge(fresh, list) {
  if (Number(fresh.dataset.version) < seen) return;
  document.getElementById("live")?.setAttribute("data-version", fresh.dataset.version ?? "");
  const rows = [...fresh.querySelectorAll(".quick-row")];
  leaveOut(rows, list);
  /** @type {Element | null} */
  let before = null;
  for (const row of rows) {
    const old = document.getElementById(row.id);
    if (old) before = replaceRow(old, row);
    else {
      if (before) before.after(row);
      else list.prepend(row);
      before = row;
    }
  }
  for (const id of ["quick-round", "quick-clocks"]) {
    document.getElementById(id)?.replaceWith(fresh.querySelector(`#${id}`) ?? "");
  }
  renewAfter(fresh.querySelector("#quick-after"));
}

/**
 * Take away the rows that aren't among these, but those somebody is at.
 * @param {Element[]} rows
 * @param {Element} list
 */
function leaveOut(rows, list) {
  const ids = new Set(rows.map((row) => row.id));
  for (const old of [...list.children]) if (!ids.has(old.id) && !isBusy(old)) old.remove();
}

/**
 * Add the rows that are new, below the others: those that are here may be newer than these.
 * @param {HTMLElement} fresh
 * @param {HTMLElement} list
 */
function addRows(fresh, list) {
  const rows = [...fresh.querySelectorAll(".quick-row")];
  leaveOut(rows, list);
  list.append(...rows.filter((row) => !document.getElementById(row.id)));
  Object.assign(list.dataset, { ...fresh.dataset });
}

document.addEventListener("htmx:beforeSwap", (event) => {
  const list = findList();
  if (!(event instanceof CustomEvent) || !list) return;
  const fresh = new DOMParser().parseFromString(event.detail.serverResponse, "text/html").getElementById("live");
  if (!fresh) return;
  event.preventDefault(); // it is taken in here
  merge(fresh, list);
});

document.addEventListener("focusout", () =>
  setTimeout(() => {
    for (const [id, fresh] of [...held]) {
      const old = document.getElementById(id);
      if (old) replaceRow(old, fresh);
    }
  }),
);

document.addEventListener("keydown", (event) => {
  const at = event.target;
  const row = at instanceof HTMLInputElement ? at.closest(".quick-row") : null;
  if (!(at instanceof HTMLInputElement) || !row || event.altKey || event.ctrlKey) return;
  if (event.key.toLowerCase() === "t" && at.name !== "code") {
    event.preventDefault();
    goToFinder();
  }
  if (event.key === "Enter" && at.name === "points_0" && at.value) {
    event.preventDefault();
    const second = field(row, "points_1");
    second?.focus();
    second?.select();
  }
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  const row = form instanceof HTMLFormElement ? form.closest(".quick-row") : null;
  if (!(form instanceof HTMLFormElement) || !(row instanceof HTMLElement)) return;
  event.preventDefault();
  send(row, form);
});

/**
 * Return the row of a table that is here, rather one that waits for its result.
 * @param {string} table
 */
function findTable(table) {
  const here = [...document.querySelectorAll(`[data-table="${CSS.escape(table)}"]`)];
  return here.find((one) => one.matches(OPEN)) ?? here[0];
}

finder?.addEventListener("submit", async (event) => {
  if (!(number instanceof HTMLInputElement)) return;
  event.preventDefault();
  const table = number.value.trim();
  number.value = "";
  if (table && !findTable(table) && countSheets() > 1) await openPart(`tavolo=${encodeURIComponent(table)}`);
  const row = findTable(table);
  if (row) go(row);
});

growList();
const waiting = document.querySelector("[autofocus]");
if (waiting instanceof HTMLInputElement) waiting.select();
