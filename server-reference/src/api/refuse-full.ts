import type { Store } from '../store/store.ts';
import { ROOT, refusal } from '../errors.ts';

/** The size from which the data file accepts nothing more: it bounds the cost of a write. */
export const MAX_FILE_BYTES = 134_217_728;

/** They change or end what is there, or change nothing that is stored. */
const GOES_ON: ReadonlySet<string> = new Set([
  'moveAutomation',
  'cancelRun',
  'cancelExperiment',
  'moveRun',
  'redeliver',
  'changeWebhookEndpoint',
  'changeLimits',
  'injectApiFault',
  'injectDeliveryFault',
  'advanceClock',
  'wait',
]);

/**
 * Refuses an operation that may add to a data file of the maximum size. Reads, deletions, moves and the changes of the server itself
 * go on.
 *
 * @throws {ApiError} 503 `storage_full`
 */
export function refuseFull({ state }: Store, operationId: string, method: string): void {
  if (state.fileBytes < MAX_FILE_BYTES) return;
  if (!['POST', 'PUT', 'PATCH'].includes(method) || GOES_ON.has(operationId)) return;
  throw refusal('storage_full', ROOT, 'the server has no room for more', {
    hint: 'Delete worlds, files or dataset examples, or start the server with a smaller historyLimit.',
    headers: { 'Retry-After': '1' },
  });
}
