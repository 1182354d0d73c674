// Adds up the test reports and prints the line "N passed, N failed". A failed step, a missing report and
// a run without tests count as one failure each.
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
    // An error outside the tests, such as a file that does not load.
    failed += result.success || result.numFailedTests > 0 ? 0 : 1;
    skipped += result.numPendingTests;
  } catch (error) {
    console.log(`The test report must be readable: ${error.message}`);
    failed += 1;
  }
}
if (skipped > 0) console.log(`${skipped} skipped`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
