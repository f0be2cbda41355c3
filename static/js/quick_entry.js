// Quick entry of results (O4): Enter goes on, from the first points to the second, from there to the next fixture
// without a result, while the row is sent in the background. T asks for a table's number. Nothing typed ahead is lost.

const rows = document.querySelector(".quick-rows");
const finder = document.getElementById("trova");
const number = document.getElementById("tavolo");
const said = document.getElementById("quick-said");

/** @param {Element} row @param {string} name */
const field = (row, name) => /** @type {HTMLInputElement | null} */ (row.querySelector(`input[name="${name}"]`));

/** @returns {HTMLElement[]} */
const listOpen = () => [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-state="open"]'))];

/**
 * Go to where the row is typed: to the first points that are missing.
 * @param {Element | null | undefined} row
 */
function go(row) {
  const first = row && field(row, "points_0");
  const second = row && field(row, "points_1");
  const at = first?.value ? second : first;
  const way = /** @type {HTMLElement | null | undefined} */ (row?.querySelector("a"));
  (at ?? way)?.focus();
  at?.select();
}

/**
 * Go to the first row after this one that waits for its result; after the last, to the first.
 * @param {Element} row
 */
function goOn(row) {
  const all = [...(rows?.children ?? [])];
  const later = all.slice(all.indexOf(row) + 1);
  const waiting = listOpen().filter((other) => other !== row && !other.classList.contains("is-sending"));
  go(waiting.find((other) => later.includes(other)) ?? waiting[0] ?? number?.parentElement);
}

/**
 * Show what stands below the rows as it is now: whether all results are in, then the way on, and what can be undone.
 * @param {HTMLElement | null} fresh
 */
function renewAfter(fresh) {
  const old = document.getElementById("quick-after");
  if (!fresh || !old || old.contains(document.activeElement)) return;
  old.replaceWith(fresh);
  const way = /** @type {HTMLElement | null} */ (fresh.querySelector('[data-note="all_in"] a'));
  if (!document.activeElement?.closest(".quick-row, #trova")) way?.focus();
}

/**
 * Send a row and put the answer in its place: the result as it counts, or why it was refused.
 * @param {HTMLElement} row
 * @param {HTMLFormElement} form
 */
async function send(row, form) {
  const data = new FormData(form);
  data.set("part", "1");
  row.classList.add("is-sending");
  row.dataset.state = "sending";
  goOn(row);
  try {
    const answer = await fetch(location.pathname, { method: "POST", body: data, headers: { Accept: "text/html" } });
    if (!answer.ok && answer.status !== 422) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector(".quick-row");
    if (!fresh) throw new Error("no row");
    row.replaceWith(fresh);
    renewAfter(page.getElementById("quick-after"));
    if (said) said.textContent = (fresh.querySelector(".form-error, .quick-result")?.textContent ?? "").trim();
    if (fresh.matches('[data-state="open"]') && !document.activeElement?.closest(".quick-row")) go(fresh);
  } catch {
    row.classList.remove("is-sending"); // nothing is lost: what was typed is still there, and is sent again
    row.classList.add("is-refused");
    row.dataset.state = "open";
    if (said) said.textContent = row.querySelector(".quick-table")?.textContent ?? "";
  }
}

rows?.addEventListener("keydown", (event) => {
  const at = event.target;
  if (!(event instanceof KeyboardEvent) || !(at instanceof HTMLInputElement) || event.altKey || event.ctrlKey) return;
  if (event.key.toLowerCase() === "t") {
    event.preventDefault();
    number?.focus();
    if (number instanceof HTMLInputElement) number.select();
  }
  const row = at.closest(".quick-row");
  if (event.key === "Enter" && at.name === "points_0" && at.value && row) {
    event.preventDefault();
    const second = field(row, "points_1");
    second?.focus();
    second?.select();
  }
});

rows?.addEventListener("submit", (event) => {
  const form = event.target;
  const row = form instanceof HTMLFormElement ? form.closest(".quick-row") : null;
  if (!(form instanceof HTMLFormElement) || !(row instanceof HTMLElement)) return;
  event.preventDefault();
  send(row, form);
});

finder?.addEventListener("submit", (event) => {
  if (!(number instanceof HTMLInputElement)) return;
  event.preventDefault();
  const here = [...document.querySelectorAll(`[data-table="${CSS.escape(number.value.trim())}"]`)];
  go(here.find((row) => row.matches('[data-state="open"]')) ?? here[0] ?? number.parentElement);
  number.value = "";
});
