// The page of one's devices: puts messages on for this browser, at a click and never by itself; knows it in the list.

const here = /** @type {HTMLElement} */ (document.getElementById("here"));
const button = /** @type {HTMLButtonElement} */ (document.getElementById("push-on"));
const complaint = /** @type {HTMLElement} */ (document.getElementById("push-said"));
const asking = /** @type {HTMLElement} */ (document.getElementById("push-wait"));
const able = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** @param {"on" | "off" | "denied" | "unsupported"} state */
function show(state) {
  for (const words of here.querySelectorAll("[data-when]"))
    if (words instanceof HTMLElement) words.hidden = words.dataset.when !== state;
  button.hidden = state !== "off";
}

/** @param {string} words */
function complain(words) {
  complaint.textContent = words;
  complaint.hidden = !words;
}

/** As the server names a device. @param {PushSubscription} subscription */
async function digest({ endpoint }) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {ArrayBuffer | null} bytes in base64url */
const write = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** This browser's own subscription, made for the site's key as it is now. @param {PushManager} manager */
async function subscribe(manager) {
  const { key: applicationServerKey = "" } = here.dataset;
  const before = await manager.getSubscription();
  if (before && write(before.options.applicationServerKey) !== applicationServerKey) await before.unsubscribe();
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

/** @param {PushSubscription} subscription @returns {Promise<string>} why the server won't have it, or nothing */
async function send(subscription) {
  const data = new FormData();
  data.set("csrfmiddlewaretoken", here.querySelector("input")?.value ?? "");
  data.set("endpoint", subscription.endpoint);
  for (const name of /** @type {PushEncryptionKeyName[]} */ (["p256dh", "auth"]))
    data.set(name, write(subscription.getKey(name)));
  try {
    const answer = await fetch(here.dataset.add ?? "", { method: "POST", body: data, redirect: "error" });
    if (answer.ok) return "";
    return answer.status === 422 ? (await answer.json()).message : (here.dataset.refused ?? "");
  } catch {
    return here.dataset.lost ?? "";
  }
}

async function turnOn() {
  complain("");
  button.disabled = true;
  try {
    const answer = await Notification.requestPermission();
    if (answer === "denied") return show("denied");
    if (answer !== "granted") return; // they closed the question
    asking.hidden = false;
    const registration = await navigator.serviceWorker.ready;
    const subscription = await subscribe(registration.pushManager);
    const refusal = await send(subscription);
    if (refusal) return complain(refusal);
    const { title = "", body = "" } = here.dataset;
    await registration.showNotification(title, { body, tag: "on" });
    location.reload();
  } catch {
    complain(here.dataset.refused ?? "");
  } finally {
    asking.hidden = true;
    button.disabled = false;
  }
}

/** Its own browser's subscription ends with the device. @param {SubmitEvent} event @param {PushSubscription} own */
async function remove(event, own) {
  event.preventDefault();
  await own.unsubscribe().catch(() => {});
  if (event.target instanceof HTMLFormElement) event.target.submit();
}

async function begin() {
  if (!able) return show("unsupported");
  if (Notification.permission === "denied") return show("denied");
  button.addEventListener("click", turnOn);
  show("off");
  const own = await (await navigator.serviceWorker.ready).pushManager.getSubscription();
  const listed = own && document.querySelector(`[data-device="${await digest(own)}"]`);
  if (!own || !listed || Notification.permission !== "granted") return;
  show("on");
  listed.querySelector("[data-this]")?.removeAttribute("hidden");
  listed.querySelector("form")?.addEventListener("submit", (event) => remove(event, own));
}

begin();
