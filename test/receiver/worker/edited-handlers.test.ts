import type { Handlers } from '@hookproof/receiver';
import { runTimeline, testReceiver } from '@hookproof/receiver/testing';
import { expect, test } from 'vitest';

test('calls what the object of the handlers has at the time: after an edit, a dev server puts the new ones into it', async () => {
  const called: string[] = [];
  const handlers: Handlers = { completed: () => void called.push('before') };
  const app = await testReceiver({ handlers });
  await app.deliver(runTimeline(['pending', 'completed'], { run: { id: 'exec_1' } }));
  Object.assign(handlers, {
    completed: () => called.push('after'),
    failed: () => called.push('new'),
  });
  await app.deliver(runTimeline(['pending', 'completed'], { run: { id: 'exec_2' } }));
  await app.deliver(runTimeline(['pending', 'failed'], { run: { id: 'exec_3' } }));
  expect(called).toEqual(['before', 'after', 'new']);
  await app.close();
});
