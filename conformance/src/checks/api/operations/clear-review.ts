import type { CheckContext } from '../../../check-kit/check.ts';
import { controlOrNull } from '../../../check-kit/control-or-null.ts';
import { onceInARun } from '../../../check-kit/once.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import { pathOf } from '../../../http/contract.ts';
import { listExpectedFiles } from './expected-files.ts';
import { openSandbox } from './sandbox.ts';

/** The clearing of the review of a run. */
export interface Clearing {
  readonly sandbox: CheckContext;
  readonly run: string;
  /** The list of corrected files before. */
  readonly before: ApiResponse;
  readonly response: ApiResponse;
}

/** The reviewed run: outside a world, the fixtures say which review may go. */
export function clearedRun(sandbox: CheckContext): string {
  return sandbox.fixture(sandbox.disposable ? 'reviewedRunId' : 'clearableRunId');
}

/** Clears it, in a world of the check; outside one, once in a run. */
export async function clearNamed(context: CheckContext): Promise<Clearing> {
  if (controlOrNull(context) !== null) return clearing(context);
  return { ...(await clearedOnce(context)), sandbox: await openSandbox(context) };
}

const clearedOnce = onceInARun(clearing);

async function clearing(context: CheckContext): Promise<Clearing> {
  const sandbox = await openSandbox(context);
  const run = clearedRun(sandbox);
  const before = await listExpectedFiles(sandbox.api, run);
  const path = pathOf('clearRunReviews', { id: run });
  const response = await sandbox.api.send({ method: 'DELETE', path });
  return { sandbox, run, before, response };
}
