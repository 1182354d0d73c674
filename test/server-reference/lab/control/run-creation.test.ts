import { createServer } from '@hookproof/server-reference';
import { describe, expect, onTestFinished, test } from 'vitest';

import { temporaryFolder } from '../../store/temporary-folder.ts';
import { controlClient, startControlled } from './control-client.ts';

describe('a run is refused as a whole, and nothing is created', () => {
  test.each([
    [{ outputFiles: [{ path: '../../a', text: '' }] }, 'outputFiles[0].path'],
    [{ outputFiles: [{ path: '', text: '' }] }, 'outputFiles[0].path'],
    [
      {
        outputFiles: [
          { path: 'a', text: '' },
          { path: 'a', text: '' },
        ],
      },
      'outputFiles[1].path',
    ],
    [
      {
        outputFiles: [
          { path: 'a/b', text: '' },
          { path: 'a', text: '' },
        ],
      },
      'outputFiles[1].path',
    ],
    [{ outputFiles: [{ path: 'a' }] }, 'outputFiles[0]'],
    [{ outputFiles: [{ path: 'a', text: '', base64: '' }] }, 'outputFiles[0]'],
    [{ outputFiles: [{ path: 'a', base64: '!' }] }, 'outputFiles[0].base64'],
    [{ outputFiles: [{ path: 'a', base64: 'A' }] }, 'outputFiles[0].base64'],
    [{ review: { correctedFiles: [{ path: '/', text: '' }] } }, 'review.correctedFiles[0].path'],
    [{ review: { corrections: [{}] } }, 'review.corrections[0].path'],
    [{ review: { status: 'closed' } }, 'review.status'],
    [{ usage: { durationMs: 5 } }, 'usage.durationMs'],
    [{ usage: { tokens: { input: -1 } } }, 'usage.tokens.input'],
    [{ usage: { llmCallCount: 1.5 } }, 'usage.llmCallCount'],
    [
      { scheduledTransitions: [{ status: 'done', afterMilliseconds: 1 }] },
      'scheduledTransitions[0].status',
    ],
  ])('%j', async (json, field) => {
    const control = await startControlled();
    const { issues } = await control.expectError(400, '/runs', { json });
    expect(issues).toMatchObject([{ field, code: 'invalid_value' }]);
    const { baseUrl, world } = control.server;
    const runs = await fetch(`${baseUrl}/v1/runs?status=pending&limit=1`, {
      headers: { authorization: `Bearer ${world.keys.wildcard}` },
    });
    const { runs: listed } = (await runs.json()) as { runs: { createdAt: string }[] };
    expect(listed[0]?.createdAt).not.toBe('2026-07-01T00:00:00.000Z');
  });
});

test('input, files, usage and scheduled transitions of a run survive a restart', async () => {
  const store = { kind: 'folder', path: await temporaryFolder() } as const;
  const first = await createServer({ store });
  const { id } = await controlClient(first).run({
    input: { a: 1 },
    outputFiles: [{ path: 'a.txt', text: 'a', contentType: 'text/plain' }],
    usage: { agentTurns: 3 },
    scheduledTransitions: [{ status: 'running', afterMilliseconds: 31_622_400_000 }],
  });
  await first.close();
  const second = await createServer({ store });
  onTestFinished(() => second.close());
  const { headers, ...post } = {
    method: 'POST',
    headers: {
      authorization: `Bearer ${second.world.keys.wildcard}`,
      'content-type': 'application/json',
    },
    body: '{"outputFileName":"a.txt"}',
  };
  const usage = await fetch(`${second.baseUrl}/v1/runs/${id}/usage`, { headers });
  expect(await usage.json()).toMatchObject({ usage: { agentTurns: 3 } });
  const copied = await fetch(`${second.baseUrl}/v1/runs/${id}/feedback/expected`, {
    headers,
    ...post,
  });
  expect(copied.status).toBe(200);
});
