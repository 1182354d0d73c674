import { area } from '../../../check-kit/area.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { fixtureRemedy } from '../../../options/remedies.ts';
import { CouldNotRun, NotApplicable } from '../../../verdict/findings.ts';
import { assumeSuccess, expectStatus } from '../../../check-kit/expect.ts';
import { expectEnvelope } from '../../../check-kit/exchange-rules.ts';
import { requestOf } from '../operations/operation.ts';
import { openSandbox } from '../operations/sandbox.ts';
import { operationNamed } from '../operations/table.ts';

const statusCode = area('api.status-code', {
  access: 'write',
  needs: ['key.main', 'fixture.openReviewId', 'fixture.bodyLimitBytes'],
  exclusive: 'without-worlds',
});

const MAX_BYTES = 64 * 1024 * 1024;

/** A request above the size limit, which only the owner of a deployment knows. */
export const sizeCapChecks: readonly Check[] = [
  statusCode.check({
    name: 'size-cap',
    requirements: ['status-code.413', 'envelope.every-error'],
    title: 'responds with 413 and an error envelope to a body one byte above the size limit',
    async run(context) {
      const cap = capOf(context);
      const sandbox = await openSandbox(context);
      const operation = operationNamed('review-update');
      const { json, ...request } = requestOf(operation, await operation.request(sandbox));
      const body = Buffer.from(JSON.stringify(json));
      // JSON ignores trailing blanks, so that the two bodies differ only in length.
      const padded = Buffer.alloc(cap + 1, ' ');
      body.copy(padded);
      const headers = [['content-type', 'application/json']] as const;
      const sized = { ...request, headers };
      assumeSuccess(await sandbox.api.send({ ...sized, body }));
      const refused = await sandbox.api.send({ ...sized, body: padded });
      expectStatus(refused, 413);
      expectEnvelope(refused);
    },
  }),
];

function capOf(context: CheckContext): number {
  const text = context.fixture('bodyLimitBytes');
  const cap = Number(text);
  if (!Number.isSafeInteger(cap) || cap < 1024) {
    throw new CouldNotRun(
      `bodyLimitBytes must be an integer of at least 1024, got ${text}`,
      fixtureRemedy('bodyLimitBytes'),
    );
  }
  if (cap > MAX_BYTES) {
    throw new NotApplicable(`the suite sends at most ${MAX_BYTES} bytes, the limit is ${cap}`);
  }
  return cap;
}
