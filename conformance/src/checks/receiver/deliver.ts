import type { ApiResponse } from '../../clients/api-client.ts';
import type { CheckContext } from '../../check-kit/check.ts';
import { keyBytes, signature } from '../../signing/signer.ts';

/** A test event of the suite. */
export function testEvent(
  context: CheckContext,
  name: string,
  type: 'run.created' | 'run.status_changed' = 'run.created',
): { readonly id: string; readonly body: string } {
  const at = new Date(context.now()).toISOString();
  const id = `whev_suite_${name}_${context.attempt}_${context.now()}`;
  const changed = type === 'run.status_changed';
  const run = {
    id: 'run_suite',
    automationId: 'wf_suite',
    type: 'workflow',
    status: changed ? 'running' : 'pending',
    triggerType: 'api',
    createdAt: at,
    startedAt: changed ? at : null,
    completedAt: null,
  };
  const change = changed ? { previousStatus: 'pending', currentStatus: 'running' } : {};
  const event = {
    id,
    type,
    apiVersion: '2026-07-01',
    createdAt: at,
    test: true,
    data: { run, ...change },
  };
  return { id, body: JSON.stringify(event) };
}

/** Sends a correctly signed event with a timestamp `offsetSeconds` from the receiver's time. */
export function deliver(
  context: CheckContext,
  { id, body }: { readonly id: string; readonly body: string },
  offsetSeconds = 0,
): Promise<ApiResponse> {
  const { receiver } = context;
  const timestamp = String(receiverSeconds(context) + offsetSeconds);
  const key = keyBytes(receiver.secret, receiver.secretEncoding);
  return receiver.deliver({
    headers: [
      ['content-type', 'application/json'],
      ['webhook-id', id],
      ['webhook-timestamp', timestamp],
      ['webhook-signature', signature(key, { id, timestamp, body })],
    ],
    body,
  });
}

/**
 * The receiver's time in whole seconds. It is measured by the Date header, which has whole seconds, so the receiver may
 * be up to a second ahead. Without that header, its clock is assumed to equal the suite's.
 */
export function receiverSeconds(context: CheckContext): number {
  const offset = context.receiver.clockOffsetMilliseconds ?? 0;
  return Math.floor((context.now() + offset) / 1000);
}
