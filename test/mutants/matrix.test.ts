import { afterAll, describe, expect, test } from 'vitest';

import { serverMutants } from './all.ts';
import type { Patch, Room } from './build.ts';
import { commandLine, standingProcess } from './inspect.ts';
import { judge } from './judge.ts';
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
const PATIENCE = { timeout: 120_000 };

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

describe('a standing process', () => {
  test.each([
    { room: 'server-reference', patches: [patchOf('401-for-403'), undefined] },
    { room: 'receiver', patches: [patchOf('parsed-json-verified'), undefined] },
  ] as const)('judges a $room as the command line does, also after another', PATIENCE, proveAlike);
});

function patchOf(id: string): Patch | undefined {
  return [...serverMutants, ...receiverMutants].find((mutant) => mutant.id === id);
}

async function proveAlike({
  room,
  patches,
}: {
  readonly room: Room;
  readonly patches: readonly (Patch | undefined)[];
}): Promise<void> {
  const standing = standingProcess();
  try {
    for (const patch of patches) {
      const judged = await judge(standing, room, patch);
      expect(judged).toEqual(await judge(commandLine(), room, patch));
    }
  } finally {
    await standing.close();
  }
}
