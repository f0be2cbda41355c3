// @ts-check
/**
 * The table in the window of the front page goes on while it is looked at: its drawing is asked for again and again,
 * and comes only if it is another. The link to it stays the same element, for whoever is about to click.
 */

const EVERY = 4000; // ms

const findShowcase = () => document.getElementById("vetrina");

async function look() {
  const shown = findShowcase();
  if (!shown || document.visibilityState !== "visible") return;
  try {
    const answer = await fetch(`/vetrina/?visto=${encodeURIComponent(shown.dataset.seen ?? "")}`);
    if (answer.status === 200) draw(shown, await answer.text());
  } catch {
    // the next look tries again
  }
}

/** @param {HTMLElement} shown @param {string} html */
function draw(shown, html) {
  const next = new DOMParser().parseFromString(html, "text/html").getElementById("vetrina");
  if (!next) return;
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
