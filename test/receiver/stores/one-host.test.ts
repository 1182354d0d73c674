import { createProcessor } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { expect, it, onTestFinished } from 'vitest';

import { startedReceiver } from '../started-receiver.ts';

it('a store of another receiver that is started is refused, until that one is closed', async () => {
  const store = memoryStore();
  const { receiver } = await startedReceiver({ store });
  const second = createProcessor({ store });
  onTestFinished(() => second.close());
  await expect(second.start()).rejects.toThrow(
    new TypeError(
      'store must belong to one receiver or processor, got that of another one that is started. Create a ' +
        'store for each, with the same file, database or server; or put all handlers into one of them.',
    ),
  );
  expect(await receiver.stats()).toMatchObject({ open: 0 });
  await receiver.close();
  await second.start();
});
