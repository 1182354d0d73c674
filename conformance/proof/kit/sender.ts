import { isRecord } from '@hookproof/conformance/hooks';
import type { Between, Incoming, Next, Outgoing } from '@hookproof/conformance/hooks';

import type { Open } from './defect.ts';
import type { Knowledge } from './knowledge.ts';
import { editJson, jsonOf, keyOf, sign } from './message.ts';
import type { Fields } from './message.ts';

/** What is known of a delivery on its way. */
export interface Seen {
  /** The event, as the target sends it. */
  readonly event: Readonly<Fields>;
  /** The run in the event. */
  readonly run: Readonly<Fields>;
  /** Counts the attempts of the event at this endpoint, from 1. */
  readonly attempt: number;
  /** Whether the event was asked for again by hand. */
  readonly isRedelivery: boolean;
  /** The bytes that sign the deliveries of the endpoint. */
  readonly key: Uint8Array;
  readonly knowledge: Knowledge;
}

/** Whether a delivery is concerned. */
export type When = (seen: Seen) => boolean;

/** Changes deliveries, or accepts them in place of the endpoint. Their signature stays as it is. */
export function onDelivery(
  change: (delivery: Outgoing, seen: Seen) => Outgoing | Incoming,
  when: When = always,
): Open {
  return between(async (delivery, next, seen) => {
    if (!when(seen)) return next(delivery);
    const changed = change(delivery, seen);
    return 'status' in changed ? changed : next(changed);
  });
}

/** Changes deliveries, and signs them again. */
export function editDelivery(
  edit: (delivery: Outgoing, seen: Seen) => Outgoing,
  when: When = always,
): Open {
  return onDelivery((delivery, seen) => sign(edit(delivery, seen), seen.key), when);
}

/** Changes the events in deliveries, which are signed again. */
export function editEvent(edit: (event: Fields, seen: Seen) => unknown, when: When = always): Open {
  return onDelivery((delivery, seen) => withEvent(delivery, seen, edit), when);
}

/** Changes the runs in events, which are signed again. */
export function editRun(edit: (run: Fields, seen: Seen) => unknown, when: When = always): Open {
  return editEvent((event, seen) => edit(runIn(event), seen), when);
}

/** Changes what the sender hears from an endpoint. */
export function onResponse(
  change: (response: Incoming, seen: Seen) => Incoming,
  when: When = always,
): Open {
  return between(async (delivery, next, seen) => {
    const response = await next(delivery);
    return when(seen) ? change(response, seen) : response;
  });
}

/** Stands between sender and endpoint: delivers never, once or several times. */
export function between(
  pass: (delivery: Outgoing, next: Next, seen: Seen) => Promise<Incoming>,
): Open {
  return (knowledge) => {
    const watch = new Watch(knowledge);
    return {
      control: watch.control,
      delivery: async (request, next) => pass(request, next, await watch.see(request)),
    };
  };
}

/** Stands between the suite and the control interface. */
export function onControl(control: Between): Open {
  return () => ({ control });
}

/** The delivery with another event, signed. */
export function withEvent(
  delivery: Outgoing,
  seen: Seen,
  edit: (event: Fields, seen: Seen) => unknown,
): Outgoing {
  return sign(
    editJson(delivery, (event) => edit(event, seen)),
    seen.key,
  );
}

/** Another event, with another id in body and header. */
export function another(
  delivery: Outgoing,
  seen: Seen,
  edit: (event: Fields) => unknown,
): Outgoing {
  return withEventId(delivery, seen, `${String(seen.event['id'])}b`, edit);
}

/** The delivery with the same other id in body and header. */
export function withEventId(
  delivery: Outgoing,
  seen: Seen,
  id: string,
  edit: (event: Fields) => unknown = () => undefined,
): Outgoing {
  const headers = delivery.headers.map(
    ([name, value]) => [name, name.toLowerCase() === 'webhook-id' ? id : value] as const,
  );
  return withEvent({ ...delivery, headers }, seen, (event) => {
    edit(event);
    event['id'] = id;
  });
}

const RETRIED_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);
const MAX_ATTEMPTS = 8;

/** Delivers an event of the transformation itself, with retries as a valid sender makes them. */
export async function deliver(request: Outgoing, next: Next): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const { status } = await next(request).catch(() => ({ status: 503 }));
    if (status < 500 && !RETRIED_STATUSES.has(status)) return;
  }
}

/** Counts attempts and remembers redeliveries for one run. */
export class Watch {
  readonly #knowledge: Knowledge;
  readonly #attempts = new Map<string, number>();
  readonly #redelivered = new Set<unknown>();
  /** Requests for a redelivery without a response. */
  readonly #asked = new Set<Promise<unknown>>();

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge;
  }

  /** Waits for what the control interface responds to a redelivery: a sender may send before that. */
  async see(delivery: Outgoing): Promise<Seen> {
    await Promise.allSettled(this.#asked);
    const json = jsonOf(delivery);
    const event = isRecord(json) ? json : {};
    const eventOfEndpoint = `${delivery.url} ${String(event['id'])}`;
    const attempt = (this.#attempts.get(eventOfEndpoint) ?? 0) + 1;
    this.#attempts.set(eventOfEndpoint, attempt);
    const secret = this.#knowledge.secretOf(delivery.url) ?? '';
    const isRedelivery = attempt > 1 && this.#redelivered.has(event['id']);
    const key = keyOf(delivery, secret);
    return { event, run: runIn(event), attempt, isRedelivery, key, knowledge: this.#knowledge };
  }

  readonly control: Between = (request, next) => {
    if (!request.url.endsWith('/redeliver')) return next(request);
    const response = this.#redeliver(request, next);
    this.#asked.add(response);
    return response.finally(() => this.#asked.delete(response));
  };

  async #redeliver(request: Outgoing, next: Next): Promise<Incoming> {
    const response = await next(request);
    const body = jsonOf(response);
    if (isRecord(body)) this.#redelivered.add(body['eventId']);
    return response;
  }
}

/** The run in an event that may be changed; an empty one without a run. */
export function runIn(event: Fields): Fields {
  return Object(dataIn(event)['run']);
}

/** `data` of an event that may be changed. */
export function dataIn(event: Fields): Fields {
  return Object(event['data']);
}

const always: When = () => true;
export const isRetry: When = ({ attempt, isRedelivery }) => attempt > 1 && !isRedelivery;
export const isRedelivered: When = ({ isRedelivery }) => isRedelivery;
export const isTest: When = ({ event }) => event['test'] === true;
export const isReal: When = ({ event }) => event['test'] !== true;
export const isCreated: When = (seen) => isReal(seen) && seen.event['type'] === 'run.created';
export const isChanged: When = (seen) =>
  isReal(seen) && seen.event['type'] === 'run.status_changed';
export const isAgent: When = (seen) => isReal(seen) && seen.run['type'] === 'agent';
