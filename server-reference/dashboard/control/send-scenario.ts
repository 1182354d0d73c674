import { API_VERSION } from '@hookproof/spec';
import type { RunSnapshot } from '@hookproof/spec';
import type { RunCreation, RunStatusChange, WebhookEndpoint, World } from '@hookproof/spec/control';
import { OUTPUT_TEXT_BYTES } from '@hookproof/spec/scenarios';
import type { Scenario } from '@hookproof/spec/scenarios';

import { ControlError } from './call.ts';
import { newEventId, sendEvent, sendTestEvent } from './events.ts';
import { createRun, listWebhookEndpoints, waitForAttempt } from './operations.ts';
import { getRunProgress, moveRun } from './runs.ts';

/** Between two statuses. */
const STEP_MILLISECONDS = 500;
const A_DAY_MILLISECONDS = 86_400_000;

/** What the user has chosen beside the scenario. */
export interface Choice {
  readonly world: World;
  /** Default: the automation of the scenario. */
  readonly automationId: string | undefined;
  /** Default: every enabled endpoint. */
  readonly endpointId: string | undefined;
  /** Any JSON value. */
  readonly output: unknown;
}

/** Returns whether the server sends the events of a run like this: as they happen, to every endpoint. */
export function isSentByRun({ missing, isSimultaneous, replaced }: Scenario): boolean {
  return [missing, isSimultaneous, replaced].every((one) => one === undefined);
}

/** Something that was started. */
export interface Started {
  /** Null for test events. */
  readonly runId: string | null;
  /** Resolves when every event is sent. */
  readonly sent: Promise<void>;
}

/** Starts a run, and sends what no run sends by itself. */
export async function startScenario(scenario: Scenario, choice: Choice): Promise<Started> {
  const { data } = await listWebhookEndpoints(choice.world.id);
  const endpoints = data.filter(
    ({ id, enabled }) => enabled && (choice.endpointId === undefined || choice.endpointId === id),
  );
  const isRun = choice.endpointId === undefined && isSentByRun(scenario);
  if (endpoints.length === 0 && (!isRun || scenario.isTest === true)) {
    throw new Error('There is no enabled endpoint to send to.');
  }
  if (scenario.isTest === true) return { runId: null, sent: sendTests(endpoints) };
  const creation = creationOf(scenario, choice);
  if (isRun) {
    const { id } = await createRun({ ...creation, ...scheduleOf(scenario, choice, endpoints) });
    return { runId: id, sent: Promise.resolve() };
  }
  // A run of this origin sends nothing by itself, and the API has it like every other.
  const run = await createRun({ ...creation, origin: 'invoke-workflow' });
  return { runId: run.id, sent: sendEvents(scenario, choice, run) };
}

async function sendTests(endpoints: readonly WebhookEndpoint[]): Promise<void> {
  for (const { id } of endpoints) await sendTestEvent(id);
}

function creationOf(
  { statuses: [status], automation }: Scenario,
  { world, automationId }: Choice,
): RunCreation {
  const chosen = automationId ?? world.fixtures[`${automation}Id`];
  return {
    worldId: world.id,
    ...(chosen === undefined ? {} : { automationId: chosen }),
    triggerType: 'manual',
    status,
  };
}

function scheduleOf(
  scenario: Scenario,
  choice: Choice,
  endpoints: readonly WebhookEndpoint[],
): Pick<RunCreation, 'scheduledTransitions' | 'deliveryFaults'> {
  const { statuses, fault, isReversed = false } = scenario;
  // A number, so that the faults are exhausted and make room for others.
  const deliveries = Math.max(1, statuses.length * endpoints.length);
  return {
    scheduledTransitions: statuses.slice(1).map((status) => {
      const step = { status, afterMilliseconds: STEP_MILLISECONDS };
      return Object.assign(step, outputOf(status, scenario, choice));
    }),
    deliveryFaults: [
      ...(fault === undefined ? [] : [{ ...fault, deliveries }]),
      ...(isReversed ? [{ name: 'reorder', deliveries } as const] : []),
    ],
  };
}

function outputOf(
  status: string,
  { output: size }: Scenario,
  { output: chosen }: Choice,
): { output?: unknown } {
  if (status !== 'completed') return {};
  return {
    output: size === undefined ? chosen : { chosen, text: 'x'.repeat(OUTPUT_TEXT_BYTES[size]) },
  };
}

/** Moves the run to its end, and sends its events, each after the first attempt of the one before. */
async function sendEvents(scenario: Scenario, choice: Choice, created: RunSnapshot): Promise<void> {
  const { statuses, missing, fault, isReversed = false } = scenario;
  const snapshots = [created];
  for (const status of statuses.slice(1)) {
    const move = { status, ...outputOf(status, scenario, choice) };
    snapshots.push(await moveRun(created.id, move));
  }
  const { history } = await getRunProgress(created.id);
  const events = snapshots.map((run, place) => payloadOf(scenario, run, history, place));
  const inOrder = [...events.entries()];
  for (const [place, payload] of isReversed ? inOrder.toReversed() : inOrder) {
    const isHeld = place === missing;
    const { deliveries } = await sendEvent({
      worldId: choice.world.id,
      ...(choice.endpointId === undefined ? {} : { endpointId: choice.endpointId }),
      payload,
      deliveryFaults: [
        ...(fault === undefined ? [] : [fault]),
        ...(isHeld ? [{ name: 'delay', milliseconds: A_DAY_MILLISECONDS } as const] : []),
      ],
    });
    if (!isHeld) await Promise.all(deliveries.map(({ id }) => attempted(id)));
  }
}

/** Resolves after the first attempt, or when the app takes too long for it. */
async function attempted(deliveryId: string): Promise<void> {
  try {
    await waitForAttempt(deliveryId);
  } catch (error) {
    if (!(error instanceof ControlError && error.status === 408)) throw error;
  }
}

function payloadOf(
  { output: size, isSimultaneous = false, replaced }: Scenario,
  { output, ...run }: RunSnapshot,
  history: readonly RunStatusChange[],
  place: number,
): string {
  const result = size === 'omitted' ? { outputOmitted: true } : { output };
  const previousStatus = history[place - 1]?.status;
  const isCreated = previousStatus === undefined;
  return JSON.stringify({
    id: newEventId(),
    type: isCreated ? 'run.created' : 'run.status_changed',
    apiVersion: API_VERSION,
    createdAt: history[isSimultaneous ? 0 : place]?.at,
    test: false,
    data: {
      ...(isCreated ? {} : { previousStatus, currentStatus: run.status }),
      run: output === undefined ? run : { ...run, ...result },
    },
    ...replaced,
  });
}
