import { RUN_STATUSES } from '@hookproof/spec';
import type { RunSnapshot } from '@hookproof/spec';

import { badRequest } from '../app/api-error.ts';
import type { Services } from '../app/handler.ts';
import { commitRunChange } from '../runs/commit-run-change.ts';
import { createRun, firstStatus } from '../runs/create-run.ts';
import { findImpossibleStep, layCourse } from '../runs/lay-course.ts';
import type { CourseStep } from '../runs/lay-course.ts';
import { noUsage } from '../runs/no-usage.ts';
import { reviewRun } from '../runs/review-run.ts';
import type { GivenReview } from '../runs/review-run.ts';
import type { AutomationRecord } from '../state/automation.ts';
import type { RunOrigin, RunStatus, UsageRecord } from '../state/run.ts';
import { holdFiles } from '../store/hold-files.ts';
import { LONGEST_STEP_MILLISECONDS } from './clock-routes.ts';
import { findAutomationOf, findWorld } from './find-known.ts';
import { GIVEN_FILES_SCHEMA, readGivenFiles } from './given-files.ts';
import type { GivenFile } from './given-files.ts';

/** The body of `POST /_control/runs`. */
export interface RunCreation {
  readonly worldId?: string;
  readonly automationId?: string;
  readonly origin?: RunOrigin;
  readonly triggerType?: string;
  readonly status?: RunStatus;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly outputFiles?: readonly GivenFile[];
  readonly usage?: Partial<Omit<UsageRecord, 'tokens'>> & {
    tokens?: Partial<UsageRecord['tokens']>;
  };
  readonly review?: Omit<GivenReview, 'correctedFiles'> & { correctedFiles?: readonly GivenFile[] };
  readonly course?: readonly CourseStep[];
}

const COUNT = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;
const TEXT = { type: 'string' } as const;

function closed(
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  return { type: 'object', additionalProperties: false, required, properties };
}

export const RUN_CREATION_SCHEMA: Readonly<Record<string, unknown>> = closed({
  worldId: TEXT,
  automationId: TEXT,
  origin: { type: 'string', enum: ['top-level', 'invoke-workflow', 'evaluation'] },
  triggerType: { type: 'string', minLength: 1, maxLength: 100 },
  status: { type: 'string', enum: RUN_STATUSES },
  input: true,
  output: true,
  outputFiles: GIVEN_FILES_SCHEMA,
  usage: closed({
    tokens: closed({ input: COUNT, output: COUNT, cacheRead: COUNT, cacheWrite: COUNT }),
    creditsCharged: { type: 'number', minimum: 0 },
    llmCallCount: COUNT,
    ocrPagesProcessed: COUNT,
    agentTurns: COUNT,
  }),
  review: closed({
    verdict: { type: 'string', minLength: 1 },
    note: TEXT,
    corrections: {
      type: 'array',
      maxItems: 100,
      items: closed(
        {
          path: TEXT,
          label: TEXT,
          note: TEXT,
          originalValue: true,
          correctedValue: true,
          correctedArtifactPath: TEXT,
        },
        ['path'],
      ),
    },
    correctedOutput: true,
    correctedFiles: GIVEN_FILES_SCHEMA,
  }),
  course: {
    type: 'array',
    maxItems: 100,
    items: closed(
      {
        status: { type: 'string', enum: RUN_STATUSES },
        afterMilliseconds: { ...COUNT, maximum: LONGEST_STEP_MILLISECONDS },
        output: true,
      },
      ['status', 'afterMilliseconds'],
    ),
  },
});

/**
 * Creates the run and its review in one commit, with the bytes of its files put away before.
 *
 * @throws {ApiError} 400 or 404; nothing has changed then
 */
export async function createGivenRun(services: Services, body: RunCreation): Promise<RunSnapshot> {
  const { store, blobs, clock, settings } = services;
  const { course = [], status, input, output, review } = body;
  const world = findWorld(store.state, body.worldId);
  const automationId = body.automationId ?? world.fixtures.workflowId;
  const automation = findAutomationOf(store.state, world, automationId);
  refuseImpossibleCourse(automation, status, course);
  const most = settings.uploadLimitBytes;
  const produced = readGivenFiles('outputFiles', body.outputFiles, most);
  const corrected = readGivenFiles('review.correctedFiles', review?.correctedFiles, most);
  return holdFiles(blobs, produced, (outputFiles) =>
    holdFiles(blobs, corrected, (correctedFiles) =>
      commitRunChange(services, (state) => {
        const now = clock.now();
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
        return change;
      }),
    ),
  );
}

function refuseImpossibleCourse(
  automation: AutomationRecord,
  status: RunStatus | undefined,
  course: readonly CourseStep[],
): void {
  const impossible = findImpossibleStep(status ?? firstStatus(automation.type), course);
  if (impossible === null) return;
  const { index, error } = impossible;
  throw badRequest('invalid_value', `course[${index}].status`, error.message);
}

function fillUsage({ tokens, ...counts }: NonNullable<RunCreation['usage']> = {}): UsageRecord {
  const none = noUsage();
  return { ...none, ...counts, tokens: { ...none.tokens, ...tokens } };
}
