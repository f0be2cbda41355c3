// @ts-check
/** Cards travel from where they were to where they are; nothing moves for whoever asked for reduced motion. */

const reduced = matchMedia("(prefers-reduced-motion: reduce)");
const EASE = "cubic-bezier(.2,.75,.25,1)";

/** Where every card lies now. @param {ParentNode} root @returns {Map<string, DOMRect>} */
export function places(root) {
  /** @type {Map<string, DOMRect>} */
  const found = new Map();
  for (const element of root.querySelectorAll("[data-card]")) {
    const name = /** @type {HTMLElement} */ (element).dataset.card ?? "";
    if (name !== "back") found.set(name, element.getBoundingClientRect());
  }
  return found;
}

/**
 * A place of a card's shape: the last card in here, or the middle of it; undefined if none is to be seen.
 * @param {Element} box
 * @returns {DOMRect | undefined}
 */
export function cardIn(box) {
  const card = Array.from(box.querySelectorAll(".card"))
    .filter((each) => each.getBoundingClientRect().width > 0)
    .pop();
  if (card) return card.getBoundingClientRect();
  const { left, top, width, height } = box.getBoundingClientRect();
  if (!width) return undefined;
  const high = Math.min(height, 48);
  return new DOMRect(left + width / 2 - high * 0.3125, top + (height - high) / 2, high * 0.625, high);
}

/**
 * @param {Element} element
 * @param {DOMRect | undefined} from  where it comes from
 * @param {{delay?: number, duration?: number, flip?: boolean}} [options]  ms
 */
export function arrive(element, from, { delay = 0, duration = 320 } = {}) {
  if (reduced.matches || !from || !from.width) return;
  const to = element.getBoundingClientRect();
  if (!to.width) return;
  const x = from.left + from.width / 2 - to.left - to.width / 2;
  const y = from.top + from.height / 2 - to.top - to.height / 2;
  const scale = from.width / to.width;
  if (Math.abs(x) + Math.abs(y) < 2 && Math.abs(scale - 1) < 0.02) return;
  element.animate(
    [
      { transform: `translate(${x}px, ${y}px) scale(${scale})`, zIndex: 5 },
      { transform: "none", zIndex: 5 },
    ],
    { duration, delay, easing: EASE, fill: "backwards" },
  );
}

/**
 * A card leaves the table for a pile: a copy of it travels there.
 * @param {Element} element  about to be removed
 * @param {Element} target
 * @param {HTMLElement} layer  fixed over the page
 * @param {number} [delay]  ms
 */
export function leave(element, target, layer, delay = 0) {
  if (reduced.matches) return;
  const from = element.getBoundingClientRect();
  const to = target.getBoundingClientRect();
  if (!from.width || !to.width) return;
  const copy = /** @type {HTMLElement} */ (element.cloneNode(true));
  copy.removeAttribute("data-card");
  copy.removeAttribute("data-key");
  copy.setAttribute("aria-hidden", "true");
  copy.className = "card flying";
  for (const [name, value] of Object.entries({
    left: from.left,
    top: from.top,
    width: from.width,
    height: from.height,
  })) {
    copy.style.setProperty(name, `${value}px`);
  }
  layer.append(copy);
  const x = to.left + to.width / 2 - from.left - from.width / 2;
  const y = to.top + to.height / 2 - from.top - from.height / 2;
  copy
    .animate(
      [
        { transform: "none", opacity: 1 },
        { transform: `translate(${x}px, ${y}px) scale(.45)`, opacity: 0.35 },
      ],
      { duration: 420, delay, easing: "cubic-bezier(.5,0,.6,1)", fill: "both" },
    )
    .finished.catch(() => undefined)
    .then(() => copy.remove());
}
