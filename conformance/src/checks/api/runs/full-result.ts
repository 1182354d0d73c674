import { isDeepStrictEqual } from 'node:util';

import { area } from '../../../check-kit/area.ts';
import type { Check } from '../../../check-kit/check.ts';
import { NotApplicable } from '../../../verdict/findings.ts';
import { withRig, runOf } from '../../sender/rig.ts';
import { expectAllowed, isRecord, violation } from '../../../check-kit/expect.ts';

const runs = area('api.run', {
  access: 'write',
  needs: ['control', 'app'],
  exclusive: 'on-virtual-clock',
});

const LINES = Array.from(
  { length: 10_000 },
  (_none, index) => `line ${index} of a long output, which no event has to carry`,
);
/** More than half a megabyte. */
const OUTPUT = { text: LINES.join('\n') };

/** What is read of a run. */
export const runChecks: readonly Check[] = [
  runs.check({
    name: 'full-result',
    requirements: ['run.full-result'],
    title: 'an output that was left out of an event is read in full under /api/v1/runs/{id}',
    run: (context) =>
      withRig(context, async (rig) => {
        const run = await rig.createRun({ output: OUTPUT });
        await rig.until(`the run.created of ${run.id}`, () => rig.about(run).length > 0);
        if (!rig.about(run).some(({ event }) => runOf(event)['outputOmitted'] === true)) {
          throw new NotApplicable(`an output of ${OUTPUT.text.length} bytes was not left out`);
        }
        const key = { value: rig.world.keys.wildcard };
        const path = `/api/v1/runs/${encodeURIComponent(run.id)}`;
        const response = await context.api.send({ path, key });
        expectAllowed(response);
        if (!holds(response.json, OUTPUT)) {
          throw violation('the whole output', 'an answer without it', response);
        }
      }),
  }),
];

/** Whether an object is somewhere in an answer: under which name the result is found is not stated. */
function holds(response: unknown, wanted: object): boolean {
  if (!isRecord(response) && !Array.isArray(response)) return false;
  return (
    isDeepStrictEqual(response, wanted) ||
    Object.values(response).some((part) => holds(part, wanted))
  );
}
