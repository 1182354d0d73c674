import type { LimitsChange } from '@hookproof/spec/control';

import { area } from '../../../check-kit/area.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { assumeSuccess, expectAllowed, violation } from '../../../check-kit/expect.ts';
import type { ApiRequest, ApiResponse } from '../../../clients/api-client.ts';
import type { ControlClient } from '../../../clients/control-client.ts';
import { Inconclusive, NotApplicable, Violation } from '../../../verdict/findings.ts';
import { expectEnvelope, retryAfterFault } from '../../../check-kit/exchange-rules.ts';
import { INBOX } from '../operations/lists.ts';
import { requestOf } from '../operations/operation.ts';
import { openSandbox } from '../operations/sandbox.ts';
import { StateBefore } from '../operations/state-before.ts';
import { operationNamed } from '../operations/table.ts';

const statusCode = area('api.status-code', {
  access: 'write',
  exclusive: 'always',
  needs: ['control', 'fixture.openReviewId'],
});

const READ = { path: INBOX.path, query: { limit: 1, offset: 0 } };
const ONE_A_MINUTE = { requests: 1, windowSeconds: 60 };

/** A response in passing can look like one that the limits cause: only the same fault in each of several is theirs. */
const CAUSED = 3;
const MAX_REQUESTS = 8;

/** Responses 429 and 503, caused through the control interface. */
export const rateLimitChecks: readonly Check[] = [
  statusCode.check({
    name: 'rate-limited',
    requirements: ['status-code.429.retry-after', 'envelope.every-error'],
    title: 'a 429 has Retry-After in whole seconds, and an error envelope',
    run: (context) => expectAmongCaused(context, 429, { rateLimit: ONE_A_MINUTE }, expectPromised),
  }),
  statusCode.check({
    name: 'retry-after-suffices',
    requirements: ['status-code.429.retry-after.suffices'],
    title: 'a request succeeds after the seconds that Retry-After of a 429 names',
    needs: ['control.virtual-clock', 'fixture.openReviewId'],
    async run(context) {
      const sandbox = await openSandbox(context);
      assumeSuccess(await sandbox.api.send(READ));
      await underLimits(context.control, { rateLimit: ONE_A_MINUTE }, async () => {
        let early: Violation | null = null;
        for (let count = 0; count < CAUSED; count += 1) {
          // Each in a window of its own: later in one, less of it is left.
          if (count > 0)
            await context.control.advanceClock({ milliseconds: ONE_A_MINUTE.windowSeconds * 1000 });
          early = await earlyRetry(sandbox);
          if (early === null) return;
        }
        throw early;
      });
    },
  }),
  statusCode.check({
    name: 'unavailable',
    requirements: ['status-code.503.retry-after', 'envelope.every-error'],
    title: 'a 503 has Retry-After, and an error envelope',
    run: (context) =>
      expectAmongCaused(context, 503, { accounting: 'unavailable' }, expectPromised),
  }),
  statusCode.check({
    name: 'unavailable-no-effect',
    requirements: ['status-code.503.not-processed', 'status-code.503.retry-after'],
    title: 'an update that gets 503 changes nothing and succeeds when repeated',
    async run(context) {
      const sandbox = await openSandbox(context);
      const operation = operationNamed('review-update');
      const valid = await operation.request(sandbox);
      const state = await StateBefore.read(operation.visible?.(sandbox, valid) ?? []);
      const update = requestOf(operation, valid);
      const responses = await underLimits(context.control, { accounting: 'unavailable' }, () =>
        caused(sandbox, 503, update, CAUSED),
      );
      expectOneOf(responses, expectPromised);
      const last = responses.at(-1);
      if (last !== undefined) await state.expectSame(last);
      state.assumeRead();
      expectAllowed(await sandbox.api.send(update));
    },
  }),
];

