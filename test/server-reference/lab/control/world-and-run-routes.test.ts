import { describe, expect, test } from 'vitest';

import { openControlled } from './control-client.ts';

describe('runs', () => {
  test('are created in any status, with the times that it implies', async () => {
    const control = await openControlled();
    const now = '2026-07-01T00:00:00.000Z';
    const times = async (status: string): Promise<(string | null)[]> => {
      const run = await control.run({ status });
      return [run.status, run.startedAt, run.completedAt];
    };
    expect(await times('created')).toEqual(['created', null, null]);
    expect(await times('waiting')).toEqual(['waiting', now, null]);
    expect(await times('completed')).toEqual(['completed', now, now]);
    expect(await times('rejected')).toEqual(['rejected', null, now]);
  });
});
