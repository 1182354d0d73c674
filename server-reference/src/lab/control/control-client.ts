import type { Issue } from '@hookproof/spec';
import type { ControlOperations } from '@hookproof/spec/control';

import { CONTROL_OPERATIONS } from './control-contract.ts';
import type { ServedOperation } from './control-contract.ts';

/**
 * The control interface refused a call. Branch on `code`; show `message` to the user.
 *
 * @example
 * ```ts
 * import { ControlError, createServer } from '@hookproof/server-reference';
 *
 * const server = await createServer({ store: { kind: 'memory' } });
 * try {
 *   await server.control.moveRun({ runId: 'exec_1', status: 'running' });
 * } catch (error) {
 *   if (!(error instanceof ControlError)) throw error;
 *   console.log(error.code); // not_found
 * }
 * await server.close();
 * ```
 */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  /** The code of the first issue, such as `not_found`. */
  readonly code: string;
  readonly status: number;
  readonly issues: readonly Issue[];

  constructor(operationId: string, status: number, issues: readonly Issue[]) {
    const violations = issues.map(({ field, message }) => `${field}: ${message}`);
    super(`${operationId} got ${status}: ${violations.join('; ')}.`);
    this.code = issues[0]?.code ?? 'internal_error';
    this.status = status;
    this.issues = issues;
  }
}

/** Responds with events until the client disconnects. */
const STREAM = 'streamActivity';

interface Address {
  /** Without a trailing slash. */
  readonly controlUrl: string;
  readonly controlToken: string;
}

/** Returns a client of the control interface: a method for each operation of `control.yaml` that responds with JSON. */
export function controlClient(address: Address): ControlOperations {
  const called = [...CONTROL_OPERATIONS].filter(([operationId]) => operationId !== STREAM);
  const methods = called.map(([operationId, operation]) => [
    operationId,
    (request: object = {}) => call(address, operationId, operation, request),
  ]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type is generated from the same document
  return Object.fromEntries(methods) as ControlOperations;
}

async function call(
  { controlUrl, controlToken }: Address,
  operationId: string,
  { method, route, filters, body }: ServedOperation,
  request: object,
): Promise<unknown> {
  const given = new Map<string, unknown>(Object.entries(request));
  const take = (name: string): string => {
    const value = given.get(name);
    given.delete(name);
    return String(value);
  };
  const path = route.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(take(name)));
  const query = new URLSearchParams();
  for (const { name } of filters) if (given.has(name)) query.set(name, take(name));
  const response = await fetch(`${controlUrl}${path}?${query.toString()}`, {
    method,
    headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
    ...(body === null ? {} : { body: JSON.stringify(Object.fromEntries(given)) }),
  });
  const text = await response.text();
  if (!response.ok) {
    const { issues }: { readonly issues: readonly Issue[] } = JSON.parse(text);
    throw new ControlError(operationId, response.status, issues);
  }
  return text === '' ? undefined : JSON.parse(text);
}
