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
const PATIENCE = { timeout: 300_000 };

const matrix = openMatrix(commandLine);
afterAll(() => matrix.close());

describe.concurrent('the command line', () => {
  test('finds the server conformant', PATIENCE, () => matrix.expectConformant('server-reference'));
  test('finds the receiver conformant', PATIENCE, () => matrix.expectConformant('receiver'));

  test.each(serverMutants.filter(({ id }) => SHOWN.has(id)))(
    'finds the defect of a server: $id',
    PATIENCE,
    (mutant) => matrix.expectRed('server-reference', mutant),
  );
  test.each(receiverMutants.filter(({ id }) => SHOWN.has(id)))(
    'finds the defect of a receiver: $id',
    PATIENCE,
    (mutant) => matrix.expectRed('receiver', mutant),
  );
  test.each(serverVariants.filter(({ id }) => id === 'extra-members'))(
    'lets a server use a freedom otherwise: $id',
    PATIENCE,
    (variant) => matrix.expectConformant('server-reference', variant),
  );
});
