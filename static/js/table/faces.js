// @ts-check
/**
 * The faces of those who sit at the table, and the suits, as elements. The page brings the drawings it needs along, of
 * which there are few: a file of all would be one more to ask for.
 */

const SVG = "http://www.w3.org/2000/svg";
const HOUSE = "house";

/**
 * @typedef {{drawn: string[], seats: string[]}} SeatedFaces  symbols, named "face-" or "suit-" and what is by seat, "":
 *   none
 */

/** Put the drawings on the page, where whatever shows them finds them. @param {SeatedFaces | undefined} faces */
export function bringDrawings(faces) {
  if (!faces) return;
  const text = `<svg xmlns="${SVG}" class="visually-hidden" aria-hidden="true">${faces.drawn.join("")}</svg>`;
  document.body.append(
    document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true),
  );
}

/** @param {string} name  of a drawing @param {string} kind  classes of the element @param {number} size  of its box */
export function show(name, kind, size) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", kind);
  svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${name}`);
  svg.append(use);
  return svg;
}

/** @param {SeatedFaces | undefined} faces @param {number} seat @returns {SVGElement | null} */
export function drawFace(faces, seat) {
  const code = faces?.seats[seat];
  return code ? show(`face-${code}`, code === HOUSE ? "face face-house" : "face", 44) : null;
}

/** @param {string} suit */
export function drawSuit(suit) {
  return show(`suit-${suit}`, "suit-mark", 24);
}
