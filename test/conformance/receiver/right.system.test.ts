import type { Report } from '@hookproof/conformance';
import { describe, expect, test } from 'vitest';

import { testWith } from '../../services/local-server.ts';
import { judgeReceiver } from './judge-receiver.ts';

/** Checks that do not pass, each with its verdict. */
function others({ checks }: Report): readonly string[] {
  return checks
    .filter(({ verdict }) => verdict !== 'pass')
    .map(({ id, verdict, message }) => `${verdict} ${id}: ${message}`);
}

describe('a receiver that follows the contract', () => {
  test('in Express is conformant, and may have a maximum size', async () => {
    const judged = await judgeReceiver('right-express');
    expect(others(judged)).toEqual([
      'not-applicable receiver.event.large: the receiver has a maximum size below 100 KiB',
    ]);
    expect(judged.outcome).toBe('conformant');
  });

  test.each(['fastify', 'hono'] as const)('in %s is conformant', async (receiver) => {
    const judged = await judgeReceiver(`right-${receiver}`);
    expect(others(judged)).toEqual([]);
    expect(judged.outcome).toBe('conformant');
  });

  testWith('python')('in Python is conformant', async () => {
    const judged = await judgeReceiver('right-python');
    expect(others(judged)).toEqual([
      expect.stringMatching(/^advice receiver\.signature\.header-strict: /),
    ]);
    expect(judged.outcome).toBe('conformant');
  });

  test('is judged by its statuses without an observer', async () => {
    const judged = await judgeReceiver('right-fastify', { observed: false });
    expect(judged.outcome).toBe('conformant');
    const applied = judged.checks.filter(({ verdict }) => verdict !== 'not-applicable');
    expect(new Set(applied.map(({ verdict }) => verdict))).toEqual(new Set(['pass']));
  });
});
