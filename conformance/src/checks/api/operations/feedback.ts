import { randomUUID } from 'node:crypto';
import { posix } from 'node:path';

import type { CheckContext } from '../../../check-kit/check.ts';
import { pathOf } from '../../../http/contract.ts';
import { CouldNotRun } from '../../../verdict/findings.ts';
import { once } from '../../../check-kit/once.ts';
import { absenceOf } from './absence.ts';
import { fixtureOrNull } from './files.ts';

/** The copy of an output at its two addresses. The contract shows both forms, and does not say that both are served. */
export const FEEDBACK_ADDRESSES = ['copyOutputToExpected', 'copyOutputToExpectedApp'] as const;
export type FeedbackAddress = (typeof FEEDBACK_ADDRESSES)[number];

/** A run that exists nowhere. */
const NO_RUN = `run_${'0'.repeat(24)}`;

/**
 * The address at which the target serves the copy, looked up once in a run and attempt; the first one if both or none do.
 * Copies nothing: a body without `outputFileName` names no output.
 */
export const feedbackAddress: (sandbox: CheckContext) => Promise<FeedbackAddress> = once(
  async (sandbox) => {
    const [first, second] = FEEDBACK_ADDRESSES;
    const id = fixtureOrNull(sandbox, filledName(sandbox)) ?? NO_RUN;
    const atFirst = await signOf(sandbox, first, id);
    return atFirst < 2 && atFirst < (await signOf(sandbox, second, id)) ? second : first;
  },
);

/** How much speaks for an address: 0 nothing, 1 that its 404 may be that of an unknown run, 2 that it is served. */
async function signOf(
  { api }: CheckContext,
  operationId: FeedbackAddress,
  run: string,
): Promise<0 | 1 | 2> {
  const path = pathOf(operationId, { id: run });
  try {
    const response = await api.send({ method: 'POST', path, json: {} });
    if ((await absenceOf(api, response)) !== null) return 0;
    return response.status === 404 ? 1 : 2;
  } catch (error) {
    if (error instanceof CouldNotRun) return 0;
    throw error;
  }
}

export const COPY_NEEDS = ['key.main', 'fixture.outputFileName', 'world-or.fillableRunId'] as const;

/** The run with the output: no operation takes a copy back, so that the fixtures say which one is free for copies. */
export function filledRun(sandbox: CheckContext): string {
  return sandbox.fixture(filledName(sandbox));
}

function filledName({ disposable }: CheckContext): 'runId' | 'fillableRunId' {
  return disposable ? 'runId' : 'fillableRunId';
}

/** A new name for a copy: those of earlier runs may still be there. */
export function copyNameFor(outputFileName: string): string {
  return `copied-by-the-suite-${randomUUID().slice(0, 8)}${posix.extname(outputFileName)}`;
}
