// What keeps a page live: the person's socket (their table is open), the page's socket (something changed), the
// countdowns. It draws nothing itself: a hint makes htmx fetch the page's #live region again.

import { keepChips } from "./chips.js";
import { pageClock } from "./clock.js";
import { keepForms } from "./kept_forms.js";
import { CROWD, ReconnectingSocket } from "./reconnecting_socket.js";
import { Sound } from "./sound.js";

const WAITS = { first: 500, longest: 15_000, beat: 25_000 }; // ms
const POLL_MS = 10000;

/** The socket of a page or a person: hints come in, and nothing is lost with one. */
class LiveSocket extends ReconnectingSocket {
  /**
   * @param {string} path
   * @param {(frame: Record<string, any>) => void} onFrame
   * @param {(up: boolean) => void} onState
   */
  constructor(path, onFrame, onState) {
    super(path, WAITS);
    this.onState = onState;
    this.received = onFrame;
    addEventListener("pagehide", () => this.socket?.close());
    this.open();
  }

  opened() {
    this.onState(true);
  }

  /** @param {number} code */
  lost(code) {
    this.onState(false);
    return code !== CROWD; // another of their pages needs the socket more, until this one is looked at
  }
}

// --- The live region -----------------------------------------------------------------------------------------------

const region = () => document.getElementById("live");
let refreshing = false;
let again = false;
let hinted = 0;

/**
 * htmx, from a script of its own that may come later.
 * @returns {{ajax: (verb: string, url: string, how: object) => Promise<void>} | undefined}
 */
const drawer = () => Reflect.get(globalThis, "htmx");

/** Seconds for which a page where much changes stays as it is, however many hints come. */
const calmMs = Number(document.querySelector("main")?.dataset.liveCalm ?? 0) * 1000;
let refreshed = -calmMs;

/** Many hints in a moment are one refresh, and not every reader's at the same instant. */
function refreshSoon() {
  if (hinted) return;
  const rest = Math.max(0, refreshed + calmMs - performance.now());
  hinted = setTimeout(
    () => {
      hinted = 0;
      refresh();
    },
    rest + 50 + Math.random() * Math.max(250, calmMs / 3),
  );
}

let due = 0;

/** Ask again at the hour from which the region says something else, though nobody hints at it. */
function refreshWhenDue() {
  clearTimeout(due);
  const at = Date.parse(region()?.dataset.refreshAt ?? "");
  if (at) due = setTimeout(refresh, Math.max(0, at - pageClock.now()) + 300);
}

/** How to find a control of the region drawn anew; "" if there is no way. @param {HTMLElement} element */
function selectorOf(element) {
  if (element.id) return `#${CSS.escape(element.id)}`;
  const within = element.closest("details[id]");
  if (element.matches("summary") && within) return `#${CSS.escape(within.id)} > summary`;
  if (element instanceof HTMLAnchorElement) return `a[href="${CSS.escape(element.getAttribute("href") ?? "")}"]`;
  const form = element.closest("form")?.getAttribute("action");
  return form ? `form[action="${CSS.escape(form)}"] button` : "";
}

/**
 * Remember where the focus is in the region: what it returns focuses that control in the region drawn anew, the same
 * one of several alike; where it is gone, the heading of the part it stood in, and the reader stays there.
 */
function focused() {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || !region()?.contains(element)) return () => {};
  const selector = selectorOf(element);
  const alike = () => [...(selector ? (region()?.querySelectorAll(selector) ?? []) : [])];
  const nth = alike().indexOf(element);
  const heading = element.closest("section[aria-labelledby]")?.getAttribute("aria-labelledby");
  return () => {
    const found = alike()[nth] ?? alike()[0] ?? document.getElementById(heading ?? "");
    if (!(found instanceof HTMLElement)) return;
    if (found.id === heading) found.tabIndex = -1;
    found.focus({ preventScroll: true });
  };
}

