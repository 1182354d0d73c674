import { StoreError } from '@hookproof/receiver';

import { UsageError } from '../../command-line/errors.ts';

/** Turns a store that cannot be used, or a wrong word, into a usage error; returns any other error unchanged. */
export function describeError(error: unknown): unknown {
  if (!(error instanceof StoreError || error instanceof TypeError)) return error;
  return new UsageError(error.message, { cause: error });
}
