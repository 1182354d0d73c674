import { strict as assert } from 'node:assert';

import type { Lab } from './lab.ts';
import type { Rule } from './rule.ts';
import { ServerClient, only } from './server-client.ts';
import type { StartedServer } from './servers.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
const BUSY = 'HTTP/1.1 503 Busy\r\nRetry-After: 60\r\nContent-Length: 0\r\n\r\n';

/** What a new start makes of what the last one left. */
export const restartRules: readonly Rule[] = [
  {
    id: 'restart.killed',
    rule: 'An attempt that kill -9 cut off is made again after the next start, with the same id and bytes.',
    async holds(lab) {
      const process = lab.openProcess();
      const folder = lab.folder();
      await surviveCutOff(lab, folder, await process.start({ folder }), () => process.kill());
    },
  },
  {
    id: 'restart.stopped',
    rule: 'An attempt that an orderly stop cuts off is not recorded, and is made again.',
    async holds(lab) {
      const folder = lab.folder();
      const server = await lab.startServer({ folder });
      await surviveCutOff(lab, folder, server, () => server.close());
    },
  },
  {
    id: 'restart.planned',
    rule: 'A retry keeps its time over a restart, and a redelivery that was answered with 202 is made.',
    async holds(lab) {
      const busy = await lab.listen((socket, number) => socket.write(number > 1 ? OK : BUSY));
      const asked = await lab.listen((socket, number) => {
        if (number !== 2) socket.write(OK);
      });
      const folder = lab.folder();
      const first = await lab.start({ folder });
      const { id: retried } = await first.endpoint(busy.url);
      const { id: redelivered } = await first.endpoint(asked.url);
      await first.run();
      await first.settle();
      await first.redeliver(only(await first.deliveries(`?endpointId=${redelivered}`)));
      await asked.request(2);
      await first.close();
      const second = await lab.start({ folder });
      const triggersOf = async (id: string): Promise<string[]> =>
        only(await second.deliveries(`?endpointId=${id}`)).attempts.map(({ trigger }) => trigger);
      await second.advance(59_999);
      assert.deepEqual(await triggersOf(redelivered), ['automatic', 'manual']);
      assert.deepEqual(await triggersOf(retried), ['automatic']);
      await second.advance(1);
      assert.deepEqual(await triggersOf(retried), ['automatic', 'automatic']);
    },
  },
];

async function surviveCutOff(
  lab: Lab,
  folder: string,
  server: StartedServer,
  cutOff: () => Promise<void>,
): Promise<void> {
  const seen: string[] = [];
  const listener = await lab.listen((socket, number, bytes) => {
    seen.push(bytes.toString());
    if (number > 1) socket.write(OK);
  });
  const first = new ServerClient(server);
  const { id } = await first.endpoint(listener.url);
  await first.run();
  await listener.request(1);
  await cutOff();
  const second = await lab.start({ folder });
  await second.settle();
  const delivery = only(await second.deliveries(`?endpointId=${id}`));
  assert.deepEqual([delivery.status, delivery.attempts.length], ['delivered', 1]);
  const [before, after] = seen.map((text) => text.split('\r\n\r\n')[1]);
  assert.ok(before?.includes(delivery.eventId));
  assert.equal(before, after);
}
