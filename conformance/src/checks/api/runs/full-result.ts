import { isDeepStrictEqual } from 'node:util';

import { area } from '../../../check-kit/area.ts';
import type { Check } from '../../../check-kit/check.ts';
import { Inconclusive, NotApplicable } from '../../../verdict/findings.ts';
import { ACCEPTED, runOf } from '../../../listener/delivery.ts';
import { about } from '../../sender/arrivals.ts';
import type { Arrivals } from '../../sender/arrivals.ts';
import { withEndpoint } from '../../sender/with-endpoint.ts';
import { expectAllowed, violation } from '../../../check-kit/expect.ts';
import { pathOf } from '../../../http/contract.ts';
import { isRecord } from '../../../http/message.ts';

const runs = area('api.run', {
  access: 'write',
  needs: ['control', 'app'],
  exclusive: 'on-virtual-clock',
});

const LINES = Array.from(
  { length: 10_000 },
  (_none, index) => `line ${index} of a long output, which no event has to carry`,
);
/** More than 500 kB. */
const OUTPUT = { text: LINES.join('\n') };

/** What the API returns of a run. */
export const runChecks: readonly Check[] = [
  runs.check({
    name: 'full-result',
    requirements: ['run.full-result'],
    title: '/api/v1/runs/{id} returns in full an output that an event omits',
    run: (context) =>
      withEndpoint(
        context,
        () => ACCEPTED,
        async (driven) => {
          const run = await driven.createRun({ output: OUTPUT });
          const events = (): Arrivals => about(driven.listener.deliveries, run);
          await driven.wait(() => events().length > 0);
          if (events().length === 0) {
            throw new Inconclusive(`Cannot judge: no event of ${run.id} arrived.`);
          }
          if (!events().some(({ event }) => runOf(event)['outputOmitted'] === true)) {
            throw new NotApplicable(`events do not omit an output of ${OUTPUT.text.length} bytes`);
          }
          const path = pathOf('getRunApp', { id: run.id });
          const response = await context.api.send({ path, key: driven.key });
          expectAllowed(response);
          if (!holds(response.json, OUTPUT)) {
            throw violation('the complete output', 'a response without it', response);
          }
        },
      ),
  }),
];

/** Whether a value occurs anywhere in a response: the contract does not name the member of the result. */
function holds(response: unknown, wanted: object): boolean {
  if (!isRecord(response) && !Array.isArray(response)) return false;
  return (
    isDeepStrictEqual(response, wanted) ||
    Object.values(response).some((part) => holds(part, wanted))
  );
}
