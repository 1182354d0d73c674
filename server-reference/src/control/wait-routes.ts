import { RUN_STATUSES } from '@hookproof/spec';

import { ApiError, ROOT, issue } from '../app/api-error.ts';
import type { Services } from '../app/handler.ts';
import type { ControlRoute } from './control-route.ts';
import { lookAt } from './wait-conditions.ts';
import type { WaitCondition } from './wait-conditions.ts';
import { waitUntil } from './wait-until.ts';

type Wait = WaitCondition & { readonly timeoutMilliseconds?: number };

const DEFAULT_TIMEOUT_MILLISECONDS = 5_000;

/** Waiting for a state, in real time, told by changes and not by asking again. */
export function waitRoutes(services: Services): ControlRoute[] {
  return [waitRoute()];

  function waitRoute(): ControlRoute<Wait> {
    return {
      method: 'POST',
      path: '/wait',
      bodySchema: WAIT_SCHEMA,
      async handle({ body: wait, signal }) {
        const timeout = wait.timeoutMilliseconds ?? DEFAULT_TIMEOUT_MILLISECONDS;
        const look = (): boolean => lookAt(services, wait).reached;
        const reached = await waitUntil(look, services.changes.subscribe, timeout, signal);
        const { body, present } = lookAt(services, wait);
        if (!reached) throw timedOut(timeout, present);
        return { status: 200, body: body() };
      },
    };
  }
}

const LIMITS = {
  timeoutMilliseconds: { type: 'integer', minimum: 0, maximum: 60_000 },
} as const;

const COUNT = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;

const WAIT_SCHEMA = {
  type: 'object',
  required: ['for'],
  properties: {
    for: { type: 'string', enum: ['delivery', 'deliveries', 'run', 'idle', 'sink', 'fault'] },
  },
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
    {
      additionalProperties: false,
      properties: {
        for: { const: 'deliveries' },
        runId: { type: 'string' },
        endpointId: { type: 'string' },
        count: COUNT,
        ...LIMITS,
      },
    },
    {
      required: ['id', 'arrived'],
      additionalProperties: false,
      properties: { for: { const: 'sink' }, id: { type: 'string' }, arrived: COUNT, ...LIMITS },
    },
    {
      required: ['id', 'hits'],
      additionalProperties: false,
      properties: { for: { const: 'fault' }, id: { type: 'string' }, hits: COUNT, ...LIMITS },
    },
  ],
} as const;

function timedOut(timeout: number, present: string): ApiError {
  const message = `it did not come to that within ${timeout} ms: ${present}`;
  return new ApiError(408, [issue('timed_out', ROOT, message)], {
    hint: 'A virtual clock stands still: POST /_control/clock/advance moves it.',
  });
}
