import { RUN_STATUSES } from '@hookproof/spec';

import { ApiError, ROOT, issue } from '../app/api-error.ts';
import { isTerminal } from '../runs/run-transitions.ts';
import { runSnapshot } from '../runs/run-snapshot.ts';
import type { State } from '../store/state.ts';
import type { ControlRoute } from './control-route.ts';
import type { Services } from '../app/handler.ts';
import { deliveryView } from './delivery-view.ts';
import { findKnown } from './find-known.ts';
import { waitUntil } from './wait-until.ts';

interface Wait {
  readonly for: 'delivery' | 'run' | 'idle';
  readonly id: string;
  readonly status?: string;
  readonly attempts?: number;
  readonly timeoutMilliseconds?: number;
}

/** What is waited for stands here, and whether it has come. */
interface Awaited {
  readonly body: object;
  readonly reached: boolean;
  readonly present: string;
}

/** Waiting for a state, in real time, told by changes and not by asking again. */
export function waitRoutes({ store, sender }: Services): ControlRoute[] {
  return [waitRoute()];

  function waitRoute(): ControlRoute<Wait> {
    return {
      method: 'POST',
      path: '/wait',
      bodySchema: WAIT_SCHEMA,
      async handle({ body: wait, signal }) {
        const look = (): Awaited => {
          if (wait.for === 'delivery') return lookAtDelivery(store.state, wait);
          if (wait.for === 'run') return lookAtRun(store.state, wait);
          const reached = sender.isIdle();
          return { body: { idle: true }, reached, present: 'deliveries are due or under way' };
        };
        const timeout = wait.timeoutMilliseconds ?? 5_000;
        const reached = await waitUntil(() => look().reached, sender.subscribe, timeout, signal);
        const { body, present } = look();
        if (!reached) throw timedOut(timeout, present);
        return { status: 200, body };
      },
    };
  }
}

const LIMITS = {
  timeoutMilliseconds: { type: 'integer', minimum: 0, maximum: 60_000 },
} as const;

const WAIT_SCHEMA = {
  type: 'object',
  required: ['for'],
  properties: { for: { type: 'string', enum: ['delivery', 'run', 'idle'] } },
  discriminator: { propertyName: 'for' },
  oneOf: [
    {
      required: ['id'],
      additionalProperties: false,
      properties: {
        for: { const: 'delivery' },
        id: { type: 'string' },
        status: { type: 'string', enum: ['pending', 'delivered', 'ended'] },
        attempts: { type: 'integer', minimum: 0 },
        ...LIMITS,
      },
    },
    {
      required: ['id'],
      additionalProperties: false,
      properties: {
        for: { const: 'run' },
        id: { type: 'string' },
        status: { type: 'string', enum: RUN_STATUSES },
        ...LIMITS,
      },
    },
    { additionalProperties: false, properties: { for: { const: 'idle' }, ...LIMITS } },
  ],
} as const;

/** Without status and attempts: until the delivery is no longer pending. */
function lookAtDelivery(state: State, { id, status, attempts }: Wait): Awaited {
  const delivery = findKnown(state.deliveries, id, 'id', 'delivery');
  const settled = status === undefined && attempts === undefined && delivery.status !== 'pending';
  const asked =
    (status !== undefined || attempts !== undefined) &&
    (status === undefined || delivery.status === status) &&
    delivery.attempts.length >= (attempts ?? 0);
  return {
    body: deliveryView(delivery),
    reached: settled || asked,
    present: `the delivery is ${delivery.status} after ${delivery.attempts.length} attempts`,
  };
}

/** Without status: until the run is terminal. */
function lookAtRun(state: State, { id, status }: Wait): Awaited {
  const run = findKnown(state.runs, id, 'id', 'run');
  return {
    body: runSnapshot(run),
    reached: status === undefined ? isTerminal(run.status) : run.status === status,
    present: `the run is ${run.status}`,
  };
}

function timedOut(timeout: number, present: string): ApiError {
  const message = `it did not come to that within ${timeout} ms: ${present}`;
  return new ApiError(408, [issue('timed_out', ROOT, message)], {
    hint: 'A virtual clock stands still: POST /_control/clock/advance moves it.',
  });
}
