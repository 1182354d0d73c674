// Adds up the test reports and ends with the line that says how it went. A report that is missing,
// a run without a test and a broken step each count as one failure, so that silence is never green.
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
    console.log(`no report: ${error.message}`);
    failed += 1;
  }
}
if (skipped > 0) console.log(`left out: ${skipped} tests`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
