// The service worker of the site: a page for when there is no network, and the messages of the push service.
//
// It keeps that page and its files, and nothing else: no page of a reader, no table, no answer of the API. So an old
// one can do no harm, and a new one takes its place at once. config/web_app.py puts SETUP before this text; its version
// changes with whatever is kept. Pages that are opened are asked for as always; only where nobody answers is the kept
// one shown. Whatever isn't the opening of a page goes past this.

/** @type {any} its type is another library's than that of the pages' scripts */
const worker = globalThis;
/** @type {{version: string, offline: string, files: string[], icon: string, badge: string}} */
const setup = worker.SETUP;
const PREFIX = "smazzata-";
const CACHE = PREFIX + setup.version;

/** Keep the offline page as everybody gets it: without cookies it has nothing of whoever is signed in. */
async function keep() {
  const cache = await caches.open(CACHE);
  const wanted = [setup.offline, ...setup.files];
  await cache.addAll(wanted.map((url) => new Request(url, { credentials: "omit", cache: "no-cache" })));
  await worker.skipWaiting();
}

/** Take over from the worker before, whose files nobody needs any more. */
async function begin() {
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

/** What is kept of that address, for whoever asks. @param {RequestInfo} request */
const find = (request) => caches.match(request, { cacheName: CACHE, ignoreVary: true });

/** @param {{request: Request, preloadResponse: Promise<Response | undefined>}} event */
async function answer(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch (error) {
    const kept = await find(setup.offline);
    if (!kept) throw error;
    return kept;
  }
}

/** @param {string} said a message of ours, as JSON */
async function show(said) {
  const { title = "Smazzata", body = "", url = "/", lang = "" } = JSON.parse(said || "{}");
  await worker.registration.showNotification(title, {
    body,
    lang,
    icon: setup.icon,
    badge: setup.badge,
    tag: url, // of one table the latest alone
    renotify: true,
    data: { url },
  });
}

/**
 * Go to the table: where it is open, else in a window of its own, for in another something may be half written.
 * @param {string} url
 */
async function lead(url) {
  const target = new URL(url, worker.location.origin);
  if (target.origin !== worker.location.origin) return;
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((/** @type {{url: string}} */ client) => new URL(client.url).pathname === target.pathname);
  if (there) await there.focus();
  else await worker.clients.openWindow(target.href);
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(keep()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(begin()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(answer(event));
  else if (setup.files.includes(new URL(request.url).pathname))
    event.respondWith(find(request).then((kept) => kept ?? fetch(request)));
});
worker.addEventListener("push", (/** @type {any} */ event) => event.waitUntil(show(event.data?.text() ?? "")));
worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(lead(event.notification.data?.url ?? "/"));
});
