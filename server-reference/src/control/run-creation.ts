import type { RunSnapshot } from '@hookproof/spec';
import type { RunCreation } from '@hookproof/spec/control';

import { badRequest } from '../app/api-error.ts';
import type { Services } from '../app/handler.ts';
import { commitRunChange } from '../runs/commit-run-change.ts';
import { createRun, firstStatus } from '../runs/create-run.ts';
import { findImpossibleStep, layCourse } from '../runs/lay-course.ts';
import { noUsage } from '../runs/no-usage.ts';
import { reviewRun } from '../runs/review-run.ts';
import type { AutomationRecord } from '../state/automation.ts';
import type { RunStatus, UsageRecord } from '../state/run.ts';
import { holdFiles } from '../store/hold-files.ts';
import type { State } from '../store/state.ts';
import { findAutomationOf, findKnown, findWorld } from './find-known.ts';
import { readGivenFiles } from './given-files.ts';
import { refuseTooMany } from './pathology-routes.ts';

/**
 * Creates the run and its review in one commit, with the bytes of its files put away before.
 *
 * @throws {ApiError} 400, 404 or 409; nothing has changed then
 */
export async function createGivenRun(services: Services, body: RunCreation): Promise<RunSnapshot> {
  const { store, blobs, clock, settings } = services;
  const { course = [], pathologies = [], status, input, output, review } = body;
  const world = findWorld(store.state, body.worldId);
  const automationId = body.automationId ?? world.fixtures.workflowId;
  const automation = findAutomationOf(store.state, world, automationId);
  refuseImpossibleCourse(automation, status, course);
  refuseUnknownEndpoints(store.state, pathologies);
  const most = settings.uploadLimitBytes;
  const produced = readGivenFiles('outputFiles', body.outputFiles, most);
  const corrected = readGivenFiles('review.correctedFiles', review?.correctedFiles, most);
  return holdFiles(blobs, produced, (outputFiles) =>
    holdFiles(blobs, corrected, (correctedFiles) =>
      commitRunChange(services, (state) => {
        const now = clock.now();
        refuseTooMany(services.pathologies, pathologies.length);
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
          course: layCourse(now, course),
        });
        if (review !== undefined) reviewRun(state, now, change.run, { ...review, correctedFiles });
        for (const order of pathologies) {
          services.pathologies.plant({ ...order, runId: change.run.id }, now);
        }
        return change;
      }),
    ),
  );
}

function refuseImpossibleCourse(
  automation: AutomationRecord,
  status: RunStatus | undefined,
  course: NonNullable<RunCreation['course']>,
): void {
  const impossible = findImpossibleStep(status ?? firstStatus(automation.type), course);
  if (impossible === null) return;
  const { index, error } = impossible;
  throw badRequest('invalid_value', `course[${index}].status`, error.message);
}

function refuseUnknownEndpoints(
  { webhookEndpoints }: State,
  pathologies: NonNullable<RunCreation['pathologies']>,
): void {
  for (const [index, { endpointId }] of pathologies.entries()) {
    if (endpointId === undefined) continue;
    findKnown(webhookEndpoints, endpointId, `pathologies[${index}].endpointId`, 'webhook endpoint');
  }
}

function fillUsage({ tokens, ...counts }: NonNullable<RunCreation['usage']> = {}): UsageRecord {
  const none = noUsage();
  return { ...none, ...counts, tokens: { ...none.tokens, ...tokens } };
}
