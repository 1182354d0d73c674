import { expect, test } from 'vitest';

import { call } from '../../contract-client.ts';
import { openControlled } from './control-client.ts';

const NOW = '2026-07-01T00:00:00.000Z';

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

test.each([
  ['created', null, null],
  ['waiting', NOW, null],
  ['completed', NOW, NOW],
  ['rejected', null, NOW],
])('a run that is created as %s has startedAt %s and completedAt %s', async (status, ...times) => {
  const run = await (await openControlled()).run({ status });
  expect([run.status, run.startedAt, run.completedAt]).toEqual([status, ...times]);
});
