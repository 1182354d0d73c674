import type { LimitsChange } from '@hookproof/spec/control';

import { area } from '../../../check-kit/area.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { Check } from '../../../check-kit/check.ts';
import type { ControlClient } from '../../../clients/control-client.ts';
import { Inconclusive } from '../../../verdict/findings.ts';
import {
  expectAllowed,
  assumeSuccess,
  expectEqual,
  show,
  violation,
} from '../../../check-kit/expect.ts';
import { INBOX } from '../operations/lists.ts';
import { patchReview, readReview, reviewPath } from '../operations/reviews.ts';
import { openSandbox } from '../operations/sandbox.ts';
import type { Sandbox } from '../operations/sandbox.ts';

const statusCode = area('api.status-code', {
  access: 'write',
  exclusive: 'always',
  needs: ['control', 'fixture.openReviewId'],
});

const ONE_A_MINUTE = { requests: 1, windowSeconds: 60 };

/** Responses 429 and 503, caused through the control interface. */
export const rateLimitChecks: readonly Check[] = [
  statusCode.check({
    name: 'rate-limited',
    requirements: ['status-code.429.retry-after'],
    title: 'a 429 has Retry-After in whole seconds',
    async run(context) {
      const sandbox = await openSandbox(context);
      const response = await underLimits(context.control, { rateLimit: ONE_A_MINUTE }, async () => {
        assumeSuccess(await read(sandbox));
        return expectCaused(429, await read(sandbox));
      });
      const retryAfter = response.header('retry-after');
      if (retryAfter === undefined || !/^[0-9]+$/.test(retryAfter)) {
        throw violation('Retry-After in whole seconds', show(retryAfter), response);
      }
    },
  }),
  statusCode.check({
    name: 'unavailable',
    requirements: ['status-code.503.retry-after'],
    title: 'a 503 has Retry-After',
    async run(context) {
      const sandbox = await openSandbox(context);
      const response = await underLimits(context.control, { accounting: 'unavailable' }, async () =>
        expectCaused(503, await read(sandbox)),
      );
      if (response.header('retry-after') === undefined) {
        throw violation('Retry-After', 'none', response);
      }
    },
  }),
  statusCode.check({
    name: 'unavailable-no-effect',
    requirements: ['status-code.503.not-processed'],
    title: 'an update that gets 503 changes nothing and succeeds when repeated',
    async run(context) {
      const sandbox = await openSandbox(context);
      const id = sandbox.fixture('openReviewId');
      const { entry: before } = await readReview(sandbox, sandbox.key, id);
      assumeSuccess(await patchReview(sandbox, before, { title: before['title'] }));
      const { entry: settled } = await readReview(sandbox, sandbox.key, id);
      const update = {
        method: 'PATCH',
        path: reviewPath(String(before['automationId']), id),
        key: sandbox.key,
        json: { title: 'Changed while requests could not be counted' },
      };
      const response = await underLimits(context.control, { accounting: 'unavailable' }, async () =>
        expectCaused(503, await sandbox.api.sendOnce(update)),
      );
      const { entry: after } = await readReview(sandbox, sandbox.key, id);
      expectEqual('the request unchanged,', after, settled, response);
      expectAllowed(await sandbox.api.send(update));
    },
  }),
];

/** The limits apply to the whole deployment: they are always restored. */
async function underLimits<T>(
  control: ControlClient,
  change: LimitsChange,
  work: () => Promise<T>,
): Promise<T> {
  const before = await control.limits();
  await control.changeLimits(change);
  try {
    return await work();
  } finally {
    await control.changeLimits(before);
  }
}

function read({ api, key }: Sandbox): Promise<ApiResponse> {
  return api.sendOnce({ path: INBOX.path, query: { limit: 1, offset: 0 }, key });
}

/** The contract requires no limit: without this status the check cannot judge. */
function expectCaused(status: number, response: ApiResponse): ApiResponse {
  if (response.status === status) return response;
  throw new Inconclusive(
    `Cannot judge: the limits should cause ${status}, got ${response.status}.`,
  );
}
