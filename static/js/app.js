// Every page: has the service worker installed (worker.js), and notes what its reader may want to know while offline.
// The offline page, which that worker keeps: shows the notes, tries again by itself, and goes on to the page that was
// wanted.

// --- Notes: titles, addresses and hours, never a card. They stay in this browser, and go with their reader ----------

/** @typedef {{url: string, title: string, at: number}} Note the hour of a tournament, or when a table was seen */
/** @typedef {{reader: string, tables: Note[], tournaments: Note[]}} Notes */

const KEY = "smazzata-notes";
const MOST_TABLES = 3;
const MOST_TOURNAMENTS = 8;
const TABLE_KEPT_MS = 3 * 24 * 3600 * 1000;

/** @returns {Notes} */
function readNotes() {
  try {
    const { reader, tables, tournaments } = JSON.parse(localStorage.getItem(KEY) ?? "");
    return {
      reader: String(reader),
      tables: tables.filter(isNote).filter((/** @type {Note} */ note) => note.at > Date.now() - TABLE_KEPT_MS),
      tournaments: tournaments.filter(isNote).filter((/** @type {Note} */ note) => note.at > Date.now()),
    };
  } catch {
    return { reader: "", tables: [], tournaments: [] }; // nothing was kept, or nothing may be
  }
}

/** @param {any} note @returns {boolean} */
const isNote = (note) => typeof note?.title === "string" && Number.isFinite(note.at) && /^\/(?!\/)/.test(note.url);

/** @param {Notes} notes of each address the first counts */
function writeNotes({ reader, tables, tournaments }) {
  const latest = distinct(tables).slice(0, MOST_TABLES);
  const next = distinct(tournaments).sort((a, b) => a.at - b.at);
  try {
    localStorage.setItem(KEY, JSON.stringify({ reader, tables: latest, tournaments: next.slice(0, MOST_TOURNAMENTS) }));
  } catch {
    // this browser keeps nothing
  }
}

/** @param {Note[]} notes */
const distinct = (notes) => notes.filter((note, i) => notes.findIndex((other) => other.url === note.url) === i);

/** The hours on this page at which tournaments will begin. @returns {Note[]} */
function listHours() {
  return [...document.querySelectorAll("[data-keep-hour]")].flatMap((item) => {
    const link = item.querySelector("a[href]");
    const url = link?.getAttribute("href") ?? location.pathname;
    const title = (link ?? document.querySelector("h1"))?.textContent?.trim() ?? "";
    const at = Date.parse(item.querySelector("time[datetime]")?.getAttribute("datetime") ?? "");
    return at > Date.now() ? [{ url, title, at }] : [];
  });
}

/** This page if it is a table, and the table that its reader is called to. @returns {Note[]} */
function listTables() {
  const at = Date.now();
  const banner = /** @type {HTMLElement | null} */ (document.querySelector("#table-banner[data-table]"));
  const places = [
    [location.pathname, document.querySelector("#table h1")],
    [banner?.dataset.table, banner?.querySelector("p > span")],
  ];
  return places.flatMap(([url, title]) =>
    typeof url === "string" && title instanceof Element ? [{ url, title: title.textContent?.trim() ?? "", at }] : [],
  );
}

function note() {
  const { reader = "" } = document.body.dataset;
  const before = readNotes();
  const { tables, tournaments } = before.reader === reader ? before : { tables: [], tournaments: [] };
  writeNotes({ reader, tables: [...listTables(), ...tables], tournaments: [...listHours(), ...tournaments] });
}

// --- The worker ----------------------------------------------------------------------------------------------------

/** Once the page is there: nobody waits for it. */
function install() {
  const { worker } = document.body.dataset;
  if (worker) navigator.serviceWorker?.register(worker).catch(() => {}); // a browser that keeps nothing
}

// --- The offline page ----------------------------------------------------------------------------------------------

const FIRST_MS = 3000;
const MOST_MS = 30000;

/** Whether the site answers; a proxy without a site behind it doesn't count. @param {string} address */
async function answers(address) {
  try {
    return (await fetch(address, { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

/** @param {HTMLElement} main */
function wait(main) {
  const said = /** @type {HTMLElement} */ (document.querySelector("#tried"));
  const { alive = "", own = "" } = main.dataset;
  let pause = FIRST_MS;
  let timer = setTimeout(again, pause);
  let trying = false;

  async function again() {
    if (trying) return;
    trying = true;
    clearTimeout(timer);
    said.textContent = said.dataset.trying ?? "";
    const back = await answers(alive);
    trying = false;
    said.textContent = (back ? said.dataset.back : said.dataset.failed) ?? "";
    if (!back) {
      timer = setTimeout(again, pause);
      pause = Math.min(MOST_MS, pause * 1.5);
    } else if (location.pathname !== own) location.reload(); // the address is that of the page that was wanted
  }

  document.querySelector("#again")?.addEventListener("click", () => {
    pause = FIRST_MS;
    again();
  });
  addEventListener("online", again);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && again());
}

/** @param {string} id @param {Note[]} notes @param {boolean} hours whether they say when */
function list(id, notes, hours) {
  const section = /** @type {HTMLElement} */ (document.getElementById(id));
  const day = { weekday: "short", day: "numeric", month: "short" };
  const format = new Intl.DateTimeFormat(
    document.documentElement.lang,
    /** @type {Intl.DateTimeFormatOptions} */ ({ ...day, hour: "2-digit", minute: "2-digit" }),
  );
  for (const { url, title, at } of notes) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = url;
    link.textContent = title;
    item.append(link);
    if (hours) {
      const hour = document.createElement("time");
      hour.dateTime = new Date(at).toISOString();
      hour.textContent = format.format(at);
      item.append(" · ", hour);
    }
    section.querySelector("ul")?.append(item);
  }
  section.hidden = notes.length === 0;
}

const offline = /** @type {HTMLElement | null} */ (document.querySelector("main[data-alive]"));
if (offline) {
  const { tables, tournaments } = readNotes();
  list("tables", tables, false);
  list("tournaments", tournaments, true);
  /** @type {HTMLElement} */ (document.querySelector("#nothing")).hidden = tables.length + tournaments.length > 0;
  wait(offline);
} else {
  note();
  if (document.readyState === "complete") install();
  else addEventListener("load", install);
}
