// Runs the suite with all reads against the API at the URL of its argument, and prints the outcome and its own peak memory.
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
const { maxRSS } = process.resourceUsage();
process.stdout.write(
  JSON.stringify({
    outcome,
    exitCode,
    headline,
    suiteErrors,
    counts,
    peakMebibytes: Math.round(maxRSS / 1024),
  }),
);
