// Small acts in a long list (`data-in-place`: the roll call, who has paid): sent in the background, one after the
// other, and the page as it is then is put in place. Whoever is at the twentieth row stays there, with the focus.
//
// Names typed one after the other (O2): Enter sends a name in the background and the field is free for the next one.
// Nothing typed meanwhile is lost: names wait in a row, and one that is refused is shown with its reason.

/** @type {Promise<void>} */
let queue = Promise.resolve();
let busy = 0;

/**
 * Do a task after those that wait already.
 * @param {() => Promise<void>} task
 */
function enqueue(task) {
  busy += 1;
  queue = queue.then(task).finally(() => {
    busy = Math.max(0, busy - 1);
  });
}

/** Ask for the whole page anew; what waits behind this task is asked about first. */
function reload() {
  busy -= 1;
  location.reload();
}

/**
 * Put the page as it is now in the place of the old one, around an element that stays as it is.
 * @param {Document} page
 * @param {HTMLElement | null} [kept]
 */
function renew(page, kept) {
  const main = document.querySelector("main");
  const fresh = page.querySelector("main");
  const place = kept ? fresh?.querySelector(`#${kept.id}`) : null;
  if (!main || !fresh || (kept && !place)) return reload();
  const focused = document.activeElement;
  const top = focused?.getBoundingClientRect().top ?? 0;
  const at = focused instanceof HTMLInputElement ? focused.selectionStart : null;
  if (kept) place?.replaceWith(kept);
  main.replaceChildren(...fresh.childNodes);
  if (focused instanceof HTMLInputElement && kept?.contains(focused)) {
    focused.focus({ preventScroll: true });
    focused.setSelectionRange(at, at);
    return;
  }
  const again = focused?.id ? document.getElementById(focused.id) : null;
  again?.focus({ preventScroll: true });
  if (again) window.scrollBy({ top: again.getBoundingClientRect().top - top, behavior: "instant" });
}

/**
 * Send a form and show the page that follows; where that fails, the page as it is.
 * @param {string} address
 * @param {FormData} data
 * @param {HTMLElement | null} [kept]
 */
async function send(address, data, kept) {
  try {
    const answer = await fetch(address, { method: "POST", body: data });
    if (!answer.ok) throw new Error(String(answer.status));
    renew(new DOMParser().parseFromString(await answer.text(), "text/html"), kept);
  } catch {
    reload();
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !("inPlace" in form.dataset)) return;
  event.preventDefault();
  const data = new FormData(form, event.submitter);
  enqueue(() => send(form.action, data, document.getElementById(form.dataset.inPlace ?? "")));
});
addEventListener("beforeunload", (event) => busy && event.preventDefault());

// --- Names ---------------------------------------------------------------------------------------------------------

const nameForm = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-lost]"));
const namesSaid = document.getElementById("names-said");

/** @returns {HTMLInputElement[]} */
const inputs = () => [
  .../** @type {NodeListOf<HTMLInputElement>} */ (nameForm?.querySelectorAll('input[type="text"]') ?? []),
];

/** @param {FormData} data */
const joinNames = (data) =>
  inputs()
    .map((input) => String(data.get(input.name) ?? "").trim())
    .filter(Boolean)
    .join(" – ");

/** @param {FormData} data @param {string} why */
function tell(data, why) {
  const line = document.createElement("p");
  line.textContent = `${joinNames(data)}: ${why}`;
  namesSaid?.append(line);
  if (namesSaid) namesSaid.hidden = false;
}

/** Tell why a name wasn't taken; it comes back into an empty field. @param {FormData} data @param {Document} page */
function refuse(data, page) {
  const why = [...page.querySelectorAll("#aggiungi .form-error li, #aggiungi .error li")];
  tell(data, why.map((line) => line.textContent?.trim()).join(" "));
  giveBack(data);
}

/** Put names back into empty fields. @param {FormData} data */
function giveBack(data) {
  if (inputs().some((input) => input.value)) return;
  for (const input of inputs()) input.value = String(data.get(input.name) ?? "");
  inputs()[0]?.select();
}

/** Send a name, and show the page that follows or why it was refused. @param {FormData} data */
async function sendNames(data) {
  try {
    const answer = await fetch(location.href, { method: "POST", body: data });
    if (!answer.ok) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (answer.redirected) renew(page, nameForm);
    else refuse(data, page);
  } catch {
    tell(data, nameForm?.dataset.lost ?? ""); // whoever sends it again looks first: it might be entered twice
    giveBack(data);
  }
}

nameForm?.addEventListener("submit", (event) => {
  if (!inputs()[0]?.value.trim()) return; // the page says what is missing
  event.preventDefault();
  const second = inputs()[1];
  if (second && !second.value.trim() && document.activeElement === inputs()[0]) return second.focus();
  const data = new FormData(nameForm);
  for (const input of inputs()) input.value = "";
  const boxes = /** @type {NodeListOf<HTMLInputElement>} */ (nameForm.querySelectorAll('input[type="checkbox"]'));
  for (const box of boxes) box.checked = false; // said of these names alone
  inputs()[0]?.focus();
  enqueue(() => sendNames(data));
});
