import { describe, test } from 'vitest';

import { serverMutants } from '../mutants/all.ts';
import { expectConformant, expectRed } from '../mutants/expect-red.ts';
import { receiverMutants } from '../mutants/receiver-mutants.ts';
import { receiverVariants, serverVariants } from '../mutants/variants.ts';

const PATIENCE = { timeout: 900_000 };

describe.concurrent('the reference is conformant', () => {
  test('the server, both sides', PATIENCE, () => expectConformant('server-reference'));
  test('the receiver', PATIENCE, () => expectConformant('receiver'));
});

describe.concurrent('a server with one defect turns the predicted checks red', () => {
  test.each(serverMutants)('$id', PATIENCE, (mutant) => expectRed('server-reference', mutant));
});

describe.concurrent('a receiver with one defect turns the predicted checks red', () => {
  test.each(receiverMutants)('$id', PATIENCE, (mutant) => expectRed('receiver', mutant));
});

describe.concurrent('a server that uses a freedom otherwise is conformant', () => {
  test.each(serverVariants)('$id', PATIENCE, (one) => expectConformant('server-reference', one));
});

describe.concurrent('a receiver that uses a freedom otherwise is conformant', () => {
  test.each(receiverVariants)('$id', PATIENCE, (one) => expectConformant('receiver', one));
});
