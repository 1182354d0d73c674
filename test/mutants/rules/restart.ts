import { strict as assert } from 'node:assert';

import type { Rule } from './rule.ts';
import { ServerClient, only } from './server-client.ts';
import { START } from './servers.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

/** What a new start makes of what the last one left. */
export const restartRules: readonly Rule[] = [
  {
    id: 'restart.killed',
    rule: 'An attempt that kill -9 cut off is made again after the next start, with the same id and bytes.',
    async holds(lab) {
      const seen: string[] = [];
      const listener = await lab.listen((socket, number, bytes) => {
        seen.push(bytes.toString());
        if (number > 1) socket.write(OK);
      });
      const folder = lab.folder();
      const process = lab.openProcess();
      const first = new ServerClient(await process.start({ folder }));
      const { id } = await first.endpoint(listener.url);
      await first.run();
      await listener.request(1);
      await process.kill();
      const second = await lab.start({ folder });
      await listener.request(2);
      await second.settle();
      const delivery = only(await second.deliveries(`?endpointId=${id}`));
      assert.deepEqual([delivery.status, delivery.attempts.length], ['delivered', 1]);
      const [before, after] = seen.map((text) => text.split('\r\n\r\n')[1]);
      assert.ok(before?.includes(delivery.eventId));
      assert.equal(before, after);
    },
  },
  {
    id: 'restart.stopped',
    rule: 'An attempt that an orderly stop cuts off is not recorded, and is made again.',
    async holds(lab) {
      const listener = await lab.listen((socket, number) => {
        if (number > 1) socket.write(OK);
      });
      const folder = lab.folder();
      const first = await lab.start({ folder });
      const { id } = await first.endpoint(listener.url);
      await first.run();
      await listener.request(1);
      await first.close();
      const second = await lab.start({ folder });
      await second.settle();
      const delivery = only(await second.deliveries(`?endpointId=${id}`));
      assert.deepEqual([delivery.status, delivery.attempts.length], ['delivered', 1]);
    },
  },
  {
    id: 'restart.retry-planned',
    rule: 'A retry keeps its time over a restart: it is not made sooner, and what is overdue at once.',
    async holds(lab) {
      const listener = await lab.listen((socket, number) =>
        socket.write(
          number > 1 ? OK : 'HTTP/1.1 503 Busy\r\nRetry-After: 60\r\nContent-Length: 0\r\n\r\n',
        ),
      );
      const folder = lab.folder();
      const first = await lab.start({ folder });
      const { id } = await first.endpoint(listener.url);
      await first.run();
      await first.settle();
      await first.close();
      for (const [now, attempts] of [
        [START + 59_000, 1],
        [START + 60_000, 2],
      ] as const) {
        const next = await lab.start({ folder, now });
        await next.settle();
        assert.equal(only(await next.deliveries(`?endpointId=${id}`)).attempts.length, attempts);
        await next.close();
      }
    },
  },
  {
    id: 'restart.redelivery',
    rule: 'A redelivery that was answered with 202 is made after a restart as well.',
    async holds(lab) {
      const listener = await lab.listen((socket, number) => {
        if (number !== 2) socket.write(OK);
      });
      const folder = lab.folder();
      const first = await lab.start({ folder });
      const { id } = await first.endpoint(listener.url);
      await first.run();
      await first.settle();
      await first.redeliver(only(await first.deliveries(`?endpointId=${id}`)));
      await listener.request(2);
      await first.close();
      const second = await lab.start({ folder });
      await second.settle();
      const { attempts } = only(await second.deliveries(`?endpointId=${id}`));
      assert.deepEqual(
        attempts.map(({ trigger }) => trigger),
        ['automatic', 'manual'],
      );
    },
  },
];