/** What the reader has opened, scrolled or focused inside the region, so that a refresh doesn't undo it. */
function place() {
  const live = region();
  const focus = focused();
  const opened = new Map([...(live?.querySelectorAll("details[id]") ?? [])].map((d) => [d.id, d.hasAttribute("open")]));
  const scrolled = new Map(
    [...(live?.querySelectorAll("[data-keep-scroll]") ?? [])].map((e) => [e.id, [e.scrollLeft, e.scrollTop]]),
  );
  const kept = /** @type {HTMLInputElement[]} */ ([...(live?.querySelectorAll("input[data-keep]") ?? [])]);
  const chosen = kept.filter((input) => input.checked !== input.defaultChecked);
  return () => {
    if (region() === live) return; // it stays, with what the reader has done in it meanwhile
    for (const [id, open] of opened) document.getElementById(id)?.toggleAttribute("open", open);
    for (const [id, [left, top]] of scrolled) document.getElementById(id)?.scrollTo({ left, top, behavior: "instant" });
    for (const { name, value, checked } of chosen) {
      const same = `input[data-keep][name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`;
      const input = /** @type {HTMLInputElement | null | undefined} */ (region()?.querySelector(same));
      if (input && (checked || input.type === "checkbox")) input.checked = checked;
    }
    focus();
  };
}

/**
 * @typedef {{ ajax: (verb: string, path: string, context: { target: string, swap: string }) => Promise<void> }} Htmx
 */

/** Put the region as it is now in the old one's place, on pages that need no htmx. @param {() => void} before */
async function replaceRegion(before) {
  const headers = { "HX-Request": "true", "HX-Target": "live" };
  const answer = await fetch(location.pathname + location.search, { headers });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("live");
  before();
  if (fresh) region()?.replaceWith(fresh);
  showWays();
}

async function refresh() {
  const htmx = drawer();
  if (!region()) return;
  if (refreshing) {
    again = true;
    return;
  }
  refreshing = true;
  refreshed = performance.now();
  let restore = place();
  region()?.addEventListener("htmx:beforeSwap", () => (restore = place()), { once: true }); // done while it was asked
  try {
    if (htmx) await htmx.ajax("GET", location.pathname + location.search, { target: "#live", swap: "outerHTML" });
    else await replaceRegion(() => (restore = place()));
  } catch {
    // the next hint, or the poll, tries again
  }
  restore();
  refreshing = false;
  const open = region()?.dataset.openTable;
  const shown = document.getElementById("table-banner")?.dataset.table;
  if (shown && open !== undefined && shown !== open) settled(shown); // a hint was lost
  tick();
  refreshWhenDue();
  goToTable();
  if (again) {
    again = false;
    refresh();
  }
}

// --- The table is open (W1) ----------------------------------------------------------------------------------------

const plainTitle = document.title;
/** News that can't wait until the reader looks: with sound and title, as for a table. */
const PRESSING = new Set([
  "cancelled_too_few_entries",
  "cancelled_by_organiser",
  "cancelled_nobody_left",
  "checkin_open",
  "starts_soon",
  "referee_called",
]);
/** @type {Record<string, [string, string]>} what each notice says, and the words of its link */
const notices = JSON.parse(document.getElementById("notice-words")?.textContent || "{}");
let flashing = 0;
const CALL = 0.16; // louder than what is heard at a table
const sound = new Sound(!("noSound" in document.body.dataset), false);

/** @param {string} words @param {string} [until]  an instant, to which the title counts down */
function flash(words, until = "") {
  clearInterval(flashing);
  const ends = Date.parse(until);
  const title = () => (ends ? `♦ ${countdown(secondsTo(ends))} ${words}` : `♦ ${words}`);
  let odd = false;
  flashing = setInterval(() => {
    odd = !odd || Boolean(ends); // what counts down stands there all the time
    document.title = odd ? title() : plainTitle;
  }, 1000);
  document.title = title();
}

/** Nobody waits for the reader at the table any more: it's over, or they sit there. @param {string} url */
function settled(url) {
  const live = region();
  if (live?.dataset.awaitedTable === url) delete live.dataset.awaitedTable;
  const banner = document.getElementById("table-banner");
  if (!banner || banner.dataset.table !== url) return;
  const news = banner.querySelector(":scope > [data-news]");
  if (news) banner.firstElementChild?.replaceWith(news);
  news?.removeAttribute("data-news");
  banner.hidden = !news;
  delete banner.dataset.table;
  calm();
}

function calm() {
  clearInterval(flashing);
  flashing = 0;
  document.title = plainTitle;
}

/**
 * Show a line of news on top of whatever page this is.
 * @param {string} url where it leads: an address of ours
 * @param {string} news
 * @param {string} title
 * @param {string} action the link's words
 * @param {boolean} table whether somebody waits for the reader there: other news stands below that
 * @param {string} until  an instant, until which they wait
 */
