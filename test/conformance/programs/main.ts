// Runs every scenario in this process, which has no test runner, and prints all results as one line of JSON.
import { controlScenarios } from './control.ts';
import { judgingScenarios } from './judging.ts';
import { limitScenarios } from './limits.ts';
import { processScenarios } from './processes.ts';
import { redirectScenarios } from './redirects.ts';
import { waitingScenarios } from './waiting.ts';

const results: Record<string, unknown> = {};
const all = {
  ...judgingScenarios,
  ...controlScenarios,
  ...processScenarios,
  ...redirectScenarios,
  ...limitScenarios,
  ...waitingScenarios,
};
for (const [name, scenario] of Object.entries(all)) results[name] = await scenario();
process.stdout.write(JSON.stringify(results));
