import type { Check } from '../../../check.ts';
import { Inconclusive } from '../../../findings.ts';
import { expectControlPasses, expectStatus, isSuccess } from '../../expect.ts';
import { INBOX } from '../list.ts';

/** A failure inside the service, planted through the control interface. */
export const internalErrorChecks: readonly Check[] = [
  {
    id: 'api.status-code.internal-error',
    requirements: ['status-code.500'],
    side: 'api',
    title: 'a failure inside the service is answered with 500',
    effect: 'write',
    needs: ['control'],
    async run({ api, control }) {
      const { tenantId, keys } = await control.createWorld();
      const read = {
        path: INBOX.path,
        query: { limit: 1, offset: 0 },
        key: { value: keys.wildcard },
      };
      expectControlPasses(await api.sendOnce(read));
      await control.plantFault({ tenantId, method: 'GET', status: 500 });
      const answer = await api.sendOnce(read);
      if (isSuccess(answer)) throw new Inconclusive('the planted fault did not strike');
      expectStatus(answer, 500);
    },
  },
];
