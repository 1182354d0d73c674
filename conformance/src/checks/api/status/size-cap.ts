import { area } from '../../../check-kit/area.ts';
import type { Check, CheckContext } from '../../../check-kit/check.ts';
import { CouldNotRun, NotApplicable } from '../../../verdict/findings.ts';
import { assumeSuccess, expectStatus } from '../../../check-kit/expect.ts';
import { reviewPath } from '../operations/reviews.ts';
import { openSandbox, readReview } from '../operations/sandbox.ts';

const statusCode = area('api.status-code', {
  access: 'write',
  needs: ['key.main', 'fixture.openReviewId', 'fixture.bodyLimitBytes'],
  exclusive: 'without-worlds',
});

const MAX_BYTES = 64 * 1024 * 1024;

/** A request above the size cap, which only the owner of a deployment knows. */
export const sizeCapChecks: readonly Check[] = [
  statusCode.check({
    name: 'size-cap',
    requirements: ['status-code.413'],
    title: 'a body one byte above the size cap is answered with 413',
    async run(context) {
      const cap = capOf(context);
      const sandbox = await openSandbox(context);
      const { api, key } = sandbox;
      const { entry } = await readReview(sandbox, key, sandbox.fixture('openReviewId'));
      const path = reviewPath(String(entry['automationId']), String(entry['id']));
      const json = Buffer.from(JSON.stringify({ title: entry['title'] }));
      // Blanks after a JSON value mean nothing, so the two bodies differ in their length alone.
      const padded = Buffer.alloc(cap + 1, ' ');
      json.copy(padded);
      const headers = [['content-type', 'application/json']] as const;
      const request = { method: 'PATCH', path, key, headers };
      assumeSuccess(await api.send({ ...request, body: json }));
      expectStatus(await api.send({ ...request, body: padded }), 413);
    },
  }),
];

function capOf(context: CheckContext): number {
  const text = context.fixture('bodyLimitBytes');
  const cap = Number(text);
  if (!Number.isSafeInteger(cap) || cap < 1024) {
    throw new CouldNotRun(
      `bodyLimitBytes is ${text}, not a whole number of bytes from 1024`,
      '--fixtures FILE with { "bodyLimitBytes": "<the size cap of a JSON body>" }',
    );
  }
  if (cap > MAX_BYTES) {
    throw new NotApplicable(
      `the suite sends no more than ${MAX_BYTES} bytes, and the cap is ${cap}`,
    );
  }
  return cap;
}
