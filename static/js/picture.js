// @ts-check
/**
 * A result sent on as a picture: the server's drawing (SVG) becomes a PNG here, and goes out by the telephone's own way
 * to share, or is kept as a file where the browser has none. Its button is hidden without this script.
 */

/** @param {string} url  of the drawing @returns {Promise<Blob>} */
async function draw(url) {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png");
  });
}

/** @param {File} file */
function save(file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** @param {HTMLButtonElement} button */
async function send(button) {
  const { picture = "", picturePage = "", pictureName = "", pictureFailed = "" } = button.dataset;
  button.ariaBusy = "true";
  try {
    const file = new File([await draw(picture)], pictureName, { type: "image/png" });
    const sent = { files: [file], url: new URL(picturePage, location.href).href };
    if (navigator.canShare?.(sent)) await navigator.share(sent).catch((error) => refused(error, file));
    else save(file);
  } catch {
    button.textContent = pictureFailed;
  }
  button.ariaBusy = null;
}

/**
 * They changed their mind, or the browser didn't let us ask them: then they have the file.
 * @param {Error} error @param {File} file
 */
function refused(error, file) {
  if (error.name !== "AbortError") save(file);
}

/** @param {MouseEvent} event */
function pressed(event) {
  const button = event.target instanceof Element ? event.target.closest("button[data-picture]") : null;
  if (button instanceof HTMLButtonElement && !button.ariaBusy) void send(button);
}

/** Show the buttons that send results on, as often as one likes. */
export function sharePictures() {
  document.addEventListener("click", pressed);
  for (const button of document.querySelectorAll("button[data-picture]")) button.removeAttribute("hidden");
}

sharePictures();
