import { StoreError } from '@hookproof/receiver';

import { UsageError } from '../../command-line/errors.ts';

/** Turns a store that cannot be used, or a wrong word, into a usage error; returns any other error unchanged. */
export function describeError(error: unknown, address: string): unknown {
  if (!(error instanceof StoreError || error instanceof TypeError)) return error;
  const isOtherSchema =
    error instanceof StoreError &&
    error.code === 'store_schema_mismatch' &&
    /^postgres(?:ql)?:/.test(address);
  const where = isOtherSchema
    ? '--store must be the database of an app, and --schema its schema. '
    : '';
  return new UsageError(`${where}${error.message}`, { cause: error });
}
