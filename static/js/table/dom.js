// @ts-check
/** Making elements, and keeping lists of them by key so that focus and motion survive a redraw. */

/** @typedef {string | null | undefined | false | Node} Child */

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | boolean | null | undefined>} [attributes]  false, null: left out
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** @param {Element} element @param {Record<string, string | boolean | null | undefined>} attributes */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else if (element.getAttribute(name) !== (value === true ? "" : value))
      element.setAttribute(name, value === true ? "" : value);
  }
}

/** @template {HTMLElement} [T=HTMLElement] @param {string} id @returns {T} */
export function byId(id) {
  return /** @type {T} */ (document.getElementById(id));
}

/** @param {Element} element @param {string} text */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Make `parent` hold one child per item, in order, reusing the child with the same key.
 * @template I
 * @param {Element} parent
 * @param {I[]} items
 * @param {(item: I) => string} key
 * @param {(item: I) => HTMLElement} create
 * @param {(element: HTMLElement, item: I) => void} update
 */
export function keyed(parent, items, key, create, update) {
  const old = new Map(Array.from(parent.children, (child) => [/** @type {HTMLElement} */ (child).dataset.key, child]));
  /** @type {Element | null} */
  let before = null;
  for (const item of items) {
    const name = key(item);
    let child = /** @type {HTMLElement | undefined} */ (old.get(name));
    old.delete(name);
    if (!child) {
      child = create(item);
      child.dataset.key = name;
    }
    update(child, item);
    const place = /** @type {Element | null} */ (before ? before.nextElementSibling : parent.firstElementChild);
    if (place !== child) parent.insertBefore(child, place);
    before = child;
  }
  for (const child of old.values()) child.remove();
}
