// Home and lobby: what was chosen is kept for the next visit, and what is folded says its values in words.

const YEAR = 31_536_000; // seconds

/** Keep a choice for the next visit: the page is drawn with it then. @param {HTMLInputElement} input */
function keepChoice(input) {
  const { cookie = "" } = input.dataset;
  const value = input.type === "checkbox" ? (input.checked ? "1" : "0") : input.value;
  document.cookie = `${cookie}=${encodeURIComponent(value)}; path=/; max-age=${YEAR}; samesite=lax`;
}

/** Say in the line of the folded fields which levels are accepted, and which partner. @param {HTMLFormElement} form */
function sayFolded(form) {
  const line = /** @type {HTMLElement | null} */ (form.querySelector(".folded-value"));
  if (!line) return;
  const read = (/** @type {string} */ name) => String(new FormData(form).get(name) ?? "").trim();
  const [lowest, highest] = [read("lowest"), read("highest")];
  const levels = lowest || highest ? `${lowest || "…"}–${highest || "…"}` : line.dataset.anyLevel;
  line.textContent = [levels, read("partner") || line.dataset.anyPartner].join(", ");
}

document.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLInputElement && target.dataset.cookie) keepChoice(target);
});
document.addEventListener("input", ({ target }) => {
  const form = target instanceof HTMLElement ? target.closest("form") : null;
  if (form) sayFolded(form);
});
for (const form of document.forms) sayFolded(form);

// What a link leads to on another page is opened in place, where there is a script.
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[data-opens]") : null;
  const kept = link && document.getElementById(link.getAttribute("data-opens") ?? "");
  if (!link || !(kept instanceof HTMLTemplateElement)) return;
  event.preventDefault();
  const section = kept.parentElement;
  const opened = section?.querySelector(":scope > .tiles");
  link.setAttribute("aria-expanded", String(!opened));
  if (opened) return opened.remove();
  kept.after(kept.content.cloneNode(true));
  section?.querySelector(/** @type {"button"} */ (":scope > .tiles button"))?.focus();
});
