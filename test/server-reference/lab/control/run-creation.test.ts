import { createServer } from '@hookproof/server-reference';
import { expect, onTestFinished, test } from 'vitest';

import { call } from '../../contract-client.ts';
import { temporaryFolder } from '../../store/temporary-folder.ts';
import { controlClient, openControlled } from './control-client.ts';

test('a run is refused as a whole, and nothing is created', async () => {
  const control = await openControlled({ uploadLimitBytes: 1000 });
  const twice = [
    { path: 'a', text: '' },
    { path: 'a', text: '' },
  ];
  for (const [json, field] of [
    [{ outputFiles: [{ path: '../../a', text: '' }] }, 'outputFiles[0].path'],
    [{ outputFiles: twice }, 'outputFiles[1].path'],
    [{ outputFiles: [{ path: 'a/b', text: '' }, twice[0]] }, 'outputFiles[1].path'],
    [{ outputFiles: [{ path: 'a' }] }, 'outputFiles[0]'],
    [{ outputFiles: [{ path: 'a', size: 1001 }] }, 'outputFiles[0]'],
    [{ outputFiles: [{ path: 'a', base64: 'A' }] }, 'outputFiles[0].base64'],
    [{ review: { correctedFiles: [{ path: '/', text: '' }] } }, 'review.correctedFiles[0].path'],
    [{ review: { corrections: [{}] } }, 'review.corrections[0].path'],
    [{ usage: { tokens: { input: -1 } } }, 'usage.tokens.input'],
  ] as const) {
    const { issues } = await control.expectError(400, '/runs', { json });
    expect(issues).toMatchObject([{ field, code: 'invalid_value' }]);
  }
  expect(await control.expectOk(200, '/events')).toEqual({ data: [] });
});

test('a file is given as text, in base64, or by its size', async () => {
  const control = await openControlled();
  const { listener, world } = control.app;
  const { id } = await control.run({
    status: 'completed',
    outputFiles: [
      { path: 'z.csv', text: 'zoë', contentType: 'text/csv; charset=utf-8' },
      { path: 'b.bin', base64: 'AAEC/w==' },
      { path: 'large.bin', size: 100_000 },
    ],
  });
  const read = async (name: string): Promise<Buffer> => {
    const path = `/v1/runs/${id}/artifacts/output/${name}`;
    return (await call(listener, { path, key: world.keys.wildcard })).bytes;
  };
  expect((await read('z.csv')).toString()).toBe('zoë');
  expect([...(await read('b.bin'))]).toEqual([0, 1, 2, 255]);
  expect((await read('large.bin')).toString()).toBe('0123456789abcde\n'.repeat(6250));
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
