const CREATED_AT = '2026-07-01T11:59:58.000Z';

/**
 * Returns a valid event body. Every event is a test event, so a receiver in production starts no work
 * for it.
 */
export function eventBody(eventId: string, triggerType = 'api'): string {
  return JSON.stringify(event(eventId, triggerType));
}

/** Returns the same event, formatted over several lines with the given line break. */
export function eventBodyInLines(eventId: string, lineBreak: string): string {
  return JSON.stringify(event(eventId, 'api'), null, 2).replaceAll('\n', lineBreak);
}

/** Returns the body of a `run.status_changed` event. */
export function statusChangedBody(eventId: string): string {
  const created = event(eventId, 'api');
  const { run } = created.data;
  const moved = { ...run, status: 'running', startedAt: CREATED_AT };
  return JSON.stringify({
    ...created,
    type: 'run.status_changed',
    data: { run: moved, previousStatus: 'pending', currentStatus: 'running' },
  });
}

function event(eventId: string, triggerType: string) {
  return {
    id: eventId,
    type: 'run.created',
    apiVersion: '2026-07-01',
    createdAt: CREATED_AT,
    test: true,
    data: {
      run: {
        id: 'exec_vector',
        automationId: 'wf_vector',
        type: 'workflow',
        status: 'pending',
        triggerType,
        createdAt: CREATED_AT,
        startedAt: null,
        completedAt: null,
      },
    },
  };
}
