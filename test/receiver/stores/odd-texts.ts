import type { Store } from '@hookproof/receiver';
import { runCreatedEvent } from '@hookproof/receiver/testing';
import { expect } from 'vitest';

import { startedReceiver } from '../started-receiver.ts';

const RUN_IDS = ['a\0b', 'a\0c', 'a\uD800', 'a\uDC00', 'x'.repeat(513), 'x'.repeat(900_000)];

/** Run ids that a store would change or merge are quarantined, each on its own. */
export async function expectQuarantined(store: Store): Promise<void> {
  const { receiver, deliver, handled, problems } = await startedReceiver({ store });
  const events = RUN_IDS.map((id, index) => runCreatedEvent({ id: `whev_${index}`, run: { id } }));
  for (const { code } of await deliver(...events)) expect(code).toBe('accepted');
  expect(handled).toEqual([]);
  expect(problems).toHaveLength(RUN_IDS.length);
  const { items } = await receiver.deadLetters();
  expect(items.map(({ id, runId, reason }) => [id, runId, reason])).toEqual(
    events.toReversed().map(({ id }) => [id, null, 'event_quarantined']),
  );
  expect(items[0]?.error).toContain('data.run.id must have at most 512 characters');
  expect(await receiver.timeline('a\0b')).toBe(null);
  expect(await receiver.redrive({ runId: 'a\0b' })).toBe(0);
}

/** A page goes on after the last item of the page before, also when that has left the list; another text is refused. */
export async function expectCursors(store: Store): Promise<void> {
  const { receiver, deliver } = await startedReceiver({ store });
  await receiver.pause();
  const ids = ['exec_1', 'exec_2', 'exec_3', ...RUN_IDS.slice(0, 3)];
  await deliver(...ids.map((id, index) => runCreatedEvent({ id: `whev_${index}`, run: { id } })));
  for (const name of ['waiting', 'deadLetters', 'runs'] as const) {
    const list = (page: { readonly after?: string; readonly limit?: number }) =>
      receiver[name](page);
    const first = await list({ limit: 1 });
    const others = await list({ after: first.next ?? '' });
    expect([first.items.length, others.items.length]).toEqual([1, 2]);
    for (const after of ['zzz', '', '-1', '1e400']) {
      await expect(list({ after })).rejects.toThrow(
        new TypeError(`after must be next of the page before, got "${after}".`),
      );
    }
  }
  const first = await receiver.deadLetters({ limit: 1 });
  await receiver.discard({ ids: first.items.map(({ id }) => id) });
  const others = await receiver.deadLetters({ after: first.next ?? '' });
  expect(others.items.map(({ id }) => id)).toEqual(['whev_4', 'whev_3']);
}