function announce(url, news, title, action, table = false, until = "") {
  if (!url.startsWith("/") || url.startsWith("//") || url === location.pathname) return false;
  const banner = document.getElementById("table-banner");
  const row = banner && (waited(banner) && !table ? newsRow(banner) : banner.firstElementChild);
  if (!banner || !row) return false;
  const words = document.createElement("p");
  const strong = document.createElement("strong");
  strong.textContent = news;
  words.append(strong, " ", title);
  if (until) words.append(" ", waiting(until));
  const link = document.createElement("a");
  link.className = "button button-small";
  link.href = url;
  link.textContent = action;
  row.replaceChildren(words, link);
  if (table) banner.dataset.table = url;
  else if (row === banner.firstElementChild) delete banner.dataset.table;
  banner.hidden = false;
  return true;
}

/** How long a table still waits for the reader. @param {string} until */
function waiting(until) {
  const left = document.createElement("span");
  left.className = "table-left";
  const time = document.createElement("time");
  time.className = "number";
  time.dateTime = until;
  time.toggleAttribute("data-countdown", true);
  left.append(document.body.dataset.tableLeft ?? "", " ", time);
  return left;
}

/** Whether the banner calls the reader to a table. @param {HTMLElement} banner */
const waited = (banner) => !banner.hidden && Boolean(banner.dataset.table);

/** Where news stands while the table goes first. @param {HTMLElement} banner */
function newsRow(banner) {
  const row = banner.querySelector(":scope > [data-news]") ?? document.createElement("div");
  row.className = "wrap table-banner-row";
  row.toggleAttribute("data-news", true);
  banner.append(row);
  return row;
}

/** @param {Record<string, unknown>} frame from the person's socket */
function personal(frame) {
  const { tableTitle = "", tableLink = "" } = document.body.dataset;
  const url = String(frame.url ?? "");
  const title = String(frame.title ?? "");
  const until = String(frame.until ?? "");
  if (frame.t === "hello") {
    greeted(/** @type {Waiting | undefined} */ (frame.table));
  } else if (frame.t === "table") {
    const quiet = "noBanner" in document.body.dataset && url !== location.pathname; // as the reader prefers
    if (quiet || announce(url, tableTitle, title, tableLink, true, until)) {
      document.getElementById("table-banner")?.setAttribute("data-table", url);
      tick();
      flash(tableTitle, until);
      sound.play("call", CALL);
    }
    document.dispatchEvent(new CustomEvent("table-open", { detail: url })); // the end of a match leads there
    if (seekBar() && document.visibilityState === "visible") leaveFor(url); // they wait for nothing else
    goToTable(url);
  } else if (frame.t === "settled") {
    settled(url);
  } else if (frame.t === "rematch") {
    document.dispatchEvent(new CustomEvent("rematch")); // the table's page reads how far it has come
  } else if (frame.t === "notice" && Object.hasOwn(notices, String(frame.code))) {
    const [news, action] = notices[String(frame.code)];
    announce(url, news, title, action);
    if (PRESSING.has(String(frame.code))) {
      flash(news);
      sound.play("call", CALL);
    }
  }
}

/** @typedef {{ url: string, title: string, until: string | null }} Waiting  a table that waits for the reader */

/**
 * The person's socket listens. A table that was opened after the page was made, and before that, is called now; of one
 * that the page was made with only the title still has to tell.
 * @param {Waiting | undefined} table
 */
function greeted(table) {
  const shown = document.getElementById("table-banner")?.dataset.table;
  if (!table || table.url === location.pathname) return;
  if (table.url !== shown) personal({ t: "table", ...table });
  else if (table.until) flash(document.body.dataset.tableTitle ?? "", table.until);
}

let leaving = false;

/**
 * Take the reader to a page that takes this one's place in the history. Several may name it at once (an answer, the
 * person's socket, the region drawn anew): a second leave would stop the first. @param {string} url
 */
function leaveFor(url) {
  if (leaving) return;
  leaving = true;
  location.replace(url);
}

addEventListener("pageshow", (event) => {
  if (event.persisted) leaving = false;
});

/**
 * Who has just clicked Gioca subito, or sits at a free table, waits for a table and nothing else: take them there. So
 * is who looks at their tournament's page, while the table there waits for them. The table takes this page's place in
 * the history: going back from it, they aren't sent there again.
 */
function goToTable(url = region()?.dataset.myTable) {
  const awaited = region()?.dataset.awaitedTable;
  const main = /** @type {HTMLElement | null} */ (document.querySelector("main[data-goto-table]"));
  if (url && main) setTimeout(() => leaveFor(url), Number(main.dataset.gotoAfter ?? 0) * 1000);
  else if (awaited && document.visibilityState === "visible") leaveFor(awaited);
}

