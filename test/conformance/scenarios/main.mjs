import { limitScenarios } from './limits.mjs';
import { redirectScenarios } from './redirects.mjs';
import { scenarios } from './scenarios.mjs';

/** Runs every scenario in this process, which has no test runner of its own, and prints all results as one line of JSON. */
const results = {};
const all = { ...scenarios, ...redirectScenarios, ...limitScenarios };
for (const [name, scenario] of Object.entries(all)) results[name] = await scenario();
process.stdout.write(JSON.stringify(results));
