import { afterAll, describe, test } from 'vitest';

import { serverMutants } from './all.ts';
import { openMatrix } from './matrix.ts';
import { standingProcess } from './standing-process.ts';
import { serverVariants } from './variants.ts';

/** One of each kind, in addition to `standing-process.test.ts`. `test/long/mutants.test.ts` runs all of them. */
const SHOWN = new Set([
  'envelope-without-request-id',
  'total-of-the-page',
  'closed-still-editable',
  'signature-in-base64',
  'retry-after-400',
  'events-for-evaluation-runs',
]);
const TIMEOUT = { timeout: 300_000 };

const matrix = openMatrix(standingProcess);
afterAll(() => matrix.close());

describe.concurrent('the suite', () => {
  test.each(serverMutants.filter(({ id }) => SHOWN.has(id)))(
    'finds the defect of a server: $id',
    TIMEOUT,
    (mutant) => matrix.expectFailures('server-reference', mutant),
  );
  test.each(serverVariants.filter(({ id }) => id === 'extra-members'))(
    'finds a server conformant that uses a freedom differently: $id',
    TIMEOUT,
    (variant) => matrix.expectConformant('server-reference', variant),
  );
});
