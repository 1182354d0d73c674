import { pathOf } from '../../../http/contract.ts';
import { CouldNotRun } from '../../../verdict/findings.ts';
import type { Sandbox } from './sandbox.ts';

/** The copy of an output at its two addresses. The contract shows both forms, and does not say that both are served. */
export const FEEDBACK_ADDRESSES = ['copyOutputToExpected', 'copyOutputToExpectedApp'] as const;
export type FeedbackAddress = (typeof FEEDBACK_ADDRESSES)[number];

const UNSERVED = new Set([404, 405, 501]);

/** The address at which the target serves the copy; the first one if both or none do. Copies nothing. */
export async function feedbackAddress(sandbox: Sandbox): Promise<FeedbackAddress> {
  const [first, second] = FEEDBACK_ADDRESSES;
  return (await isServed(sandbox, first)) || !(await isServed(sandbox, second)) ? first : second;
}

/** Something that is served says first that there is no key. */
async function isServed(sandbox: Sandbox, operationId: FeedbackAddress): Promise<boolean> {
  const path = pathOf(operationId, { id: sandbox.fixture('runId') });
  try {
    const { status } = await sandbox.api.send({ method: 'POST', path, key: null, json: {} });
    return !UNSERVED.has(status);
  } catch (error) {
    if (error instanceof CouldNotRun) return false;
    throw error;
  }
}
