import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Pair } from './documented-pairs.ts';
import { produceResponse } from './produce-response.ts';
import { openSandboxes } from './sandbox.ts';
import type { Sandboxes } from './sandbox.ts';

export function nameOf({ operation, status }: Pair): string {
  return `${operation.operationId} ${status}`;
}

/** Whether a route itself decides about this response in the most usual ways. `npm test` produces these. */
export function isUsual({ status }: Pair): boolean {
  return status < 300 || status === 400;
}

/** Defines a test for each pair. */
export function produceEach(pairs: readonly Pair[]): void {
  let sandboxes: Sandboxes;
  beforeAll(async () => {
    sandboxes = await openSandboxes();
  });
  afterAll(() => sandboxes.close());

  test.each(pairs.map((pair) => ({ name: nameOf(pair), pair })))('$name', async ({ pair }) => {
    const response = await produceResponse(pair, sandboxes);
    expect(response.status, JSON.stringify(response.body)).toBe(pair.status);
  });
}
