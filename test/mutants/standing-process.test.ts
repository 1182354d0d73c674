import { describe, expect, onTestFinished, test } from 'vitest';

import { serverMutants } from './all.ts';
import type { Room } from './build.ts';
import { commandLine } from './command-line.ts';
import type { Inspector } from './inspector.ts';
import { judge } from './judge.ts';
import { assertConformant, assertFailures } from './matrix.ts';
import { receiverMutants } from './receiver-mutants.ts';
import { standingProcess } from './standing-process.ts';

const TIMEOUT = { timeout: 300_000 };

describe('a standing process', () => {
  test.each<{ room: Room; id: string }>([
    { room: 'server-reference', id: '401-for-403' },
    { room: 'receiver', id: 'parsed-json-verified' },
  ])('judges a $room as the command line does, also after another', TIMEOUT, ({ room, id }) =>
    proveAlike(room, id),
  );

  test('reports a failed run and makes the next one', TIMEOUT, async () => {
    const standing = opened();
    await expect(standing.inspect({})).rejects.toThrow(
      /the judging process ended without a report: .*TypeError/s,
    );
    const { exitCode } = await standing.inspect({ baseUrl: 'http://127.0.0.1:1' });
    expect(exitCode).toBe(4);
  });

  test('makes one run at a time', TIMEOUT, async () => {
    const standing = opened();
    const first = standing.inspect({ baseUrl: 'http://127.0.0.1:1' });
    await expect(standing.inspect({ baseUrl: 'http://127.0.0.1:1' })).rejects.toThrow(
      'one run at a time',
    );
    expect(await first).toMatchObject({ exitCode: 4 });
  });
});

function opened(): Inspector {
  const standing = standingProcess();
  onTestFinished(() => standing.close());
  return standing;
}

/** Asserts that the result of a mutant does not affect the result of the reference after it. */
async function proveAlike(room: Room, id: string): Promise<void> {
  const mutant = [...serverMutants, ...receiverMutants].find((one) => one.id === id);
  if (mutant === undefined) throw new Error(`there must be a mutant ${id}`);
  const [standing, fresh] = [opened(), commandLine()];
  for (const patch of [mutant, undefined]) {
    const [judged, judgedFresh] = await Promise.all([
      judge(standing, room, patch),
      judge(fresh, room, patch),
    ]);
    if (patch === undefined) assertConformant(judgedFresh);
    else assertFailures(judgedFresh, patch);
    expect(judged).toEqual(judgedFresh);
  }
}
