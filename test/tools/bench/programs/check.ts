import { runConformance } from '@hookproof/conformance';
import type { ConformanceOptions } from '@hookproof/conformance';

/** Runs the suite with the options that it gets as JSON, and tells when it has its first verdict and its report. */
const options: ConformanceOptions = JSON.parse(process.argv[2] ?? '{}');
let isFirst = true;
const { checks, wire, outcome } = await runConformance({
  ...options,
  onProgress() {
    if (isFirst) process.send?.({ kind: 'first verdict' });
    isFirst = false;
  },
});
const judged = checks.filter(({ verdict }) => verdict !== 'not-applicable');
process.send?.({ kind: 'report', checks: judged.length, requests: wire.requests, outcome });
process.disconnect();
