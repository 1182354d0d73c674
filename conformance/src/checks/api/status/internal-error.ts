import { area } from '../../../check-kit/area.ts';
import type { Check } from '../../../check-kit/check.ts';
import { Inconclusive } from '../../../verdict/findings.ts';
import { assumeSuccess, expectStatus, isSuccess } from '../../../check-kit/expect.ts';
import { INBOX } from '../operations/lists.ts';

const statusCode = area('api.status-code', {
  access: 'write',
  needs: ['control'],
});

/** An internal failure, injected through the control interface. */
export const internalErrorChecks: readonly Check[] = [
  statusCode.check({
    name: 'internal-error',
    requirements: ['status-code.500'],
    title: 'responds with 500 to an internal failure',
    async run({ api, control }) {
      const { tenantId, keys } = await control.createWorld();
      const read = {
        path: INBOX.path,
        query: { limit: 1, offset: 0 },
        key: { value: keys.wildcard },
      };
      assumeSuccess(await api.sendOnce(read));
      await control.injectFault({ tenantId, method: 'GET', status: 500 });
      const response = await api.sendOnce(read);
      if (isSuccess(response))
        throw new Inconclusive('Cannot judge: the injected fault was not applied.');
      expectStatus(response, 500);
    },
  }),
];
