// node check_draw.mjs SORTEGGIO.json
// Draws the lots of a tournament again from its secret, as docs/rules/fair-deals.md says, without the site. Exit status 1
// if something differs.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const draw = JSON.parse(readFileSync(process.argv[2], "utf8"));
const { scheme, scope, commitment, secret, number, seeding, names, numbers, parted = [], swapped, lot } = draw;
const join = (...parts) => ["smazzata-1", ...parts].join("\0");
const key = Buffer.from(secret ?? "", "hex");
const readBlock = (what, block) => createHmac("sha256", key).update(`${what}\0${block}`).digest();

function* readNumbers(what) {
  for (let block = 0; ; block++) {
    const bytes = readBlock(what, block);
    for (let at = 0; at < bytes.length; at += 2) yield bytes.readUInt16BE(at);
  }
}

if (scheme !== "smazzata-1") {
  console.log("This file doesn't say where the lots come from.");
  process.exit(1);
}
const faults = [];
const opened = createHash("sha256").update(`${join("commit", scope)}\0`).update(key).digest("hex");
if (opened !== commitment) faults.push("the secret isn't the one that was committed to");
if (readBlock(join("lot", scope, number, ""), 0).subarray(0, 16).toString("hex") !== lot) faults.push("another lot");

const stream = readNumbers(join("seeds", scope, number, ""));
const listed = numbers.map((_, place) => place + 1);
const order = [...listed];
for (let last = order.length - 1; last > 0; last--) {
  let { value } = stream.next();
  while (value >= 65536 - (65536 % (last + 1))) ({ value } = stream.next());
  const place = value % (last + 1);
  [order[last], order[place]] = [order[place], order[last]];
}
console.log(`As drawn: ${order.map((one) => names[one - 1]).join(", ")}`);
const seeds = seeding === "organiser" ? listed : order;
for (const [one, other] of [...parted, ...swapped]) {
  const places = [seeds.indexOf(one), seeds.indexOf(other)];
  [seeds[places[0]], seeds[places[1]]] = [other, one];
}
if (seeding === "lot" || seeding === "organiser") {
  if (seeds.join() !== numbers.join()) faults.push("the seeds are in another order");
} else console.log("The seeds come from elsewhere; those that are level there stand as drawn.");
console.log(faults.length ? faults.join("\n") : "The lots come from the secret.");
process.exit(faults.length ? 1 : 0);
