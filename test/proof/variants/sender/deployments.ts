import { setTimeout as sleep } from 'node:timers/promises';

import { headerValue, isRecord } from '@hookproof/conformance/hooks';
import type { Outgoing } from '@hookproof/conformance/hooks';
import { perRun, variant } from '@hookproof/conformance/proof/kit/defect';
import type { Open, Variant } from '@hookproof/conformance/proof/kit/defect';
import {
  jsonOf,
  respond,
  sign,
  withHeader,
  withJson,
} from '@hookproof/conformance/proof/kit/message';
import {
  another,
  between,
  deliver,
  isCreated,
  isReal,
  onControl,
  onDelivery,
  onResponse,
  runIn,
  withEvent,
} from '@hookproof/conformance/proof/kit/sender';

const CONTROL = 'delivery.endpoint.creation';
/** What a sender shows with a second attempt that arrives. */
const OF_RETRIES: readonly string[] = [
  'sender.test-event.retried',
  'sender.retry.on-408',
  'sender.retry.on-425',
  'sender.retry.on-429',
  'sender.retry.on-5xx',
  'sender.retry.every-kind',
  'sender.retry.same-payload',
  'sender.retry.fresh-timestamp',
  'sender.retry.fresh-signature',
  'sender.retry.retry-after',
];

