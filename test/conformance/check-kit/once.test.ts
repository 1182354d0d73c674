import { expect, test } from 'vitest';

import { Inconclusive, NoResponse } from '@hookproof/conformance';
import type { CheckContext } from '@hookproof/conformance';

import { once } from '../../../conformance/src/check-kit/once.ts';

const LOST = new NoResponse('no response', {
  cause: Object.assign(new Error('gone'), { code: 'ECONNRESET' }),
});

/** Makes 1, 2, 3 and so on, but throws these errors first. */
function counting(...errors: readonly Error[]): (context: CheckContext) => Promise<number> {
  let made = 0;
  return once(async () => {
    made += 1;
    const error = errors[made - 1];
    if (error !== undefined) throw error;
    return made;
  });
}

function contextOf(run: object, attempt = 1): CheckContext {
  return Object.assign(Object.create(null), { run, attempt });
}

test('a value is made once for each run and attempt', async () => {
  const [valueOf, run] = [counting(), {}];
  const values = [contextOf(run), contextOf(run), contextOf(run, 2), contextOf({})].map(valueOf);
  expect(await Promise.all(values)).toEqual([1, 1, 2, 3]);
});

test('checks share a failure', async () => {
  const [valueOf, context] = [counting(new Inconclusive('slow')), contextOf({})];
  await expect(valueOf(context)).rejects.toThrow('slow');
  await expect(valueOf(context)).rejects.toThrow('slow');
});

test('after a lost connection the value is made again, once for all checks', async () => {
  const [valueOf, context] = [counting(LOST), contextOf({})];
  const [first, second] = await Promise.allSettled([valueOf(context), valueOf(context)]);
  expect([first.status, second.status]).toEqual(['rejected', 'rejected']);
  expect(await Promise.all([valueOf(context), valueOf(context)])).toEqual([2, 2]);
});
