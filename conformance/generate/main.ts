import { writeFile } from 'node:fs/promises';

import { checks } from '@hookproof/conformance';
import { loadRequirements } from '@hookproof/spec/requirements';

import { coveragePage } from './coverage-page.ts';

// Runs compiled, from conformance/generate/dist.
const page = new URL('../../COVERAGE.md', import.meta.url);

await writeFile(page, coveragePage(loadRequirements(), checks));
console.log('wrote conformance/COVERAGE.md');
