// brackets-manager makes and stores a stage in memory, once for each line it reads: node draw.cjs TYPE SIZE.
// It writes a line for each: the seconds by the clock and those of the processor, as JSON.
const { createInterface } = require("node:readline");
const { BracketsManager } = require("brackets-manager");
const { InMemoryDatabase } = require("brackets-memory-db");

const [type, size] = [process.argv[2], Number(process.argv[3])];
const seeding = Array.from({ length: size }, (_, n) => `Ospite ${n + 1}`);

async function once() {
  const manager = new BracketsManager(new InMemoryDatabase());
  const busy = process.cpuUsage();
  const start = process.hrtime.bigint();
  await manager.create.stage({
    name: "Bench",
    tournamentId: 0,
    type,
    seeding,
    settings: type === "round_robin" ? { groupCount: 1 } : { seedOrdering: ["inner_outer"] },
  });
  const byClock = Number(process.hrtime.bigint() - start) / 1e9;
  const { user, system } = process.cpuUsage(busy);
  return [byClock, (user + system) / 1e6];
}

(async () => {
  for await (const _line of createInterface({ input: process.stdin })) console.log(JSON.stringify(await once()));
})();
