import type { Check } from '../../../check-kit/check.ts';
import type { FixtureName } from '../../../options/facts.ts';

const DATASET: readonly FixtureName[] = ['datasetAutomationId', 'exampleId', 'exampleName'];

/** What all checks have alike that change a dataset. Nothing brings a file back: each needs a world to spare. */
export function base(
  area: 'expected-rename' | 'input-delete',
  name: string,
  requirement: string,
  ...fixtures: readonly FixtureName[]
): Omit<Check, 'title' | 'run'> {
  const file = area === 'expected-rename' ? 'expectedFilePath' : 'inputFilePath';
  const needed = [...DATASET, file, ...fixtures] as const;
  return {
    id: `api.${area}.${name}`,
    requirements: [`${area}.${requirement}`],
    side: 'api',
    access: area === 'expected-rename' ? 'write' : 'delete',
    needs: ['control', ...needed.map((fixture) => `fixture.${fixture}` as const)],
  };
}
