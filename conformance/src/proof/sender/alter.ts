import { isRecord } from '../../http/message.ts';
import type { HeaderPair } from '../../http/exchange.ts';
import type { Between, Next } from '../../http/between.ts';
import type { Incoming, Outgoing } from '../../http/message.ts';
import { editJson, jsonOf, keyOf, sign } from '../kit/message.ts';
import type { Fields } from '../kit/message.ts';
import type { Knowledge } from '../knowledge.ts';
import type { Defect, Variant } from '../kit/defect.ts';

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

/** Changes a delivery. */
export type Alter = (delivery: Outgoing, seen: Seen) => Outgoing;

/** Whether a delivery is concerned. */
export type When = (seen: Seen) => boolean;

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

  see(delivery: Outgoing): Seen {
    const json = jsonOf(delivery);
    const event = isRecord(json) ? json : {};
    const place = `${delivery.url} ${String(event['id'])}`;
    const attempt = (this.#attempts.get(place) ?? 0) + 1;
    this.#attempts.set(place, attempt);
    const secret = this.#knowledge.secretOf(delivery.url) ?? '';
    const isRedelivery = attempt > 1 && this.#redelivered.has(event['id']);
    const key = keyOf(delivery, secret);
    return { event, run: runIn(event), attempt, isRedelivery, key, knowledge: this.#knowledge };
  }

  /** As {@link Watch.see}, with what the control interface responds: a sender may send before that. */
  async seeAsked(delivery: Outgoing): Promise<Seen> {
    await Promise.allSettled(this.#asked);
    return this.see(delivery);
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

/** Hooks that change every delivery. */
export function altering(alter: Alter): Defect['open'] {
  return (knowledge) => {
    const watch = new Watch(knowledge);
    return {
      control: watch.control,
      delivery: async (request, next) => next(alter(request, await watch.seeAsked(request))),
    };
  };
}

/** An implementation whose deliveries differ. */
export function defect(id: string, does: string, breaks: string, alter: Alter): Defect {
  return { id, side: 'sender', does, breaks, open: altering(alter) };
}

/** A right implementation whose deliveries differ. */
export function variant(id: string, does: string, takes: string, alter: Alter): Variant {
  return { id, side: 'sender', does, takes, open: altering(alter) };
}

/** Changes the event and signs it. */
export function editing(
  edit: (event: Fields, seen: Seen) => unknown,
  when: When = () => true,
): Alter {
  return (delivery, seen) =>
    when(seen)
      ? sign(
          editJson(delivery, (event) => edit(event, seen)),
          seen.key,
        )
      : delivery;
}

/** Changes the run in the event and signs the event. */
export function editingRun(
  edit: (run: Fields, seen: Seen) => unknown,
  when: When = () => true,
): Alter {
  return editing((event, seen) => edit(runIn(event), seen), when);
}

/** Changes the delivery and signs it. */
export function signing(change: Alter, when: When = () => true): Alter {
  return (delivery, seen) => (when(seen) ? sign(change(delivery, seen), seen.key) : delivery);
}

/** Changes only some deliveries. */
export function only(when: When, change: Alter): Alter {
  return (delivery, seen) => (when(seen) ? change(delivery, seen) : delivery);
}

/** The run in an event that may be changed; an empty one without a run. */
export function runIn(event: Fields): Fields {
  return Object(dataIn(event)['run']);
}

/** `data` of an event that may be changed. */
export function dataIn(event: Fields): Fields {
  return Object(event['data']);
}

/** The delivery with this header in the place of another one. */
export function renamed(delivery: Outgoing, name: string, other: string): Outgoing {
  const headers = delivery.headers.map(([each, value]): HeaderPair => [
    each.toLowerCase() === name ? other : each,
    value,
  ]);
  return { ...delivery, headers };
}

export const isRetry: When = ({ attempt, isRedelivery }) => attempt > 1 && !isRedelivery;
export const isRedelivered: When = ({ isRedelivery }) => isRedelivery;
export const isTest: When = ({ event }) => event['test'] === true;
export const isReal: When = ({ event }) => event['test'] !== true;
export const isCreated: When = (seen) => isReal(seen) && seen.event['type'] === 'run.created';
export const isChanged: When = (seen) =>
  isReal(seen) && seen.event['type'] === 'run.status_changed';
export const isAgent: When = (seen) => isReal(seen) && seen.run['type'] === 'agent';
export const isWorkflow: When = (seen) => isReal(seen) && seen.run['type'] === 'workflow';