/** Schedules, clocks and control interfaces of other deployments. */
export const deploymentVariants: readonly Variant[] = [
  ...[10, 45, 300, 1800].map((seconds) =>
    variant({
      id: `retries-after-${seconds}-s`,
      takes: 'delivery.retry.schedule',
      does: `Makes the next attempt ${seconds} s after a failed one, or later.`,
      sender: onResponse((response) =>
        response.status >= 400 && headerValue(response.headers, 'retry-after') === undefined
          ? withHeader(response, 'retry-after', String(seconds))
          : response,
      ),
    }),
  ),
  variant({
    id: 'retry-after-much-longer',
    takes: 'delivery.retry-after.limit',
    does: 'Waits an hour where Retry-After asks for less.',
    sender: onResponse((response) =>
      response.status >= 400 ? withHeader(response, 'retry-after', '3600') : response,
    ),
  }),
  ...[2, 3, 4, 5, 6].map((attempts) =>
    variant({
      id: `gives-up-after-${attempts}`,
      takes: 'delivery.retry.attempt-count',
      does: `Makes ${attempts} attempts at most.`,
      sender: onResponse(
        () => respond(204),
        ({ attempt }) => attempt >= attempts,
      ),
      // When one of two attempts is lost, no retry is left to judge.
      ...(attempts === 2 ? { silences: OF_RETRIES } : {}),
    }),
  ),
  ...[-86_400, -3_600, -90, 45, 3_600, 86_400].map((seconds) =>
    variant({
      id: `clock-${Math.abs(seconds)}-s-${seconds < 0 ? 'behind' : 'ahead'}`,
      takes: 'webhook-header.timestamp.signing-time',
      does: `Has a clock that is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead'}.`,
      sender: clock(seconds),
    }),
  ),
  variant({
    id: 'platform-in-use',
    takes: 'delivery.at-least-once',
    does: 'Other runs of the tenant cause events at the same time.',
    sender: between(async (request, next, seen) => {
      if (isReal(seen) && isCreated(seen) && seen.attempt === 1) {
        const other = another(request, seen, (event) => {
          runIn(event)['id'] = `${String(seen.run['id'])}x`;
        });
        await deliver(other, next);
      }
      return next(request);
    }),
  }),
  variant({
    id: 'control-202',
    takes: CONTROL,
    does: 'The control interface responds 202.',
    sender: onControl(async (request, next) => {
      const response = await next(request);
      return response.status === 201 ? { ...response, status: 202 } : response;
    }),
  }),
  variant({
    id: 'control-more-members',
    takes: CONTROL,
    does: 'The control interface sends further members.',
    sender: onControl(async (request, next) => {
      const response = await next(request);
      const body = jsonOf(response);
      return isRecord(body) ? withJson(response, { ...body, links: {}, 'x-extra': 1 }) : response;
    }),
  }),
  variant({
    id: 'control-run-only-id',
    takes: CONTROL,
    does: 'The control interface reports only id and status of a run.',
    sender: onControl(async (request, next) => {
      const response = await next(request);
      const { id, status, triggerType } = Object(jsonOf(response));
      return triggerType === undefined ? response : withJson(response, { id, status });
    }),
  }),
  variant({
    id: 'control-slow',
    takes: CONTROL,
    does: 'Each operation of the control interface takes a while.',
    sender: onControl(async (request, next) => {
      await sleep(15);
      return next(request);
    }),
  }),
  variant({
    id: 'control-cannot-wait',
    takes: CONTROL,
    does: 'The control interface has no operation that waits.',
    sender: onControl(async (request, next) =>
      request.url.endsWith('/wait') ? respond(404, {}) : next(request),
    ),
  }),
  variant({
    id: 'deliveries-slow',
    takes: 'delivery.timeout',
    does: 'Each delivery takes more than a second to arrive.',
    sender: between(async (request, next) => {
      await sleep(1_200);
      return next(request);
    }),
  }),
  variant({
    id: 'one-endpoint-for-each-tenant',
    takes: 'delivery.endpoint.count',
    does: 'A tenant can have one endpoint.',
    silences: ['sender.endpoint.each-receives', 'sender.endpoint.retried-apart'],
    sender: perRun(() => {
      const worlds = new Set<unknown>();
      return onControl(async (request, next) => {
        if (!isEndpointCreation(request)) return next(request);
        const { worldId } = Object(jsonOf(request));
        if (worlds.has(worldId)) return respond(409, { issues: [] });
        const response = await next(request);
        if (response.status < 300) worlds.add(worldId);
        return response;
      });
    }),
  }),
  variant({
    id: 'endpoint-headers-refused',
    takes: 'webhook-header.custom.reserved',
    does: 'An endpoint cannot have custom headers.',
    silences: ['sender.header.custom'],
    sender: onControl(async (request, next) => {
      const { headers = {} } = Object(isEndpointCreation(request) ? jsonOf(request) : {});
      return Object.keys(headers).length > 0 ? respond(400, { issues: [] }) : next(request);
    }),
  }),
  variant({
    id: 'endpoint-query-refused',
    takes: 'delivery.endpoint.creation',
    does: 'The URL of an endpoint cannot have a query.',
    silences: ['sender.endpoint.query-kept'],
    sender: onControl(async (request, next) => {
      const { url = '' } = Object(isEndpointCreation(request) ? jsonOf(request) : {});
      return String(url).includes('?') ? respond(400, { issues: [] }) : next(request);
    }),
  }),
  variant({
    id: 'endpoint-query-escaped',
    takes: 'delivery.endpoint.creation',
    does: 'The query of an endpoint is escaped in another way.',
    sender: onDelivery((delivery) => ({ ...delivery, url: delivery.url.replace('%20', '+') })),
  }),
  variant({
    id: 'control-redelivery-200',
    takes: CONTROL,
    does: 'A redelivery is reported before it is made.',
    sender: onControl(async (request, next) => {
      const response = await next(request);
      return request.url.endsWith('/redeliver') ? { ...response, status: 200 } : response;
    }),
  }),
];

/** A deployment whose clock differs from the suite's, in signatures, records and reports alike. */
function clock(seconds: number): Open {
  const shift = (value: unknown): unknown => shifted(value, seconds * 1000);
  const deliveries = between((request, next, seen) => {
    const stamp = Number(headerValue(request.headers, 'webhook-timestamp')) + seconds;
    const stamped = withHeader(request, 'webhook-timestamp', String(stamp));
    const changed = withEvent(stamped, seen, (event) => Object.assign(event, shift(event)));
    return next(sign(changed, seen.key));
  });
  return (knowledge) => ({
    ...deliveries(knowledge),
    control: async (request, next) => {
      const response = await next(request);
      const body = jsonOf(response);
      return body === undefined ? response : withJson(response, shift(body));
    },
  });
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

function isEndpointCreation({ method, url }: Outgoing): boolean {
  return method === 'POST' && url.endsWith('/webhook-endpoints');
}
