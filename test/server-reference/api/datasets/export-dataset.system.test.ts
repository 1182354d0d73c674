import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { compiledProgram } from '../../../compiled-program.ts';
import { startControlled } from '../../lab/control/control-client.ts';
import { datasetOf } from './dataset-app.ts';

const SCRIPT = compiledProgram(new URL('../../programs/print-export.ts', import.meta.url));

test('an export has the same bytes at any time and in every time zone', async () => {
  const { server } = await startControlled();
  const { bytes } = await datasetOf(server).get('/dataset/export');
  const expected = createHash('sha256').update(bytes).digest('hex');
  const hashes = await Promise.all(
    ['Pacific/Kiritimati', 'America/New_York'].map(async (zone) => {
      const env = { ...process.env, TZ: zone };
      return (await promisify(execFile)('node', [SCRIPT], { env })).stdout;
    }),
  );
  expect(hashes).toEqual([expected, expected]);
});
