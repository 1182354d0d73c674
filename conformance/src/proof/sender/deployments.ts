import { setTimeout as delay } from 'node:timers/promises';

import type { Between } from '../../http/between.ts';
import { headerValue, isRecord } from '../../http/message.ts';
import type { Incoming } from '../../http/message.ts';
import { jsonOf, respond, sign, withHeader, withJson } from '../kit/message.ts';
import type { Knowledge } from '../knowledge.ts';
import type { Variant } from '../kit/defect.ts';
import { another, deliver } from './changes.ts';
import { editing, isCreated, isReal, runIn, Watch } from './alter.ts';

const SCHEDULE = 'delivery.retry.schedule';
const RETRY_AFTER = 'delivery.retry-after.limit';
const COUNT = 'delivery.retry.attempt-count';
const INTERFACE = 'delivery.endpoint.creation';
const SLOW_MILLISECONDS = 1_200;

/** Schedules, clocks and control interfaces of other deployments. */
export const deploymentVariants: readonly Variant[] = [
  ...[10, 45, 300, 1800].map((seconds) =>
    responding(
      `retries-after-${seconds}-s`,
      `Makes the next attempt ${seconds} s after a failed one, or later.`,
      SCHEDULE,
      (response) =>
        headerValue(response.headers, 'retry-after') === undefined
          ? withHeader(response, 'retry-after', String(seconds))
          : response,
    ),
  ),
  {
    id: 'deliveries-slow',
    side: 'sender',
    does: 'Each delivery takes more than a second to arrive.',
    takes: 'delivery.timeout',
    open: () => ({
      delivery: async (request, next) => {
        await delay(SLOW_MILLISECONDS);
        return next(request);
      },
    }),
  },
  responding(
    'retry-after-much-longer',
    'Waits an hour where Retry-After asks for less.',
    RETRY_AFTER,
    (response) => withHeader(response, 'retry-after', '3600'),
  ),
  ...[3, 4, 5, 6].map(givesUpAfter),
  ...[-86_400, -3_600, -90, 45, 3_600, 86_400].map(clock),
  {
    id: 'platform-in-use',
    side: 'sender',
    does: 'Other runs of the tenant cause events at the same time.',
    takes: 'delivery.at-least-once',
    open: (knowledge) => {
      const watch = new Watch(knowledge);
      return {
        delivery: async (request, next) => {
          const seen = watch.see(request);
          if (isReal(seen) && isCreated(seen) && seen.attempt === 1) {
            const other = another(request, seen, (event) => {
              runIn(event)['id'] = `${String(seen.run['id'])}x`;
            });
            await deliver(other, next);
          }
          return next(request);
        },
      };
    },
  },
  interfaced('control-202', 'The control interface responds 202.', async (request, next) => {
    const response = await next(request);
    return response.status === 201 ? { ...response, status: 202 } : response;
  }),
  interfaced(
    'control-more-members',
    'The control interface sends further members.',
    async (request, next) => {
      const response = await next(request);
      const body = jsonOf(response);
      return isRecord(body) ? withJson(response, { ...body, links: {}, 'x-extra': 1 }) : response;
    },
  ),
  interfaced(
    'control-run-only-id',
    'The control interface reports only id and status of a run.',
    async (request, next) => {
      const response = await next(request);
      const { id, status, triggerType } = Object(jsonOf(response));
      return triggerType === undefined ? response : withJson(response, { id, status });
    },
  ),
  interfaced(
    'control-slow',
    'Each operation of the control interface takes a while.',
    async (request, next) => {
      await new Promise((resolve) => setTimeout(resolve, 15));
      return next(request);
    },
  ),
  interfaced(
    'control-cannot-wait',
    'The control interface has no operation that waits.',
    (request, next) =>
      request.url.endsWith('/wait') ? Promise.resolve(respond(404, {})) : next(request),
  ),
  interfaced(
    'control-redelivery-200',
    'A redelivery is reported before it is made.',
    async (request, next) => {
      const response = await next(request);
      return request.url.endsWith('/redeliver') ? { ...response, status: 200 } : response;
    },
  ),
];

function responding(
  id: string,
  does: string,
  takes: string,
  change: (response: Incoming) => Incoming,
): Variant {
  const delivery: Between = async (request, next) => {
    const response = await next(request);
    return response.status >= 400 ? change(response) : response;
  };
  return { id, side: 'sender', does, takes, open: () => ({ delivery }) };
}

function interfaced(id: string, does: string, control: Between): Variant {
  return { id, side: 'sender', does, takes: INTERFACE, open: () => ({ control }) };
}

function givesUpAfter(attempts: number): Variant {
  return {
    id: `gives-up-after-${attempts}`,
    side: 'sender',
    does: `Makes ${attempts} attempts at most.`,
    takes: COUNT,
    open: (knowledge) => {
      const watch = new Watch(knowledge);
      return {
        delivery: async (request, next) => {
          const { attempt } = watch.see(request);
          const response = await next(request);
          return attempt >= attempts ? respond(204) : response;
        },
      };
    },
  };
}

/** A deployment whose clock differs from the suite's, in signatures, records and reports alike. */
function clock(seconds: number): Variant {
  const shift = (value: unknown): unknown => shifted(value, seconds * 1000);
  return {
    id: `clock-${Math.abs(seconds)}-s-${seconds < 0 ? 'behind' : 'ahead'}`,
    side: 'sender',
    does: `Its clock is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead'}.`,
    takes: 'webhook-header.timestamp.signing-time',
    open: (knowledge: Knowledge) => {
      const watch = new Watch(knowledge);
      return {
        control: async (request, next) => {
          const response = await next(request);
          const body = jsonOf(response);
          return body === undefined ? response : withJson(response, shift(body));
        },
        delivery: (request, next) => {
          const seen = watch.see(request);
          const stamp = Number(headerValue(request.headers, 'webhook-timestamp')) + seconds;
          const stamped = withHeader(request, 'webhook-timestamp', String(stamp));
          const changed = editing((event) => Object.assign(event, shift(event)))(stamped, seen);
          return next(sign(changed, seen.key));
        },
      };
    },
  };
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

function shifted(value: unknown, milliseconds: number): unknown {
  if (typeof value === 'string' && TIME.test(value)) {
    return new Date(Date.parse(value) + milliseconds).toISOString();
  }
  if (Array.isArray(value)) return value.map((each) => shifted(each, milliseconds));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, shifted(each, milliseconds)]),
  );
}
