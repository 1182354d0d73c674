import { expect, test } from 'vitest';

import { emptyFolder } from '../../../empty-folder.ts';
import { controlClient } from '../../lab/control/control-client.ts';
import { startServerProcess } from '../../server-process.ts';

test('a run with scheduled transitions continues after a kill', async () => {
  const path = emptyFolder();
  const first = await startServerProcess(path);
  const scheduledTransitions = [
    { status: 'running', afterMilliseconds: 100 },
    { status: 'finalizing', afterMilliseconds: 100 },
    { status: 'completed', afterMilliseconds: 100, output: 14 },
  ];
  const { id } = await controlClient(first).run({ scheduledTransitions });
  await first.kill();
  const second = await startServerProcess(path);
  try {
    await expect
      .poll(() => controlClient(second).expectOk(200, `/runs/${id}`), { timeout: 30_000 })
      .toMatchObject({ status: 'completed', output: 14 });
  } finally {
    await second.kill();
  }
});
