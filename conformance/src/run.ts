import { loadRequirements } from '@hookproof/spec/requirements';

import { checks } from './checks/catalogue.ts';
import { runSuite } from './run-suite.ts';
import type { ConformanceOptions } from './options/plan.ts';
import type { Report } from './report/model.ts';

/**
 * Judges a target by the contract and resolves with a report, also when the target could not be reached. Reads only,
 * unless `allowWrites` or `allowDeletes` unlock more.
 *
 * Throws `TypeError` for wrong options (the command line's exit code 2) and `RunInProgress`, code `run_in_progress`,
 * when another run of this process has not ended.
 */
export function runConformance(options: ConformanceOptions): Promise<Report> {
  return runSuite(options, { checks, requirements: loadRequirements() });
}
