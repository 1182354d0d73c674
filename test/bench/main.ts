import type { Bench } from './bench.ts';
import { bundleSize } from './bundle-size.ts';
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

/** All benches, in the order of the targets of the design. */
const benches: readonly Bench[] = [
  verifySpeed,
  verifyHostile,
  receive,
  durableAccept,
  slowDisk,
  manyEvents,
  postgresAccept,
  postgresProcesses,
  redisAccept,
  resolver,
  sender,
  load,
  threeDays,
  manyWorlds,
  listPage,
  largeWorld,
  everyRead,
  durableWrites,
  largeValues,
  folderStart,
  serveStart,
  streaming,
  freshWorld,
  bundleSize,
];

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}

installPeers();
console.log(
  `Node ${process.version}, ${process.platform} ${process.arch}. Trust the ratios; ` +
    'rates of verification are per second of processor time.\n',
);
for (const bench of benches) {
  const rows = await bench.run(processorTime);
  console.log(`${bench.title}\n${renderTable(rows)}\n`);
}
