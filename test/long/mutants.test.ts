import { afterAll, describe, test } from 'vitest';

import { serverMutants } from '../mutants/all.ts';
import { commandLine } from '../mutants/command-line.ts';
import { openMatrix } from '../mutants/matrix.ts';
import { receiverMutants } from '../mutants/receiver-mutants.ts';
import { standingProcess } from '../mutants/standing-process.ts';
import { receiverVariants, serverVariants } from '../mutants/variants.ts';

const TIMEOUT = { timeout: 900_000 };

const byCommand = openMatrix(commandLine);
// test/mutants/standing-process.test.ts proves that it finds what the command line finds.
const matrix = openMatrix(standingProcess);
afterAll(() => matrix.close());

describe.concurrent('the reference is conformant', () => {
  test('the server, both sides', TIMEOUT, () => byCommand.expectConformant('server-reference'));
  test('the receiver', TIMEOUT, () => byCommand.expectConformant('receiver'));
});

describe.concurrent('a server with one defect fails the predicted checks', () => {
  test.each(serverMutants)('$id', TIMEOUT, (mutant) =>
    matrix.expectFailures('server-reference', mutant),
  );
});

describe.concurrent('a receiver with one defect fails the predicted checks', () => {
  test.each(receiverMutants)('$id', TIMEOUT, (mutant) => matrix.expectFailures('receiver', mutant));
});

describe.concurrent('a server that uses a freedom otherwise is conformant', () => {
  test.each(serverVariants)('$id', TIMEOUT, (one) =>
    matrix.expectConformant('server-reference', one),
  );
});

describe.concurrent('a receiver that uses a freedom otherwise is conformant', () => {
  test.each(receiverVariants)('$id', TIMEOUT, (one) => matrix.expectConformant('receiver', one));
});
