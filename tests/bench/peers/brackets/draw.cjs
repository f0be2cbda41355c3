// brackets-manager makes and stores, in memory, a stage: node draw.cjs TYPE ROUNDS SIZE. Seconds a round, as JSON.
const { BracketsManager } = require("brackets-manager");
const { InMemoryDatabase } = require("brackets-memory-db");

const [type, rounds, size] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const seeding = Array.from({ length: size }, (_, n) => `Ospite ${n + 1}`);

async function once() {
  const manager = new BracketsManager(new InMemoryDatabase());
  const start = process.hrtime.bigint();
  await manager.create.stage({
    name: "Bench",
    tournamentId: 0,
    type,
    seeding,
    settings: type === "round_robin" ? { groupCount: 1 } : { seedOrdering: ["inner_outer"] },
  });
  return Number(process.hrtime.bigint() - start) / 1e9;
}

(async () => {
  const took = [];
  for (let n = 0; n <= rounds; n++) took.push(await once());
  console.log(JSON.stringify(took.slice(1)));
})();
