import { createReceiver } from '@hookproof/receiver';
import type { Problem } from '@hookproof/receiver';
import { memoryStore } from '@hookproof/receiver/memory';
import { runCreatedEvent, signEvent } from '@hookproof/receiver/testing';
import { expect, it, onTestFinished } from 'vitest';

import { SECRET } from './started-receiver.ts';
import { NOON, virtualClock } from './virtual-clock.ts';

const event = runCreatedEvent({ run: { output: 'a canary in the payload' } });
const { headers, body } = signEvent(event, { secret: SECRET, now: () => NOON });

async function refusing(explainRefusals: boolean) {
  const problems: Problem[] = [];
  const receiver = createReceiver({
    secrets: SECRET,
    store: memoryStore(),
    clock: virtualClock(),
    onError: (problem) => problems.push(problem),
    explainRefusals,
  });
  onTestFinished(() => receiver.close());
  await receiver.start();
  const explained = () => problems.filter(({ code }) => code === 'delivery_explained');
  return { receiver, problems, explained };
}

it('explains each refused delivery to people, and never in the response', async () => {
  const { receiver, explained } = await refusing(true);
  const rewritten = Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 2));
  const response = await receiver.receive({ method: 'POST', headers, body: rewritten });
  expect(response).toMatchObject({ status: 401, body: '{"code":"signature_mismatch"}' });
  const { 'webhook-id': _id, ...withoutId } = headers;
  await receiver.receive({ method: 'POST', headers: withoutId, body });
  await expect.poll(() => explained().length).toBe(2);
  const [first, second] = explained();
  expect(first?.message).toMatch(/JSON/);
  expect(second?.message).toMatch(/webhook-id/);
  expect(JSON.stringify(explained())).not.toMatch(/canary|7hJmKx2QpLw9/);
});

it('explains nothing unless it is asked to', async () => {
  const { receiver, problems } = await refusing(false);
  await receiver.receive({ method: 'POST', headers, body: Buffer.from('{}') });
  expect(problems.map(({ code }) => code)).toEqual(['deliveries_refused']);
});

it('keeps an event whose time cannot be read as a dead letter', async () => {
  const { receiver, problems } = await refusing(false);
  const never = { ...event, createdAt: '2026-02-30T12:00:00.000Z' };
  const signed = signEvent(never, { secret: SECRET, now: () => NOON });
  const response = await receiver.receive({ method: 'POST', ...signed });
  expect(response).toMatchObject({ status: 202 });
  expect(problems.map(({ code }) => code)).toEqual(['event_quarantined']);
  const { items } = await receiver.deadLetters();
  expect(items[0]?.error).toContain('createdAt must be an ISO 8601 time');
  expect(await receiver.redrive({ ids: [never.id] })).toBe(1);
  await receiver.idle();
  expect((await receiver.deadLetters()).items).toMatchObject([{ reason: 'event_quarantined' }]);
});
