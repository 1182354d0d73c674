import type { Bench } from './bench.ts';
import { bundleSize } from './bundle-size.ts';
import { installPeers } from './peers.ts';
import { renderTable } from './table.ts';
import { verifyHostile } from './verify-hostile.ts';
import { verifySpeed } from './verify-speed.ts';

/** Every bench, in the order of the design's bars. */
const benches: readonly Bench[] = [verifySpeed, verifyHostile, bundleSize];

installPeers();
console.log(
  `Node ${process.version}, ${process.platform} ${process.arch}. Rates are per second of processor time; trust the ratios.\n`,
);
for (const bench of benches) {
  const rows = await bench.run();
  console.log(`${bench.title}\n${renderTable(rows)}\n`);
}
