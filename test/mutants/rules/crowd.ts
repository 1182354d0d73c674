import { strict as assert } from 'node:assert';

import type { Rule } from './rule.ts';

const MOST_ATTEMPTS = 256;
const MOST_TO_ONE = 16;

/** How many attempts are under way at once, and who waits for whom. */
export const crowdRules: readonly Rule[] = [
  {
    id: 'crowd.one-endpoint',
    rule: 'Without a crowd, 16 attempts are under way to one endpoint at once, and the next begin when they end.',
    async holds(lab) {
      const receiver = await lab.receiver({ hang: true });
      await receiver.sendTest(MOST_TO_ONE + 4);
      await lab.settle();
      assert.equal((await receiver.exchanges()).length, MOST_TO_ONE);
      await lab.advance(10_000);
      assert.ok((await receiver.exchanges()).length >= MOST_TO_ONE + 4);
    },
  },
  {
    id: 'crowd.all',
    rule: 'No more than 256 attempts are under way at once in all, and most of these places are used.',
    async holds(lab) {
      const sink = await lab.sink([{ hang: true }]);
      const endpoints = Array.from({ length: 34 }, () => lab.endpoint(sink.url));
      await Promise.all(endpoints);
      for (let run = 0; run < 8; run += 1) await lab.run();
      await lab.settle();
      const { arrived } = await lab.control<{ arrived: number }>('GET', `/sinks/${sink.id}`);
      assert.ok(
        arrived <= MOST_ATTEMPTS && arrived > MOST_ATTEMPTS / 2,
        `${arrived} are under way`,
      );
    },
  },
  {
    id: 'crowd.hung-endpoint',
    rule: 'An endpoint that hangs holds up nobody else.',
    async holds(lab) {
      const hung = await lab.receiver({ hang: true });
      await hung.sendTest(MOST_TO_ONE * 2);
      await lab.settle();
      const other = await lab.receiver();
      await other.sendTest(MOST_TO_ONE);
      await lab.settle();
      const statuses = (await other.deliveries()).map(({ status }) => status);
      assert.deepEqual(
        statuses,
        Array.from({ length: MOST_TO_ONE }, () => 'delivered'),
      );
    },
  },
];
