// Chips that are links or buttons, one of them chosen: one stop of the Tab key, and arrows go from one to the next, as
// among radio buttons. Without it each is a stop.

const STEPS = new Map([
  ["ArrowRight", 1],
  ["ArrowDown", 1],
  ["ArrowLeft", -1],
  ["ArrowUp", -1],
]);
const CHOSEN = '[aria-current]:not([aria-current="false"]), [aria-pressed="true"]';

/** @param {Element} row @returns {HTMLElement[]} */
const chipsOf = (row) =>
  [...row.querySelectorAll("a.chip, button.chip:not(:disabled)")].map((chip) => /** @type {HTMLElement} */ (chip));

function stopOnce() {
  for (const row of document.querySelectorAll(".chips")) {
    const chips = chipsOf(row);
    const chosen = chips.find((chip) => chip.matches(CHOSEN));
    if (chosen) for (const chip of chips) chip.tabIndex = chip === chosen ? 0 : -1;
  }
}

/** @param {KeyboardEvent} event */
function step(event) {
  const chip = event.target instanceof HTMLElement && event.target.matches(".chip") ? event.target : null;
  const row = chip?.closest(".chips");
  const by = STEPS.get(event.key);
  const chips = row ? chipsOf(row) : [];
  if (!chip || !by || !chips.includes(chip) || !chips.some((one) => one.tabIndex < 0)) return;
  event.preventDefault();
  chips[(chips.indexOf(chip) + by + chips.length) % chips.length].focus();
}

/** Keep every row of chips one stop, also after its region was drawn anew. */
export function keepChips() {
  stopOnce();
  document.addEventListener("htmx:afterSettle", stopOnce);
  document.addEventListener("keydown", step);
}
