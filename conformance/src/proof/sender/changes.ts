import type { Next } from '../../http/between.ts';
import type { Outgoing } from '../../http/message.ts';
import type { Fields } from '../kit/message.ts';
import type { Defect } from '../kit/defect.ts';
import type { Seen, When } from './alter.ts';
import { dataIn, defect, editing, isChanged, isCreated, isReal, runIn, Watch } from './alter.ts';

const BOTH = 'webhook-event.status-changed.previous-and-current';
const CURRENT = 'webhook-event.status-changed.current-equals-run';
const CHAIN = 'webhook-event.status-changed.chain';
const NONE = 'webhook-event.created.no-previous-or-current';
const RETRIED_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);
const MAX_ATTEMPTS = 8;
const TERMINAL = ['completed', 'failed', 'cancelled', 'rejected'];

/** Events that report something else than what happened. */
export const changeDefects: readonly Defect[] = [
  ...['previousStatus', 'currentStatus'].flatMap((name) => [
    change(`${name}-missing`, `has no ${name}`, BOTH, (data) => delete data[name]),
    change(`${name}-null`, `has ${name} null`, BOTH, (data) => (data[name] = null)),
    change(`${name}-number`, `has a number as ${name}`, BOTH, (data) => (data[name] = 3)),
    change(`${name}-renamed`, `has ${name} under another name`, BOTH, (data) => {
      data[`${name}Name`] = data[name];
      delete data[name];
    }),
    creation(name, `has ${name}`, (data, run) => (data[name] = run['status'])),
    creation(`${name}-null`, `has ${name} null`, (data) => (data[name] = null)),
  ]),
  creation('both', 'has previousStatus and currentStatus', (data, run) => {
    data['previousStatus'] = 'created';
    data['currentStatus'] = run['status'];
  }),
  change(
    'current-is-previous',
    'has the previous status as currentStatus',
    CURRENT,
    (data) => (data['currentStatus'] = data['previousStatus']),
  ),
  change('swapped', 'has its two statuses swapped', CURRENT, (data) => {
    [data['previousStatus'], data['currentStatus']] = [
      data['currentStatus'],
      data['previousStatus'],
    ];
  }),
  change(
    'run-is-initial',
    'shows the run as it was created',
    CURRENT,
    (data) => (Object(data['run'])['status'] = 'pending'),
  ),
  change(
    'run-is-previous',
    'shows the run before the change',
    CURRENT,
    (data) => (Object(data['run'])['status'] = data['previousStatus']),
  ),
  change(
    'current-upper-case',
    'has currentStatus in upper case',
    CURRENT,
    (data) => (data['currentStatus'] = String(data['currentStatus']).toUpperCase()),
  ),
  change(
    'previous-is-current',
    'has the current status as previousStatus',
    CHAIN,
    (data) => (data['previousStatus'] = data['currentStatus']),
  ),
  change(
    'previous-always-pending',
    'always has previousStatus pending',
    CHAIN,
    (data) => (data['previousStatus'] = 'pending'),
  ),
  change(
    'previous-always-created',
    'always has previousStatus created',
    CHAIN,
    (data) => (data['previousStatus'] = 'created'),
  ),
  change(
    'waiting-hidden',
    'reports a return from waiting as a start from pending',
    CHAIN,
    (data) => {
      if (data['previousStatus'] === 'waiting') data['previousStatus'] = 'pending';
    },
  ),
  twice(
    'changes',
    'Sends two events with different ids for each change.',
    CHAIN,
    isChanged,
    (event) => {
      event['createdAt'] = '2030-01-01T00:00:00.000Z';
    },
  ),
  twice(
    'creations',
    'Sends two events with different ids for each creation.',
    'webhook-envelope.id.idempotency-key',
    isCreated,
    () => undefined,
  ),
  ...TERMINAL.map((status) =>
    twice(
      `left-${status}`,
      `A ${status} run returns to pending.`,
      'states.run.terminal',
      (seen) => isChanged(seen) && seen.run['status'] === status,
      (event) => {
        const data = dataIn(event);
        data['previousStatus'] = status;
        data['currentStatus'] = 'pending';
        runIn(event)['status'] = 'pending';
      },
    ),
  ),
  defect(
    'created-shows-end',
    'A later attempt of run.created shows the run as running.',
    'webhook-event.created.initial-snapshot',
    editing(
      (event) => (runIn(event)['status'] = 'running'),
      (seen) => isCreated(seen) && seen.attempt > 1,
    ),
  ),
  defect(
    'created-shows-completed',
    'A later attempt of run.created shows the run as completed.',
    'webhook-event.created.initial-snapshot',
    editing(
      (event) => {
        Object.assign(runIn(event), { status: 'completed', completedAt: event['createdAt'] });
      },
      (seen) => isCreated(seen) && seen.attempt > 1,
    ),
  ),
];

function change(
  name: string,
  what: string,
  breaks: string,
  edit: (data: Fields) => unknown,
): Defect {
  return defect(
    `change-${name}`,
    `An event of a change ${what}.`,
    breaks,
    editing((event) => edit(dataIn(event)), isChanged),
  );
}

function creation(
  name: string,
  what: string,
  edit: (data: Fields, run: Fields) => unknown,
): Defect {
  return defect(
    `creation-has-${name}`,
    `An event of a creation ${what}.`,
    NONE,
    editing((event) => edit(dataIn(event), runIn(event)), isCreated),
  );
}

/** Sends a further event with an id of its own beside each first attempt. */
function twice(
  name: string,
  does: string,
  breaks: string,
  when: When,
  edit: (event: Fields) => unknown,
): Defect {
  return {
    id: `second-event-${name}`,
    side: 'sender',
    does,
    breaks,
    open: (knowledge) => {
      const watch = new Watch(knowledge);
      return {
        delivery: async (request, next) => {
          const seen = watch.see(request);
          if (isReal(seen) && when(seen) && seen.attempt === 1)
            await deliver(another(request, seen, edit), next);
          return next(request);
        },
      };
    },
  };
}

/** Delivers an event of the transformation itself, with retries as a right sender makes them. */
export async function deliver(request: Outgoing, next: Next): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const { status } = await next(request).catch(() => ({ status: 503 }));
    if (status < 500 && !RETRIED_STATUSES.has(status)) return;
  }
}

/** Another event, with another id in body and header. */
export function another(
  delivery: Outgoing,
  seen: Seen,
  edit: (event: Fields) => unknown,
): Outgoing {
  const id = `${String(seen.event['id'])}b`;
  const headers = delivery.headers.map(
    ([name, value]) => [name, name.toLowerCase() === 'webhook-id' ? id : value] as const,
  );
  return editing((event) => {
    edit(event);
    event['id'] = id;
  })({ ...delivery, headers }, seen);
}