/**
 * What is done on a page that leads on by itself: sent without a place of its own in the history.
 * @param {SubmitEvent} event
 */
async function leadOn(event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !("leadsOn" in form.dataset)) return;
  event.preventDefault();
  if (form.ariaBusy) return; // a second click
  form.ariaBusy = "true";
  leaving = false; // a click counts, even of whoever stopped the page from leaving
  try {
    const said = new FormData(form, event.submitter);
    const answer = await fetch(form.action, { method: "POST", body: said, headers: { Accept: "application/json" } });
    leaveFor((await answer.json()).url);
  } catch {
    if (!leaving) location.reload(); // and see how things stand
  }
}

// --- Countdowns, and what grows by the second ----------------------------------------------------------------------

/** @param {number} seconds */
function countdown(seconds) {
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const [d, h, m, s] = [seconds / 86400, (seconds / 3600) % 24, (seconds / 60) % 60, seconds % 60].map(Math.floor);
  if (d) return `${d}${document.body.dataset.days} ${h}h`;
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** Whole seconds to an instant, none once it has passed. @param {number} ends  ms since the epoch */
const secondsTo = (ends) => Math.max(0, Math.round((ends - pageClock.now()) / 1000));

function tick() {
  for (const element of document.querySelectorAll("[data-countdown]"))
    element.textContent = countdown(secondsTo(Date.parse(element.getAttribute("datetime") ?? "")));
  for (const element of document.querySelectorAll("[data-since]")) {
    const { since = "", first, eachSecond, end } = /** @type {HTMLElement} */ (element).dataset;
    const waited = secondsSince(since);
    const level = Number(first) + Number(eachSecond) * waited;
    const nearest = Number(eachSecond) < 0 ? Math.max : Math.min;
    element.textContent = first === undefined ? countdown(waited) : String(nearest(level, Number(end)));
  }
  for (const element of document.querySelectorAll("[data-seconds-to]"))
    element.textContent = String(secondsTo(Date.parse(element.getAttribute("data-seconds-to") ?? "")));
  const bar = seekBar();
  if (bar && !flashing) document.title = `${countdown(secondsSince(bar.dataset.began ?? ""))} ${bar.dataset.title}`;
}

// --- The bar of whoever seeks (B2), on every page --------------------------------------------------------------------

const BAR_MS = 10_000;
const seekBar = () => document.getElementById("seek-bar");

/** Whole seconds since an instant. @param {string} began */
const secondsSince = (began) => Math.max(0, Math.floor((pageClock.now() - Date.parse(began)) / 1000));

/** On pages where it stands outside the live region it is asked for by itself; it goes once there is no seek. */
async function refreshBar() {
  const bar = seekBar();
  if (!bar || region()?.contains(bar) || document.visibilityState !== "visible") return;
  try {
    const answer = await fetch("/sala/", { headers: { "HX-Target": "seek-bar" } });
    if (!answer.ok || bar.contains(document.activeElement)) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("seek-bar");
    if (fresh?.dataset.began === bar.dataset.began) return; // its seconds go on by themselves
    if (fresh) bar.replaceWith(fresh);
    else bar.remove();
    if (!fresh) calm();
    tick();
  } catch {
    // the next one tries again
  }
}

// --- The reader's zone (E7) ----------------------------------------------------------------------------------------

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
const zoneIsKnown = () => document.cookie.split("; ").includes(`timezone=${zone}`);
if (/^[\w+/-]+$/.test(zone) && !zoneIsKnown()) {
  document.cookie = `timezone=${zone}; path=/; max-age=31536000; samesite=lax`;
  const { zone: shown = zone } = document.body.dataset; // none where the reader has chosen one
  if (shown !== zone && zoneIsKnown()) correctHours();
}

/** Show by the reader's clock the hours of a page that was made before their zone was known: it is asked for again. */
async function correctHours() {
  const list = (/** @type {Document} */ page) => [...page.querySelectorAll("time[datetime]:not([data-countdown])")];
  const instant = (/** @type {Element} */ hour) => Date.parse(hour.getAttribute("datetime") ?? "");
  if (!list(document).length) return;
  try {
    const answer = await fetch(location.href);
    const right = list(new DOMParser().parseFromString(await answer.text(), "text/html"));
    for (const [index, hour] of list(document).entries()) {
      const same = right[index];
      if (same && instant(same) === instant(hour)) hour.replaceWith(same);
    }
  } catch {
    // the next page has them
  }
}

// --- Start ---------------------------------------------------------------------------------------------------------

const { personaSocket } = document.body.dataset;
if (personaSocket) {
  let heard = false;
  const person = new LiveSocket(personaSocket, personal, (up) => {
    if (up && heard) refreshSoon(); // what was told meanwhile is lost
    heard ||= up;
    if (up && document.hidden) look();
  });
  // Who looks at no page is called by their telephone, if they want (U4).
  const look = () => person.send({ t: "look", on: !document.hidden });
  document.addEventListener("visibilitychange", look);
}

const LINE_MS = 2500;
let cut = 0;

/**
 * Say that the page hears nothing any more, once that lasts: what stands on it is grey meanwhile.
 * @param {boolean} up
 */
function showLine(up) {
  clearTimeout(cut);
  const tell = () => {
    const banner = document.getElementById("line-banner");
    if (banner) banner.hidden = up;
    document.body.toggleAttribute("data-cut", !up);
    for (const button of document.querySelectorAll("[data-needs-line]"))
      if (button instanceof HTMLButtonElement) button.disabled = !up;
  };
  if (up) tell();
  else cut = setTimeout(tell, LINE_MS);
}

const liveSocket = document.querySelector("main")?.dataset.liveSocket;
if (liveSocket && region()) {
  let up = false;
  let once = false;
  new LiveSocket(
    liveSocket,
    (frame) => {
      const seen = Number(region()?.dataset.version ?? -1);
      if (frame.t === "changed" && (frame.v === 0 || !(Number(frame.v) <= seen))) refreshSoon();
    },
    (now) => {
      if (now && once) refreshSoon(); // what was told meanwhile is lost
      up = now;
      once ||= now;
      showLine(now || !once);
    },
  );
  setInterval(() => !up && document.visibilityState === "visible" && refresh(), POLL_MS);
  // what moves without a hint: clocks, turns
  const every = Number(document.querySelector("main")?.dataset.liveEvery) * 1000;
  if (every)
    setInterval(
      () => document.visibilityState === "visible" && !region()?.contains(document.activeElement) && refresh(),
      every,
    );
}

/** A page that learns only now what it has to hear of: a match is over, and its tournament goes on. */
document.addEventListener("follow", (event) => {
  const { path, changed } = /** @type {CustomEvent<{path: string, changed: () => void}>} */ (event).detail;
  new LiveSocket(
    path,
    (frame) => frame.t === "changed" && changed(),
    (up) => up && changed(),
  );
});

document.addEventListener("click", () => flashing && calm());
document.addEventListener("visibilitychange", () => goToTable());
document.addEventListener("submit", leadOn);
goToTable();
tick();
refreshWhenDue();
setInterval(tick, 1000);
setInterval(refreshBar, BAR_MS);

// Sending a page on: buttons that only a browser which can do it shows.
const canShare = typeof navigator.share === "function";
const canCopy = Boolean(navigator.clipboard);

function showWays() {
  for (const button of document.querySelectorAll("button[data-copy], button[data-share]"))
    if (button instanceof HTMLButtonElement) button.hidden = "copy" in button.dataset ? !canCopy : !canShare;
}

document.addEventListener("click", (event) => {
  const ways = "button[data-copy], button[data-share], a[data-share]";
  const button = event.target instanceof Element ? event.target.closest(ways) : null;
  if (!(button instanceof HTMLElement)) return;
  if (button instanceof HTMLAnchorElement && !canShare) return; // it leads where it can be sent
  event.preventDefault();
  const { copy, done = "", share, shareText = "" } = button.dataset;
  if (copy) navigator.clipboard.writeText(copy).then(() => (button.textContent = done));
  else if (share) navigator.share({ text: shareText, url: share }).catch(() => {}); // they changed their mind
});
document.addEventListener("htmx:afterSettle", showWays);
showWays();

keepForms();
keepChips();

/** Day or night: what belongs to one of the two counts as the device says, always, or never. @param {string} theme */
function paint(theme) {
  document.documentElement.dataset.theme = theme;
  for (const element of document.querySelectorAll("[data-scheme]")) {
    const { scheme } = /** @type {HTMLElement} */ (element).dataset;
    element.setAttribute(
      "media",
      theme === "auto" ? `(prefers-color-scheme: ${scheme})` : theme === scheme ? "screen" : "not all",
    );
  }
}

// Choosing colours shows them at once, wherever the choice stands; what keeps it is the form.
document.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLInputElement && target.name === "theme") paint(target.value);
});
