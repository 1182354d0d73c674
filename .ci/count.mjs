// Adds up the test reports and prints the twenty slowest files and the line "N passed, N failed". A failed step,
// a missing report and a run without tests count as one failure each.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [broken, ...reports] = process.argv.slice(2);
let passed = 0;
let failed = broken === '0' ? 0 : 1;
let skipped = 0;
const files = [];
for (const report of reports) {
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'));
    passed += result.numPassedTests;
    failed += result.numFailedTests + (result.numTotalTests === 0 ? 1 : 0);
    // An error outside the tests, such as a file that does not load.
    failed += result.success || result.numFailedTests > 0 ? 0 : 1;
    skipped += result.numPendingTests;
    for (const { name, startTime, endTime } of result.testResults) {
      files.push({ name: relative('', name), seconds: (endTime - startTime) / 1000 });
    }
  } catch (error) {
    console.log(`The test report must be readable: ${error.message}`);
    failed += 1;
  }
}
const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, 20);
console.log('The slowest files, in seconds:');
for (const { name, seconds } of slowest) {
  console.log(`${seconds.toFixed(1).padStart(7)}  ${name}`);
}
if (skipped > 0) console.log(`${skipped} skipped`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
