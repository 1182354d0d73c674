import { isTerminal, runOf } from '../listener/delivery.ts';
import type { ReceivedDelivery } from '../listener/delivery.ts';

export type Arriving = Omit<ReceivedDelivery, 'response'>;

/** More than an ordinary event has. */
const LARGE_BYTES = 8 * 1024;
const NAMED_TRIGGERS = ['manual', 'email', 'cron'] as const;
const ENDS = ['completed', 'failed', 'cancelled', 'rejected'] as const;

/** Kinds of run.created. */
export const CREATIONS = ['api', 'manual', 'email', 'cron', 'agent'] as const;
/** Kinds of run.status_changed. */
export const CHANGES = [
  'first-change',
  'completed',
  'failed',
  'cancelled',
  'rejected',
  'waiting',
  'agent-change',
  'agent-end',
  'later-change',
  'large',
  'non-ascii',
] as const;

/** A kind of event that a sender may treat differently by mistake. Each event has one. */
export type EventKind = (typeof CREATIONS)[number] | (typeof CHANGES)[number];

/** Null for a test event and for what is not an event. */
export function kindOf({ event, body }: Arriving): EventKind | null {
  if (event['test'] === true) return null;
  const run = runOf(event);
  const { status, output = null } = run;
  const isAgent = run['type'] === 'agent';
  if (event['type'] === 'run.created') {
    if (isAgent) return 'agent';
    return NAMED_TRIGGERS.find((trigger) => trigger === run['triggerType']) ?? 'api';
  }
  if (event['type'] !== 'run.status_changed') return null;
  if (isAgent) return isTerminal(status) ? 'agent-end' : 'agent-change';
  if (output !== null && body.length >= LARGE_BYTES) return 'large';
  if (output !== null && body.some((byte) => byte > 127)) return 'non-ascii';
  const other = status === 'waiting' ? 'waiting' : isFirst(event) ? 'first-change' : 'later-change';
  return ENDS.find((end) => end === status) ?? other;
}

function isFirst(event: Arriving['event']): boolean {
  const { previousStatus } = Object(event['data']);
  return previousStatus === 'created' || previousStatus === 'pending';
}

/** Whether a kind is one of run.created. */
export function isCreation(kind: EventKind): boolean {
  return CREATIONS.some((one) => one === kind);
}
