import type { Issue } from '@hookproof/spec';
import { controlClient, controlRequest } from '@hookproof/spec/control';
import type { ControlOperations } from '@hookproof/spec/control';

import { DOCUMENTED } from './control-contract.ts';

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

interface Address {
  /** Without a trailing slash. */
  readonly controlUrl: string;
  readonly controlToken: string;
}

/** Returns a client of the control interface at an address. */
export function controlClientOf({ controlUrl, controlToken }: Address): ControlOperations {
  return controlClient(DOCUMENTED, async (operation, members) => {
    const { method, path, body } = controlRequest(operation, members);
    const response = await fetch(`${controlUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
      body,
    });
    const text = await response.text();
    if (!response.ok) {
      const { issues }: { readonly issues: readonly Issue[] } = JSON.parse(text);
      throw new ControlError(operation.operationId, response.status, issues);
    }
    return text === '' ? undefined : JSON.parse(text);
  });
}
