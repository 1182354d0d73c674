import { listCompanions, listOperations } from '@hookproof/spec/openapi';
import type { Operation } from '@hookproof/spec/openapi';

import { loadServerDocument } from '../../../../server-reference/src/api/server-document.ts';

const document = loadServerDocument();

/** The operations of the contract in its order, then their companions. */
export const OPERATIONS: readonly Operation[] = [
  ...listOperations(document),
  ...listCompanions(document),
];

/** A documented response, such as `getRun 404`. */
export interface Pair {
  readonly operation: Operation;
  readonly status: number;
}

/** Every pair of operation and status; where the document leaves the status open, the status of this server. */
export function documentedPairs(): Pair[] {
  return OPERATIONS.flatMap((operation) =>
    statusesOf(operation).map((status) => ({ operation, status })),
  );
}

function statusesOf({ responses }: Operation): number[] {
  return Object.entries(responses).flatMap(([name, response]) => {
    if (name === 'default') return [];
    const statuses = [response['x-reference-status'] ?? Number(name)];
    // A range of statuses includes 206 for parts of a file.
    if (name === '2XX' && response.content?.['*/*'] !== undefined) statuses.push(206);
    return statuses;
  });
}
