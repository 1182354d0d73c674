// Adds up the test reports. The last line states the result. A missing report, a run without tests and a
// failed step each count as one failure.
import { readFileSync } from 'node:fs';

const [broken, ...reports] = process.argv.slice(2);
let passed = 0;
let failed = broken === '0' ? 0 : 1;
let skipped = 0;
for (const report of reports) {
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'));
    passed += result.numPassedTests;
    failed += result.numFailedTests + (result.numTotalTests === 0 ? 1 : 0);
    failed += result.success || result.numFailedTests > 0 ? 0 : 1;
    skipped += result.numPendingTests;
  } catch (error) {
    console.log(`Cannot read report: ${error.message}`);
    failed += 1;
  }
}
if (skipped > 0) console.log(`${skipped} tests skipped`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