/** Retries a request when its 429 says so. Returns the violation that another 429 is; null when there is none. */
async function earlyRetry(sandbox: CheckContext): Promise<Violation | null> {
  const { api, control } = sandbox;
  const [response] = await caused(sandbox, 429, READ, 1);
  const seconds = Number(response?.header('retry-after'));
  if (response === undefined || !Number.isInteger(seconds)) {
    throw new Inconclusive('Cannot judge: a 429 has no Retry-After in whole seconds.', {
      reportedBy: 'api.status-code.rate-limited',
    });
  }
  if (seconds > ONE_A_MINUTE.windowSeconds) {
    const expected = `Retry-After of at most ${ONE_A_MINUTE.windowSeconds}, the window`;
    return violation(expected, String(seconds), response);
  }
  await control.advanceClock({ milliseconds: seconds * 1000 });
  const later = await api.sendOnce(READ);
  return later.status === 429 ? violation(`no 429 after ${seconds} s`, 'status 429', later) : null;
}

/** The same of what the target responds by itself while it is checked. */
export const passingChecks: readonly Check[] = ([429, 503] as const).map((status) =>
  area('api.status-code', { access: 'read', needs: ['key.main'], exclusive: 'at-the-end' }).check({
    name: `passing-${status}`,
    requirements: [`status-code.${status}.retry-after`, 'envelope.every-error'],
    title: `every ${status} in passing has Retry-After, and an error envelope`,
    async run({ exchanges }) {
      const { judged, bad } = exchanges.passing(status);
      const [first, second] = bad;
      // A single one may be an accident on the way.
      if (first !== undefined && second !== undefined) {
        throw new Violation({ ...first.fault, exchange: first.exchange });
      }
      if (judged === 0) throw new NotApplicable(`the target responded ${status} to no request`);
    },
  }),
);

function expectPromised(response: ApiResponse): void {
  const fault = retryAfterFault(response);
  if (fault !== null) throw new Violation({ ...fault, exchange: response.exchange });
  expectEnvelope(response);
}

/** Throws the violation that `judge` finds unless one of the caused responses has none. */
async function expectAmongCaused(
  context: CheckContext,
  status: number,
  change: LimitsChange,
  judge: (response: ApiResponse) => void,
): Promise<void> {
  const sandbox = await openSandbox(context);
  assumeSuccess(await sandbox.api.send(READ));
  const responses = await underLimits(context.control, change, () =>
    caused(sandbox, status, READ, CAUSED),
  );
  expectOneOf(responses, judge);
}

/** One that is not the API's own may be among them: a gateway on the way has no Retry-After and no envelope. */
function expectOneOf(
  responses: readonly ApiResponse[],
  judge: (response: ApiResponse) => void,
): void {
  const faults = responses.map((response) => faultIn(() => judge(response)));
  if (faults.every((fault) => fault !== null)) throw faults[0];
}

function faultIn(judge: () => void): unknown {
  try {
    judge();
    return null;
  } catch (error) {
    return error;
  }
}

/** The contract requires no limit: without this status the check cannot judge. */
async function caused(
  { api }: CheckContext,
  status: number,
  request: ApiRequest,
  count: number,
): Promise<readonly ApiResponse[]> {
  const found: ApiResponse[] = [];
  let last = 0;
  for (let sent = 0; sent < MAX_REQUESTS && found.length < count; sent += 1) {
    const response = await api.sendOnce(request);
    last = response.status;
    if (last === status) found.push(response);
  }
  if (found.length === count) return found;
  throw new Inconclusive(`Cannot judge: the limits should cause ${status}, got ${last}.`);
}

/** The limits apply to the whole deployment: they are always restored. */
async function underLimits<T>(
  control: ControlClient,
  change: LimitsChange,
  work: () => Promise<T>,
): Promise<T> {
  const before = await control.getLimits();
  await control.changeLimits(change);
  try {
    return await work();
  } finally {
    await control.changeLimits(before);
  }
}
