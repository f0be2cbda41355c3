// Names typed one after the other (O2): Enter sends a name in the background and the field is free for the next one.
// Nothing typed meanwhile is lost: names wait in a row, and one that is refused is shown with its reason. The roll call
// (O1) is sent so too: whoever ticks the twentieth name stays there.

const nameForm = document.getElementById("aggiungi");
const namesSaid = document.getElementById("names-said");

/** @type {{ address: string, data: FormData, names: boolean }[]} */
const waiting = [];
let sending = false;

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

/** Put the page as it is now around the form, which stays as it is typed in. @param {Document} page */
function renew(page) {
  const main = document.querySelector("main");
  const fresh = page.querySelector("main");
  const place = fresh?.querySelector("#aggiungi");
  if (!main || !fresh || !place || !nameForm) return location.reload();
  const focused = document.activeElement;
  const top = focused?.getBoundingClientRect().top ?? 0;
  const at = focused instanceof HTMLInputElement ? focused.selectionStart : null;
  place.replaceWith(nameForm);
  main.replaceChildren(...fresh.childNodes);
  if (focused instanceof HTMLInputElement && nameForm.contains(focused)) {
    focused.focus({ preventScroll: true });
    focused.setSelectionRange(at, at);
  } else if (focused?.id) {
    const again = document.getElementById(focused.id);
    again?.focus({ preventScroll: true });
    if (again) window.scrollBy({ top: again.getBoundingClientRect().top - top, behavior: "instant" });
  }
}

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
  if (inputs().some((input) => input.value)) return;
  for (const input of inputs()) input.value = String(data.get(input.name) ?? "");
  inputs()[0]?.select();
}

async function sendAll() {
  if (sending) return;
  sending = true;
  while (waiting.length) {
    const { address, data, names } = waiting[0];
    try {
      const answer = await fetch(address, { method: "POST", body: data });
      if (!answer.ok) throw new Error(String(answer.status));
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (answer.redirected) renew(page);
      else refuse(data, page);
    } catch {
      if (names)
        tell(data, nameForm?.dataset.lost ?? ""); // sent again it might be entered twice
      else if (waiting.length === 1) location.reload();
    }
    waiting.shift();
  }
  sending = false;
}

nameForm?.addEventListener("submit", (event) => {
  if (!(nameForm instanceof HTMLFormElement) || !inputs()[0]?.value.trim()) return; // the page says what is missing
  event.preventDefault();
  const partner = inputs()[1];
  if (partner && !partner.value.trim() && document.activeElement === inputs()[0]) return partner.focus();
  waiting.push({ address: location.href, data: new FormData(nameForm), names: true });
  for (const input of inputs()) input.value = "";
  inputs()[0]?.focus();
  sendAll();
});
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !("inPlace" in form.dataset)) return;
  event.preventDefault();
  waiting.push({ address: form.action, data: new FormData(form, event.submitter), names: false });
  sendAll();
});
addEventListener("beforeunload", (event) => waiting.length && event.preventDefault());
