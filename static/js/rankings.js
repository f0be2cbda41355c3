// The rankings: a choice loads in place and into the address, and who isn't meant by what is typed fades. Without it
// every choice is a link, and the search a form.

const REGION = "rankings";

/**
 * Put the ranking of an address in the place of the one shown.
 * @param {string} address
 */
async function show(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById(REGION);
  const shown = document.getElementById(REGION);
  if (!fresh || !shown) throw new Error("no ranking");
  const focused = document.activeElement?.id ?? "";
  const scrolled = shown.querySelector(".rankings-games")?.scrollLeft ?? 0;
  shown.replaceWith(fresh);
  fresh.querySelector(".rankings-games")?.scrollTo({ left: scrolled, behavior: "instant" });
  document.title = page.title;
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  const target = event.target;
  const link = target instanceof Element ? target.closest("a") : null;
  if (!link?.closest("[data-choices]") || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  show(link.href).then(
    () => history.pushState(null, "", link.href),
    () => location.assign(link.href),
  );
});
addEventListener("popstate", () => location.reload());

document.addEventListener("input", (event) => {
  const input = event.target;
  if (!(input instanceof HTMLInputElement) || input.name !== "nome") return;
  const typed = input.value.trim().toLocaleLowerCase();
  for (const row of document.querySelectorAll(".board tbody tr")) {
    const name = row.querySelector(".board-name")?.textContent?.trim().toLocaleLowerCase() ?? "";
    row.toggleAttribute("data-faded", !name.startsWith(typed));
  }
});
