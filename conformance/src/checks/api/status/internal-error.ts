import { area } from '../../../check-kit/area.ts';
import type { Check } from '../../../check-kit/check.ts';
import { Inconclusive } from '../../../verdict/findings.ts';
import { assumeSuccess, expectStatus } from '../../../check-kit/expect.ts';
import { expectEnvelope } from '../../../check-kit/exchange-rules.ts';
import { INBOX } from '../operations/lists.ts';
import { isSuccess } from '../../../http/message.ts';

const statusCode = area('api.status-code', {
  access: 'write',
  needs: ['control'],
});

const MAX_FAULTS = 3;

/** An internal failure, injected through the control interface. */
export const internalErrorChecks: readonly Check[] = [
  statusCode.check({
    name: 'internal-error',
    requirements: ['status-code.500', 'envelope.every-error'],
    title: 'responds with 500 and an error envelope to an internal failure',
    async run({ api, control }) {
      const { tenantId, keys } = await control.createWorld();
      const read = {
        path: INBOX.path,
        query: { limit: 1, offset: 0 },
        key: { value: keys.wildcard },
      };
      assumeSuccess(await api.send(read));
      // A 429 or 503 in passing does not use up the fault; a response that is lost on its way does.
      for (let injected = 0; injected < MAX_FAULTS; injected += 1) {
        await control.injectApiFault({
          match: { tenantId, method: 'GET' },
          times: 1,
          effect: { status: 500 },
        });
        const response = await api.send(read);
        if (isSuccess(response)) continue;
        expectStatus(response, 500);
        expectEnvelope(response);
        return;
      }
      throw new Inconclusive('Cannot judge: the injected fault was not applied.');
    },
  }),
];
