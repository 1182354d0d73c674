import type { WorldCreation } from '@hookproof/spec/control';

import { CONTROL_OPERATIONS } from './control-contract.ts';

/**
 * Returns the contents of a world that the schema of the control interface accepts.
 *
 * @throws {TypeError} that names each violation
 */
export function readContents(world: unknown): WorldCreation['world'] {
  if (world === undefined) return undefined;
  const issues = CONTROL_OPERATIONS.get('createWorld')?.body?.({ world }) ?? [];
  if (issues.length > 0) {
    const violations = issues.map(({ field, message }) => `${field} ${message}`);
    throw new TypeError(`${violations.join('; ')}.`);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema vouches for the contents
  return world as WorldCreation['world'];
}
