import type { Bench } from './bench.ts';
import { bundleSize } from './bundle-size.ts';
import { chooseBenches } from './choose-benches.ts';
import { durableAccept } from './durable-accept.ts';
import { durableWrites } from './durable-writes.ts';
import { everyRead } from './every-read.ts';
import { folderStart } from './folder-start.ts';
import { freshWorld } from './fresh-world.ts';
import { largeWorld } from './large-world.ts';
import { listPage } from './list-page.ts';
import { load } from './load.ts';
import { largeValues } from './large-values.ts';
import { installPeers } from './peers.ts';
import { manyEvents } from './many-events.ts';
import { manyWorlds } from './many-worlds.ts';
import { postgresAccept } from './postgres-accept.ts';
import { postgresProcesses } from './postgres-processes.ts';
import { receive } from './receive.ts';
import { redisAccept } from './redis-accept.ts';
import { resolver } from './resolver.ts';
import { sender } from './sender.ts';
import { serveStart } from './serve-start.ts';
import { slowDisk } from './slow-disk.ts';
import { streaming } from './streaming.ts';
import { renderTable } from './table.ts';
import { threeDays } from './three-days.ts';
import { verifyHostile } from './verify-hostile.ts';
import { verifySpeed } from './verify-speed.ts';

/** All benches by name, in the order of the targets of the design. */
const benches: Readonly<Record<string, Bench>> = {
  'verify-speed': verifySpeed,
  'verify-hostile': verifyHostile,
  receive,
  'durable-accept': durableAccept,
  'slow-disk': slowDisk,
  'many-events': manyEvents,
  'postgres-accept': postgresAccept,
  'postgres-processes': postgresProcesses,
  'redis-accept': redisAccept,
  resolver,
  sender,
  load,
  'three-days': threeDays,
  'many-worlds': manyWorlds,
  'list-page': listPage,
  'large-world': largeWorld,
  'every-read': everyRead,
  'durable-writes': durableWrites,
  'large-values': largeValues,
  'folder-start': folderStart,
  'serve-start': serveStart,
  streaming,
  'fresh-world': freshWorld,
  'bundle-size': bundleSize,
};

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}

/** A bench that fails leaves its servers running. Returns whether it gave its rows. */
async function print(bench: Bench): Promise<boolean> {
  console.log(bench.title);
  try {
    console.log(`${renderTable(await bench.run(processorTime))}\n`);
    return true;
  } catch (error) {
    console.log('It failed:', error, '\n');
    return false;
  }
}

const chosen = chooseBenches(benches, process.argv.slice(2));
installPeers();
console.log(
  `Node ${process.version}, ${process.platform} ${process.arch}. Trust the ratios; ` +
    'rates of verification are per second of processor time.\n',
);
let failed = 0;
for (const bench of chosen) if (!(await print(bench))) failed += 1;
// The servers of a failed bench would keep this process alive.
if (failed > 0) process.exit(1);
