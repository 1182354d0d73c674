import { EVENT_ID_PREFIX } from '@hookproof/spec';
import type {
  EventCreation,
  EventList,
  ScenarioOrder,
  SentEvent,
  SentScenario,
  SentTest,
} from '@hookproof/spec/control';

import { call } from './call.ts';

/** `listEvents`, of a run. */
export function listRunEvents(runId: string): Promise<EventList> {
  return call({ path: '/events', query: { runId } });
}

/** `sendEvent`. */
export function sendEvent(body: EventCreation): Promise<SentEvent> {
  return call({ method: 'POST', path: '/events', body });
}

/** Returns an id for an event of the page. */
export function newEventId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return EVENT_ID_PREFIX + [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** `sendTestEvent`. */
export function sendTestEvent(endpointId: string): Promise<SentTest> {
  return call({
    method: 'POST',
    path: `/webhook-endpoints/${encodeURIComponent(endpointId)}/test`,
    body: {},
  });
}

/** `sendScenario`. */
export function sendScenario(body: ScenarioOrder): Promise<SentScenario> {
  return call({ method: 'POST', path: '/scenarios', body });
}
