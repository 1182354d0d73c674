import type { ApiResponse } from '../../../api-client.ts';
import type { Check } from '../../../check.ts';
import type { ControlClient, ControlledLimits } from '../../../control-client.ts';
import { Inconclusive } from '../../../findings.ts';
import { expectAllowed, expectControlPasses, expectEqual, show, violation } from '../../expect.ts';
import { INBOX } from '../list.ts';
import { patchReview, reviewPath } from '../review-update/patch.ts';
import { openStage, readReview } from '../stage.ts';
import type { Stage } from '../stage.ts';

const ONE_A_MINUTE = { requests: 1, windowSeconds: 60 };

/** Answers 429 and 503, brought about through the control interface. */
export const rateLimitChecks: readonly Check[] = [
  {
    ...base('rate-limited', '429.retry-after'),
    title: 'a 429 says in Retry-After how many seconds to wait',
    async run(context) {
      const stage = await openStage(context);
      const answer = await underLimits(context.control, { rateLimit: ONE_A_MINUTE }, async () => {
        expectControlPasses(await read(stage));
        return expectCaused(429, await read(stage));
      });
      const retryAfter = answer.header('retry-after');
      if (retryAfter === undefined || !/^[0-9]+$/.test(retryAfter)) {
        throw violation('Retry-After in whole seconds', show(retryAfter), answer);
      }
    },
  },
  {
    ...base('unavailable', '503.retry-after'),
    title: 'a 503 carries Retry-After',
    async run(context) {
      const stage = await openStage(context);
      const answer = await underLimits(context.control, { accounting: 'unavailable' }, async () =>
        expectCaused(503, await read(stage)),
      );
      if (answer.header('retry-after') === undefined) {
        throw violation('a Retry-After', 'none', answer);
      }
    },
  },
  {
    ...base('unavailable-no-effect', '503.not-processed'),
    title: 'an update that is answered with 503 changes nothing, and is accepted when repeated',
    async run(context) {
      const stage = await openStage(context);
      const id = stage.fixture('openReviewId');
      const { entry: before } = await readReview(stage, stage.key, id);
      expectControlPasses(await patchReview(stage, before, { title: before['title'] }));
      const { entry: settled } = await readReview(stage, stage.key, id);
      const update = {
        method: 'PATCH',
        path: reviewPath(String(before['automationId']), id),
        key: stage.key,
        json: { title: 'Changed while requests could not be counted' },
      };
      const answer = await underLimits(context.control, { accounting: 'unavailable' }, async () =>
        expectCaused(503, await stage.api.sendOnce(update)),
      );
      const { entry: after } = await readReview(stage, stage.key, id);
      expectEqual('the request unchanged,', after, settled, answer);
      expectAllowed(await stage.api.send(update));
    },
  },
];

/** The limits hold for the whole deployment: they are put back whatever happens. */
async function underLimits<T>(
  control: ControlClient,
  change: Partial<ControlledLimits>,
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

function read({ api, key }: Stage): Promise<ApiResponse> {
  return api.sendOnce({ path: INBOX.path, query: { limit: 1, offset: 0 }, key });
}

/** No limit has to be reached by the contract: without the answer there is nothing to judge. */
function expectCaused(status: number, answer: ApiResponse): ApiResponse {
  if (answer.status === status) return answer;
  throw new Inconclusive(
    `the control interface was asked for a ${status}, and the API answered ${answer.status}`,
  );
}

function base(name: string, requirement: string): Omit<Check, 'title' | 'run'> {
  return {
    id: `api.status-code.${name}`,
    requirements: [`status-code.${requirement}`],
    side: 'api',
    effect: 'write',
    exclusive: 'always',
    needs: ['control', 'fixture.openReviewId'],
  };
}
