// A slip's QR code leads here with its code behind the "#", which is sent to nobody: it is typed for the reader (O4).

const openedForm = /** @type {HTMLFormElement | null} */ (document.querySelector('form[data-action="close"]'));
const codeForm = /** @type {HTMLFormElement | null} */ (document.querySelector('form[data-action="code"]'));
const codeField = /** @type {HTMLInputElement | null} */ (codeForm?.querySelector('input[name="code"]') ?? null);

function takeCode() {
  const slipCode = location.hash.slice(1);
  if (!slipCode) return;
  if (codeForm && codeField) {
    history.replaceState(null, "", location.pathname);
    codeField.value = slipCode;
    codeForm.requestSubmit();
  } else {
    openedForm?.requestSubmit(); // another code than the one this telephone has open: the page asks for it anew
  }
}

addEventListener("hashchange", takeCode); // a page that is open already isn't loaded again for its hash
takeCode();
