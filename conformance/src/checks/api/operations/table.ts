import type { ApiOperation } from './operation.ts';
import { READS } from './read-operations.ts';
import { WRITES } from './write-operations.ts';

/** Every operation of the contract, in both forms of its address. */
export const OPERATIONS: readonly ApiOperation[] = [...READS, ...WRITES];

/** The operation of this name. */
export function operationNamed(name: string): ApiOperation {
  const found = OPERATIONS.find((operation) => operation.name === name);
  if (found === undefined) throw new TypeError(`the table has no operation ${name}`);
  return found;
}
