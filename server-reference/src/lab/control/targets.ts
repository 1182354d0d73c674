import type { Targets } from '@hookproof/spec/control';

import { MAX_HEADERS, RESERVED_HEADERS } from '../../events/custom-headers.ts';
import { REFUSED_NETWORKS } from '../../events/address.ts';
import { targetUrlProblem } from '../../events/target.ts';
import type { ControlRoute } from './operation.ts';
import type { LabServices } from './services.ts';

/** Routes for the rules of endpoint URLs. */
export function targetRoutes({ ownPorts }: LabServices): ControlRoute[] {
  return [
    {
      operationId: 'getTargets',
      async handle({ query: { url } }) {
        const body: Targets = {
          schemes: ['http', 'https'],
          refusedNetworks: [...REFUSED_NETWORKS],
          refusedPorts: [...ownPorts],
          reservedHeaders: [...RESERVED_HEADERS],
          maxHeaders: MAX_HEADERS,
          ...(url === undefined ? {} : { problem: targetUrlProblem(url, ownPorts) }),
        };
        return { status: 200, body };
      },
    },
  ];
}
