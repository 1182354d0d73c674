import type { ConformanceOptions, Report } from '@hookproof/conformance';
import { CONTRACT, planFrom, runSuite } from '@hookproof/conformance/hooks';

import type { Defect, Variant } from './kit/defect.ts';
import { openTransformations } from './open-transformations.ts';
import { seededRandom } from './seeded-random.ts';

/**
 * Judges a target as if it had these defects and variants. The first one stands nearest to the suite.
 *
 * @throws {TypeError} for wrong options
 * @throws {RunInProgress} with code `run_in_progress` while another run of this process is in progress
 * @example
 * ```ts
 * import { defects, runTransformed } from '@hookproof/conformance/proof';
 *
 * const defect = defects.filter(({ id }) => id === 'retry-after-204');
 * const report = await runTransformed({ baseUrl: 'http://127.0.0.1:4010', key: 'an-api-key' }, defect);
 * console.log(report.outcome);
 * ```
 */
export function runTransformed(
  options: ConformanceOptions,
  transformations: readonly (Defect | Variant)[],
  seed = 1,
): Promise<Report> {
  const { keys, receiver } = planFrom(options);
  const hooks = openTransformations(transformations, {
    keys: { ...keys, ...(keys.main === undefined ? {} : { wildcard: keys.main }) },
    receiverSecret: receiver?.secret,
    random: seededRandom(seed),
  });
  return runSuite(options, CONTRACT, { hooks });
}
