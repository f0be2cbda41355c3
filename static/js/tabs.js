// Tabs of a page work without a script; what is done here: a link to what stands behind a tab opens it, and at the desk
// the tab that is chosen is one of those that are seen there.

const DESK = matchMedia("(width >= 64rem)");

/** @param {string} code */
const find = (code) => /** @type {HTMLInputElement | null} */ (document.getElementById(`scheda-${code}`));

/** At the desk some parts always stand beside the others, and have no tab. */
function leaveHidden() {
  const chosen = document.querySelector(".tab-aside > :checked");
  const lead = document.querySelector(".tab-leads > input");
  if (DESK.matches && chosen && lead instanceof HTMLInputElement) lead.checked = true;
}

/** Open the tab behind which the part of the page's address stands. */
function openAddressed() {
  const part = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
  const panel = part?.closest("[data-panel]");
  if (!(panel instanceof HTMLElement)) return;
  const tab = find(panel.dataset.panel ?? "");
  if (tab) tab.checked = true;
  part?.scrollIntoView();
}

const bracket = () => document.getElementById("bracket");

/** On a telephone one round of the bracket fills the screen: begin with the one that is played. */
function beginBracket() {
  const round = document.querySelector(".bracket-nav > [aria-current]");
  const first = round instanceof HTMLAnchorElement ? document.getElementById(round.hash.slice(1)) : null;
  const scroll = bracket();
  if (first && scroll && scroll.scrollWidth > scroll.clientWidth)
    scroll.scrollTo({ left: first.offsetLeft, behavior: "instant" });
}

/** Mark the round that is seen. @param {Event} event */
function markRound({ target }) {
  if (!(target instanceof HTMLElement) || target.id !== "bracket") return;
  const rounds = [...target.querySelectorAll(".bracket-round")];
  const seen = rounds[Math.round(target.scrollLeft / (target.clientWidth || 1))];
  if (!seen || target.scrollWidth <= target.clientWidth) return;
  for (const link of document.querySelectorAll(".bracket-nav > a")) {
    const current = link instanceof HTMLAnchorElement && link.hash === `#${seen.id}`;
    if (current) link.setAttribute("aria-current", "step");
    else link.removeAttribute("aria-current");
  }
}

export function showTabs() {
  if (!document.querySelector(".tabs")) return;
  document.addEventListener("scroll", markRound, { capture: true, passive: true });
  beginBracket();
  DESK.addEventListener("change", leaveHidden);
  addEventListener("hashchange", openAddressed);
  document.addEventListener("htmx:afterSettle", leaveHidden);
  leaveHidden();
  openAddressed();
}
