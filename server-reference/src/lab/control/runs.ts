import type { RunSnapshot } from '@hookproof/spec';
import type { RunCreation, RunDetail, RunMove } from '@hookproof/spec/control';

import { storeFiles } from '../../api/files/file.ts';
import { findImpossibleStep, scheduleTransitions } from '../../events/scheduled-transitions.ts';
import {
  commitRunChange,
  createRun,
  firstStatus,
  moveRun,
  noUsage,
} from '../../events/run-change.ts';
import type { RunChange } from '../../events/run-change.ts';
import { invalidValue, refusal } from '../../errors.ts';
import type { AutomationRecord } from '../../store/automations.ts';
import type { DeepReadonly } from '../../store/read-only.ts';
import { RunTransitionError } from '../../events/run-transitions.ts';
import type { RunStatus, UsageRecord } from '../../store/runs.ts';
import type { ReadonlyState, State } from '../../store/state.ts';
import { runRow } from '../activity/rows.ts';
import { injectDeliveryFault, refuseTooMany } from './faults.ts';
import { findAutomationOf, findKnown, findWorld } from './find.ts';
import { readGivenFiles } from './given-files.ts';
import type { ControlRoute } from './operation.ts';
import { pageOf } from './page.ts';
import { reviewRun } from './review-run.ts';
import type { LabServices } from './services.ts';

/** Routes to create, move and read runs. Their events are added in the same commit. */
export function runRoutes(services: LabServices): ControlRoute[] {
  return [createRoute(services), listRoute(services), moveRoute(services), readRoute(services)];
}

function createRoute(services: LabServices): ControlRoute<RunCreation> {
  return {
    operationId: 'createRun',
    async handle({ body }) {
      return { status: 201, body: await createGivenRun(services, body) };
    },
  };
}

function listRoute({ store }: LabServices): ControlRoute {
  return {
    operationId: 'listRuns',
    async handle({ query: { worldId, automationId, status, origin }, page }) {
      const found = [...store.state.runs.values()].filter(
        (run) =>
          (worldId === undefined || run.worldId === worldId) &&
          (automationId === undefined || run.automationId === automationId) &&
          (status === undefined || run.status === status) &&
          (origin === undefined || run.origin === origin),
      );
      // The runs of a seeded world are older than their place in the table.
      const ordered = found.toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
      return { status: 200, body: pageOf(ordered, page, (run) => runRow(store.state, run)) };
    },
  };
}

function moveRoute(services: LabServices): ControlRoute<RunMove> {
  return {
    operationId: 'moveRun',
    async handle({ path, body }) {
      const move = (state: State): RunChange => {
        const run = findKnown(state.runs, path['runId'] ?? '', 'runId', 'run');
        return moveRun(state, services.clock.now(), run, body);
      };
      const snapshot = await commitRunChange(services, move).catch(
        refuseTransition('status', 'BEHAVIOR.md lists the valid transitions.'),
      );
      return { status: 200, body: snapshot };
    },
  };
}

function readRoute({ store }: LabServices): ControlRoute {
  return {
    operationId: 'readRun',
    async handle({ path }) {
      const run = findKnown(store.state.runs, path['runId'] ?? '', 'runId', 'run');
      const body: RunDetail = {
        ...runRow(store.state, run),
        ...(run.output !== undefined && { output: run.output }),
        history: run.history.map(({ status, at }) => ({ status, at })),
        scheduledTransitions: run.scheduledTransitions.map(({ status, at }) => ({ status, at })),
      };
      return { status: 200, body };
    },
  };
}

/**
 * Stores the bytes of the files, then creates the run and its review in one commit.
 *
 * @throws {ApiError} 400, 404 or 409, before anything has changed
 */
async function createGivenRun(services: LabServices, body: RunCreation): Promise<RunSnapshot> {
  const { store, blobs, clock, settings } = services;
  const { scheduledTransitions = [], deliveryFaults = [], status, input, output, review } = body;
  const world = findWorld(store.state, body.worldId);
  const automationId = body.automationId ?? world.fixtures.workflowId;
  const automation = findAutomationOf(store.state, world, automationId);
  refuseImpossibleTransitions(automation, status, scheduledTransitions);
  refuseUnknownEndpoints(store.state, deliveryFaults);
  const maxBytes = settings.uploadLimitBytes;
  const produced = readGivenFiles('outputFiles', body.outputFiles, maxBytes);
  const corrected = readGivenFiles('review.correctedFiles', review?.correctedFiles, maxBytes);
  const outputFiles = await storeFiles(blobs, produced);
  const correctedFiles = await storeFiles(blobs, corrected);
  return commitRunChange(services, (state) => {
    const now = clock.now();
    // The world may be deleted while the files are stored.
    findAutomationOf(state, findWorld(state, world.id), automation.id);
    refuseTooMany(services, 'delivery fault', deliveryFaults.length);
    const change = createRun(state, now, {
      worldId: world.id,
      automation,
      origin: body.origin ?? 'top-level',
      triggerType: body.triggerType ?? 'api',
      status,
      input,
      output,
      outputFiles,
      usage: fillUsage(body.usage),
      scheduledTransitions: scheduleTransitions(now, scheduledTransitions),
    });
    if (review !== undefined) reviewRun(state, now, change.run, { ...review, correctedFiles });
    for (const order of deliveryFaults) {
      injectDeliveryFault(services, { ...order, runId: change.run.id });
    }
    return change;
  });
}

function refuseImpossibleTransitions(
  automation: DeepReadonly<AutomationRecord>,
  status: RunStatus | undefined,
  scheduledTransitions: NonNullable<RunCreation['scheduledTransitions']>,
): void {
  const impossible = findImpossibleStep(
    status ?? firstStatus(automation.type),
    scheduledTransitions,
  );
  if (impossible === null) return;
  const { index, error } = impossible;
  throw invalidValue(`scheduledTransitions[${index}].status`, error.message);
}

function refuseUnknownEndpoints(
  { webhookEndpoints }: ReadonlyState,
  deliveryFaults: NonNullable<RunCreation['deliveryFaults']>,
): void {
  for (const [index, { endpointId }] of deliveryFaults.entries()) {
    if (endpointId === undefined) continue;
    findKnown(
      webhookEndpoints,
      endpointId,
      `deliveryFaults[${index}].endpointId`,
      'webhook endpoint',
    );
  }
}

function fillUsage({ tokens, ...counts }: NonNullable<RunCreation['usage']> = {}): UsageRecord {
  const none = noUsage();
  return { ...none, ...counts, tokens: { ...none.tokens, ...tokens } };
}

/** Converts a {@link RunTransitionError} to 409 `invalid_transition`. Rethrows other errors. */
function refuseTransition(field: string, hint: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof RunTransitionError)) throw error;
    throw refusal('invalid_transition', field, error.message, { hint });
  };
}
