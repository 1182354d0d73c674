import { Readable } from 'node:stream';

import type { RunSnapshot, RunStart } from '@hookproof/spec';

import { holdFiles } from '../datasets/examples.ts';
import type { FileSource } from '../datasets/examples.ts';
import { ApiError, badRequest, issue } from '../http/api-error.ts';
import { shorten } from '../http/schema.ts';
import { findAutomation, findOwner } from '../resources/find.ts';
import { commitRunChange, createRun } from '../runs/change-run.ts';
import { scheduleTransitions } from '../runs/scheduled-transitions.ts';
import {
  OUTCOME_FIELD,
  OUTCOMES,
  OUTPUT_FILE_NAME,
  simulatedTransitions,
  simulatedOutput,
  simulatedUsage,
} from '../runs/simulate-run.ts';
import type { Outcome } from '../runs/simulate-run.ts';
import type { AutomationRecord } from '../state/automations.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import { seededRandom } from '../store/seed.ts';
import type { ApiRequest, Handler, Services } from './services.ts';

/** `POST /v1/runs`: creates a simulated run, which makes its scheduled transitions. */
export function startRun(services: Services): Handler<unknown, RunStart> {
  const { store, blobs, clock } = services;
  return async function handle({ key, body }: ApiRequest<unknown, RunStart>): Promise<RunSnapshot> {
    const input = body.input ?? {};
    const outcome = readOutcome(input);
    const automation = findAutomation(store.state, key.tenantId, body.target, 'target');
    refuseUnstartable(automation);
    const output = simulatedOutput(input);
    const { type } = automation;
    const usage = simulatedUsage(type, input);
    return holdFiles(blobs, [outputFileOf(output)], (outputFiles) =>
      commitRunChange(services, (state) => {
        const draw = seededRandom(state.ids.seed);
        const number = state.ids.drawn;
        const random = (name: string): number => draw(`${number}:${name}`);
        const steps = simulatedTransitions({ type, outcome, usage, output, outputFiles, random });
        const now = clock.now();
        return createRun(state, now, {
          worldId: findOwner(state, key).tenant.worldId,
          automation,
          origin: 'top-level',
          triggerType: 'api',
          input,
          scheduledTransitions: scheduleTransitions(now, steps),
        });
      }),
    );
  };
}

function refuseUnstartable({
  implementationAvailable,
  triggers,
}: DeepReadonly<AutomationRecord>): void {
  if (!implementationAvailable) {
    throw new ApiError(
      409,
      [issue('implementation_missing', 'target', 'the automation has no implementation')],
      { hint: 'GET /v1/automations shows which automations have one (implementationAvailable).' },
    );
  }
  if (triggers.api !== true) {
    throw new ApiError(
      409,
      [issue('api_trigger_disabled', 'target', 'the automation cannot be started over the API')],
      { hint: 'GET /v1/automations shows which automations can (triggers.api).' },
    );
  }
}

function readOutcome(input: object): Outcome {
  const given: unknown = Object.hasOwn(input, OUTCOME_FIELD)
    ? Reflect.get(input, OUTCOME_FIELD)
    : 'completed';
  const outcome = OUTCOMES.find((one) => one === given);
  if (outcome !== undefined) return outcome;
  throw badRequest(
    'invalid_value',
    `input.${OUTCOME_FIELD}`,
    `must be one of ${OUTCOMES.join(', ')}, got ${shorten(given)}`,
  );
}

function outputFileOf(output: object): FileSource {
  const bytes = Buffer.from(`${JSON.stringify(output, null, 2)}\n`);
  return {
    path: OUTPUT_FILE_NAME,
    contentType: 'application/json',
    size: bytes.length,
    bytes: Readable.from([bytes]),
  };
}
