// A match being set up: what depends on the choices is fetched anew at each of them (htmx). What is chosen or typed
// while the answer is on its way stays as it is, and a form sent meanwhile waits for the answer.

const FETCHED = "match-fields";
const PARTS = ["match-fields", "seats-field", "posti-fields"]; // what comes with it, where there is such a part
const form = document.getElementById(FETCHED)?.closest("form");

/** @param {string} path What is looked for in the fetched parts. */
const inside = (path) => PARTS.map((part) => `#${part} ${path}`).join(", ");

/** @param {FormData} data @param {string} name */
const values = (data, name) => JSON.stringify(data.getAll(name));

/**
 * Give the fetched fields of that name the values they have in the data.
 * @param {FormData} data
 * @param {string} name
 */
function put(data, name) {
  const chosen = data.getAll(name);
  for (const field of document.querySelectorAll(inside(`[name="${CSS.escape(name)}"]`))) {
    if (field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type)) {
      field.checked = chosen.includes(field.value);
    } else if (field instanceof HTMLInputElement) {
      field.value = String(chosen[0] ?? "");
    } else if (field instanceof HTMLSelectElement && [...field.options].some(({ value }) => value === chosen[0])) {
      field.value = String(chosen[0]); // unless the game just chosen doesn't know it
    }
  }
}

if (form) {
  let asked = new FormData(form);
  let answered = asked;
  /** @type {string | null} the name of the field that had the focus before the answer, "" where it has none */
  let focused = null;
  /** @type {{ said: FormData, button: HTMLElement | null } | null} */
  let waiting = null;

  form.addEventListener("htmx:beforeRequest", () => (asked = new FormData(form)));
  form.addEventListener("htmx:beforeSwap", () => {
    answered = new FormData(form);
    const at = document.activeElement?.closest(inside("[name]"));
    focused = at ? (at.getAttribute("name") ?? "") : null;
  });
  form.addEventListener("htmx:afterSwap", () => {
    const names = new Set([...asked.keys(), ...answered.keys()]);
    const changed = [...names].filter((name) => values(asked, name) !== values(answered, name));
    for (const name of changed) put(answered, name);
    if (focused !== null && document.activeElement === document.body) recover(focused);
    const at = document.activeElement; // a number about to be typed over is still typed over
    if (at instanceof HTMLInputElement && at.closest(inside("*")) && !changed.includes(at.name)) at.select();
  });

  /** What had the focus has gone with the answer: a field of its name gets it, or the first. @param {string} name */
  function recover(name) {
    const fields = /** @type {HTMLElement[]} */ ([
      ...document.querySelectorAll(inside(":is(input:not([type=hidden]), select)")),
    ]);
    const same = fields.filter((field) => field.getAttribute("name") === name);
    const chosen = same.find((field) => field.matches(":checked")) ?? same[0] ?? fields[0];
    chosen?.focus({ preventScroll: true });
  }

  form.addEventListener("submit", (event) => {
    if (!form.querySelector(".htmx-request")) return;
    event.preventDefault();
    waiting ??= { said: new FormData(form), button: event.submitter };
  });
  form.addEventListener("htmx:afterRequest", () => setTimeout(send)); // htmx first sends what is still to be asked

  /** Send the form that waits, unless the answer has changed something that was on it: then it is looked at again. */
  function send() {
    if (!form || !waiting || form.querySelector(".htmx-request")) return;
    const { said, button } = waiting;
    waiting = null;
    const now = new FormData(form);
    const same = (/** @type {string} */ name) => !now.has(name) || values(said, name) === values(now, name);
    if ([...said.keys()].every((name) => name === "shown" || same(name))) form.requestSubmit(button);
  }
}
