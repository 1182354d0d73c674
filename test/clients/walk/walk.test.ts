import { createServer, virtualClock } from '@hookproof/server-reference';
import type { ReferenceServer, World } from '@hookproof/server-reference';
import { afterAll, beforeAll, describe, test } from 'vitest';

import { controlClient, START } from '../../server-reference/lab/control/control-client.ts';
import { automationSteps } from './automation-steps.ts';
import { standIn } from './client.ts';
import { evaluationSteps } from './evaluation-steps.ts';
import { fileSteps } from './file-steps.ts';
import { reviewSteps } from './review-steps.ts';
import { runSteps } from './run-steps.ts';
import { startSteps } from './start-steps.ts';
import type { Walk } from './walk.ts';

let server: ReferenceServer;
beforeAll(async () => {
  server = await createServer({ store: { kind: 'memory' }, clock: virtualClock({ now: START }) });
});
afterAll(() => server.close());

const STEPS = {
  ...fileSteps,
  ...startSteps,
  ...runSteps,
  ...reviewSteps,
  ...automationSteps,
  ...evaluationSteps,
};

const WALKS = (['A', 'B'] as const).flatMap((name) =>
  ['/v1', '/api/v1'].map((prefix) => ({ name, prefix })),
);

// The steps depend on each other, in this order.
describe.each(WALKS)('client $name walks through $prefix', ({ name, prefix }) => {
  let walk: Walk;
  beforeAll(async () => {
    const control = controlClient(server);
    const world = await control.expectOk<World>(201, '/worlds', {});
    const client = standIn(name, {
      address: server.baseUrl + prefix,
      key: world.keys.wildcard,
      wait: (milliseconds) => control.advance(milliseconds),
    });
    walk = { client, world, control, notes: {} };
  });

  test.each(Object.entries(STEPS))('%s', (_title, step) => step(walk));
});
