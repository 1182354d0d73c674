import { EVENT_ID_PREFIX } from '@hookproof/spec';

import { isoTime } from '../../clock/clock.ts';
import { newDelivery } from '../../events/delivery.ts';
import { isRecord } from '../../json.ts';
import type { DeliveryRecord, EventRecord, WebhookEndpointRecord } from '../../store/deliveries.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import type { State } from '../../store/state.ts';

/** What the server reads of a payload of a caller's choice. */
type PayloadFacts = Pick<EventRecord, 'id' | 'type' | 'runId' | 'test'>;

/** The event id is the value of a header. */
const EVENT_ID = new RegExp(`^${EVENT_ID_PREFIX}[!-~]{1,195}$`);

/** Reads a payload of a caller's choice. Returns what is wrong with it as a text. */
export function readSentPayload(payload: string): PayloadFacts | string {
  const event = jsonOf(payload);
  if (!isRecord(event)) return 'must be the JSON text of an object';
  const { id, type, test, data } = event;
  if (!isEventId(id)) {
    return `must have an id of ${EVENT_ID_PREFIX} and 1 to 195 visible ASCII characters`;
  }
  const run = isRecord(data) && isRecord(data['run']) ? data['run'] : {};
  const runId = test === true ? undefined : run['id'];
  return {
    id,
    type: typeof type === 'string' ? type : '',
    test: test === true,
    runId: isRunId(runId) ? runId : null,
  };
}

/** Adds one delivery of the event for each endpoint, and the event unless it is stored. */
export function emitSentEvent(
  state: State,
  now: number,
  facts: PayloadFacts & Pick<EventRecord, 'worldId' | 'payload'>,
  endpoints: readonly DeepReadonly<WebhookEndpointRecord>[],
): DeliveryRecord[] {
  const stored = state.events.get(facts.id);
  const event: EventRecord = { ...facts, createdAt: isoTime(now) };
  if (stored === undefined) state.events.add(event);
  return endpoints.map((endpoint) => newDelivery(state, now, stored ?? event, endpoint));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isEventId(value: unknown): value is EventRecord['id'] {
  return typeof value === 'string' && EVENT_ID.test(value);
}

function isRunId(value: unknown): value is NonNullable<EventRecord['runId']> {
  return typeof value === 'string' && value !== '';
}
