// node check_deals.mjs VERBALE.json [RICEVUTA.json]
// Shuffles the decks of a match record again from its secret, as docs/rules/fair-deals.md says, without the site; with a
// receipt, compares what that browser saw before and during the match. Exit status 1 if something differs.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const [record, receipt] = process.argv.slice(2).map((name) => JSON.parse(readFileSync(name, "utf8")));
const { scheme, scope, commitment, nonces, secret, dealer } = record.shuffle ?? {};
const faults = [];
const expect = (right, fault) => right || faults.push(fault);
const join = (...parts) => ["smazzata-1", ...parts].join("\0");
const key = Buffer.from(secret ?? "", "hex");

function* readNumbers(what) {
  for (let block = 0; ; block++) {
    const bytes = createHmac("sha256", key).update(`${what}\0${block}`).digest();
    for (let at = 0; at < bytes.length; at += 2) yield bytes.readUInt16BE(at);
  }
}

function draw(numbers, sides) {
  for (;;) {
    const { value } = numbers.next();
    if (value < 65536 - (65536 % sides)) return value % sides;
  }
}

function shuffle(deal) {
  const numbers = readNumbers(join("deal", scope, deal, nonces.join(",")));
  const cards = [..."dcbs"].flatMap((suit) => [..."A234567FCR"].map((rank) => rank + suit));
  for (let last = 39; last > 0; last--) {
    const place = draw(numbers, last + 1);
    [cards[last], cards[place]] = [cards[place], cards[last]];
  }
  return cards.join(" ");
}

if (scheme !== "smazzata-1") {
  console.log("This record doesn't say where its decks come from.");
  process.exit(1);
}
const opened = createHash("sha256").update(`${join("commit", scope)}\0`).update(key).digest("hex");
expect(opened === commitment, "the secret isn't the one that was committed to");
const hands = record.players === 3 ? 4 : record.players;
const first = draw(readNumbers(join("dealer", scope, nonces.join(","))), hands);
expect(dealer === "given" || first === record.first_dealer, "the first dealer is another");
for (const [number, { deck }] of record.deals.entries()) expect(deck === shuffle(number), `deck ${number} is another`);
if (receipt) {
  expect(receipt.scope === scope && receipt.commitment === commitment, "the receipt has another commitment");
  expect(!receipt.nonces.length || receipt.nonces.join() === nonces.join(), "the receipt has other numbers");
  const own = receipt.place < 0 ? nonces : [nonces[receipt.place]]; // of a tournament: anybody's
  expect(!receipt.nonce || own.includes(receipt.nonce), "your number isn't there");
  const dealt = record.deals.filter(({ moves }) => moves.length && !moves.at(-1).endsWith(" redeal")); // none void
  const seen = Object.entries(receipt.deals).flatMap(([deal, { played }]) => played.map((play) => [deal, play]));
  for (const [deal, play] of seen) {
    const move = new RegExp(`^${play.replace(" ", " play ")}( |$)`);
    expect(dealt[deal - 1]?.moves.some((each) => move.test(each)), `nobody played ${play} in deal ${deal}`);
  }
}
console.log(faults.length ? faults.join("\n") : `${record.deals.length} decks checked: all come from the secret.`);
process.exit(faults.length ? 1 : 0);
