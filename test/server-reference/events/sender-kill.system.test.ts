import { expect, onTestFinished, test } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { controlClient } from '../lab/control/control-client.ts';
import { startServerProcess } from '../server-process.ts';
import { listenAt } from './endpoint-listener.ts';
import { senderKillRounds } from './sender-kill-rounds.ts';

test('an attempt that a kill cuts off is repeated with the same id and bytes', async () => {
  const folder = emptyFolder();
  const listener = await listenAt((response, number) => {
    if (number > 1) response.writeHead(204).end();
  });
  const first = await startServerProcess(folder);
  await controlClient(first).endpoint(listener.url);
  await controlClient(first).run();
  await listener.arrived(1);
  await first.kill();

  const second = await startServerProcess(folder);
  onTestFinished(() => second.kill());
  const [before, after] = await listener.arrived(2);
  expect(after?.headers['webhook-id']).toBe(before?.headers['webhook-id']);
  expect(after?.body.equals(before?.body ?? Buffer.alloc(0))).toBe(true);
  const control = controlClient(second);
  const { id } = await control.onlyDelivery();
  await control.expectOk(200, '/wait', { for: 'delivery', id, status: 'delivered' });
  expect((await control.onlyDelivery()).attempts).toMatchObject([{ number: 1, status: 204 }]);
});

test('a kill at any moment loses no delivery, and only attempts that were cut off arrive twice', async () => {
  const count = await senderKillRounds(emptyFolder(), 10, 1);
  expect(count.acknowledged).toBeGreaterThan(50);
  expect(count.cutOff).toBeGreaterThan(10);
  expect(count.retried).toBeGreaterThan(10);
});
