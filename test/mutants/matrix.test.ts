import { afterAll, describe, test } from 'vitest';

import { serverMutants } from './all.ts';
import { commandLine } from './command-line.ts';
import { openMatrix } from './matrix.ts';
import { receiverMutants } from './receiver-mutants.ts';
import { serverVariants } from './variants.ts';

/** One of each kind; `test/long/mutants.test.ts` has them all. */
const SHOWN = new Set([
  'envelope-without-request-id',
  '401-for-403',
  'total-of-the-page',
  'closed-still-editable',
  'signature-in-base64',
  'retry-after-400',
  'events-for-evaluation-runs',
  'parsed-json-verified',
]);
const TIMEOUT = { timeout: 300_000 };

const matrix = openMatrix(commandLine);
afterAll(() => matrix.close());

describe.concurrent('the command line', () => {
  test('finds the server conformant', TIMEOUT, () => matrix.expectConformant('server-reference'));
  test('finds the receiver conformant', TIMEOUT, () => matrix.expectConformant('receiver'));

  test.each(serverMutants.filter(({ id }) => SHOWN.has(id)))(
    'finds the defect of a server: $id',
    TIMEOUT,
    (mutant) => matrix.expectRed('server-reference', mutant),
  );
  test.each(receiverMutants.filter(({ id }) => SHOWN.has(id)))(
    'finds the defect of a receiver: $id',
    TIMEOUT,
    (mutant) => matrix.expectRed('receiver', mutant),
  );
  test.each(serverVariants.filter(({ id }) => id === 'extra-members'))(
    'lets a server use a freedom otherwise: $id',
    TIMEOUT,
    (variant) => matrix.expectConformant('server-reference', variant),
  );
});
