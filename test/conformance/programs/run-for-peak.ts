// Runs the suite with all reads against the API at the URL of its argument, and prints the outcome and its own peak memory.
import { readFileSync } from 'node:fs';

import { runConformance } from '@hookproof/conformance';

const [, , url = ''] = process.argv;
const report = await runConformance({
  baseUrl: url,
  appUrl: url,
  key: 'a-key-of-the-suite',
  keys: { reviewer: 'a-reviewer-key', ocr: 'an-ocr-key', otherTenant: 'a-key-of-another' },
  fixtures: {
    fileId: 'file_1',
    runId: 'exec_1',
    experimentId: 'exp_1',
    datasetAutomationId: 'wf_1',
    agentSlug: 'agent',
  },
});
const { outcome, exitCode, headline, suiteErrors, counts } = report;
process.stdout.write(
  JSON.stringify({
    outcome,
    exitCode,
    headline,
    suiteErrors,
    counts,
    peakMebibytes: Math.round(peakKibibytes() / 1024),
  }),
);

/** Linux counts what the parent of a process had at its start as its peak, too, but not in this file. */
function peakKibibytes(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
}
