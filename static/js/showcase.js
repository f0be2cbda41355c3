// @ts-check
/**
 * The table in the window of the front page, and the lines that name whom one would play, go on while they are looked
 * at: their drawing is asked for again and again, and comes only if it is another. The link to the table stays the same
 * element, for whoever is about to click.
 */

const EVERY = 4000; // ms

const IDS = ["vetrina", "avversari"];

async function look() {
  const [showcase, opponents] = IDS.map((id) => document.getElementById(id));
  if (!opponents || document.visibilityState !== "visible") return;
  const seen = (showcase?.dataset.seen ?? "") + opponents.dataset.seen;
  try {
    const answer = await fetch(`/vetrina/?visto=${encodeURIComponent(seen)}${showcase ? "" : "&solo"}`);
    if (answer.status !== 200) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const [fresh, others] = IDS.map((id) => page.getElementById(id));
    if (others && others.dataset.seen !== opponents.dataset.seen) opponents.replaceWith(others);
    if (showcase && fresh && fresh.dataset.seen !== showcase.dataset.seen) draw(showcase, fresh);
  } catch {
    // the next look tries again
  }
}

/** @param {HTMLElement} shown @param {HTMLElement} next */
function draw(shown, next) {
  const [view, fresh] = [shown, next].map((section) => section.querySelector(".showcase-view"));
  const [link, led] = [shown, next].map((section) => section.querySelector("a.showcase-go"));
  if (!view || !fresh || !link || !led) {
    shown.replaceWith(next);
    return;
  }
  view.replaceWith(fresh);
  link.setAttribute("href", led.getAttribute("href") ?? "");
  const table = /** @type {HTMLElement} */ (shown.querySelector(".showcase-table"));
  const other = /** @type {HTMLElement} */ (next.querySelector(".showcase-table"));
  for (const name of table.getAttributeNames()) table.removeAttribute(name);
  for (const name of other.getAttributeNames()) table.setAttribute(name, other.getAttribute(name) ?? "");
  shown.dataset.seen = next.dataset.seen;
}

setInterval(look, EVERY);
document.addEventListener("visibilitychange", look);
