// node check_draw.mjs SORTEGGIO.json
// Draws the lots of a tournament again from its secret, as docs/rules/fair-deals.md says, without the site. Exit status 1
// if something differs.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const draw = JSON.parse(readFileSync(process.argv[2], "utf8"));
const { scheme, scope, commitment, secret, number, seeding, names, numbers, parted = [], swapped, lot, partners } = draw;
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

function mix(size, what) {
  const stream = readNumbers(join(what, scope, number, ""));
  const mixed = Array.from({ length: size }, (_, place) => place + 1);
  for (let last = size - 1; last > 0; last--) {
    let { value } = stream.next();
    while (value >= 65536 - (65536 % (last + 1))) ({ value } = stream.next());
    const place = value % (last + 1);
    [mixed[last], mixed[place]] = [mixed[place], mixed[last]];
  }
  return mixed;
}

// Pairs of people who entered alone: each way gives two rows of them, and whoever stands at the same place plays together.
const even = (ones) => ones.filter((_, place) => place % 2 === 0);
const odd = (ones) => ones.filter((_, place) => place % 2 === 1);
const WAYS = {
  lot: (drawn) => [even(drawn), odd(drawn)],
  strength(drawn, { strengths }) {
    const known = drawn.filter((one) => strengths[one - 1] !== null);
    known.sort((one, other) => strengths[one - 1] - strengths[other - 1]);
    const best = known.splice(0, Math.ceil(known.length / 2));
    const ranked = [...best, ...drawn.filter((one) => strengths[one - 1] === null), ...known];
    const upper = ranked.slice(0, ranked.length / 2);
    return [upper, drawn.filter((one) => !upper.includes(one))];
  },
  lists(drawn, { sides }) {
    const [a, b] = ["A", "B"].map((side) => drawn.filter((one) => sides[one - 1] === side));
    for (const one of drawn.filter((one) => !sides[one - 1])) (b.length < a.length ? b : a).push(one);
    const left = [...a.splice(b.length), ...b.splice(a.length)];
    return [[...a, ...even(left)], [...b, ...odd(left)]];
  },
};

function findOddOne({ way, people, tied, sides, entered }) {
  let alone = people.map((_, place) => place + 1).filter((one) => !tied.flat().includes(one));
  if (alone.length % 2 === 0) return 0;
  const on = (side) => alone.filter((one) => sides[one - 1] === side);
  if (way === "lists" && Math.abs(on("A").length - on("B").length) > on("").length)
    alone = on("A").length > on("B").length ? on("A") : on("B");
  return entered.findLast((one) => alone.includes(one));
}

const own = numbers.map((_, place) => place + 1);
if (partners) {
  const { way, people, pairs, out, tied } = partners;
  const drawn = mix(people.length, "pairs").filter((one) => one !== out && !tied.flat().includes(one));
  const [first, second] = WAYS[way](drawn, partners);
  const made = [...tied, ...first.map((one, place) => [one, second[place]])].map((pair) => pair.sort((a, b) => a - b));
  made.sort(([one], [other]) => one - other);
  console.log(`Pairs: ${made.map((pair) => pair.map((one) => people[one - 1]).join(" with ")).join(", ")}`);
  if (made.join() !== pairs.join()) faults.push("other pairs");
  if (findOddOne(partners) !== out) faults.push("somebody else stays out");
  const worth = (pair) => pairs[pair - 1][0] + pairs[pair - 1][1];
  own.sort((one, other) => worth(one) - worth(other) || pairs[one - 1][0] - pairs[other - 1][0]);
}
const order = mix(numbers.length, "seeds");
console.log(`As drawn: ${order.map((one) => names[one - 1]).join(", ")}`);
const seeds = seeding === "organiser" ? own : order;
for (const [one, other] of [...parted, ...swapped]) {
  const places = [seeds.indexOf(one), seeds.indexOf(other)];
  [seeds[places[0]], seeds[places[1]]] = [other, one];
}
if (seeding === "lot" || seeding === "organiser") {
  if (seeds.join() !== numbers.join()) faults.push("the seeds are in another order");
} else console.log("The seeds come from elsewhere; those that are level there stand as drawn.");
console.log(faults.length ? faults.join("\n") : "The lots come from the secret.");
process.exit(faults.length ? 1 : 0);
