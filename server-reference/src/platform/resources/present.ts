import type {
  Agent,
  Automation,
  DatasetReviewRequest,
  DatasetReviewRequestDetail,
  File,
  ReviewProgress,
  ReviewProgressDetail,
  RunSnapshot,
  Template,
} from '@hookproof/spec';

import { folderPathOf } from '../automations/folders.ts';
import type { AgentRecord, AutomationRecord, TemplateRecord } from '../state/automations.ts';
import type { ReviewItemRecord, ReviewRequestRecord } from '../state/datasets.ts';
import type { FileRecord } from '../state/files.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { RunRecord } from '../state/runs.ts';
import type { ReadonlyState } from '../state/state.ts';
import { find } from '../store/records.ts';

/** Returns an automation as the API shows it, with the path of its folder. */
export function presentAutomation(
  state: ReadonlyState,
  automation: DeepReadonly<AutomationRecord>,
): Automation {
  const { tenantId: _tenantId, ...fields } = automation;
  return { ...fields, folderPath: folderPathOf(state, automation.folderId) };
}

/** Returns a run as the API shows it, with its output if it has one. */
export function runSnapshot(run: DeepReadonly<RunRecord>): RunSnapshot {
  return {
    id: run.id,
    automationId: run.automationId,
    type: run.type,
    status: run.status,
    triggerType: run.triggerType,
    createdAt: run.createdAt,
    startedAt: run.startedAt,
    completedAt: run.completedAt,
    ...(run.output === undefined ? {} : { output: run.output }),
  };
}

/** Returns a file as the API shows it. A durable file has no purpose. */
export function presentFile(file: DeepReadonly<FileRecord>): File {
  const { id, filename, contentType, size, createdAt, purpose } = file;
  return { id, filename, contentType, size, createdAt, ...(purpose === null ? {} : { purpose }) };
}

/** Counts the items of a review by status, in the form of lists. */
function reviewProgress(items: readonly DeepReadonly<ReviewItemRecord>[]): ReviewProgress {
  const count = (status: ReviewItemRecord['status']): number =>
    items.filter((item) => item.status === status).length;
  const pending = count('pending');
  return {
    total: items.length,
    pending,
    approved: count('approved'),
    edited: count('edited'),
    removed: count('removed'),
    remaining: pending,
    complete: pending === 0,
  };
}

/** Counts the items of a review in the form of the update, which calls `removed` `rejected`. */
function reviewProgressDetail(
  items: readonly DeepReadonly<ReviewItemRecord>[],
): ReviewProgressDetail {
  const { removed, ...progress } = reviewProgress(items);
  return { ...progress, rejected: removed };
}

/** Returns a review request as the inbox shows it. */
export function presentInboxItem(
  review: DeepReadonly<ReviewRequestRecord>,
  state: ReadonlyState,
): DeepReadonly<DatasetReviewRequest> {
  const { tenantId: _tenantId, items, events: _events, ...fields } = review;
  return {
    ...fields,
    exampleNames: items.map((item) => item.exampleName),
    progress: reviewProgress(items),
    automationName: find(state.automations, review.automationId)?.name ?? '',
  };
}

/** Returns a review request as the response to an update shows it. */
export function presentDetail(
  review: DeepReadonly<ReviewRequestRecord>,
): DeepReadonly<DatasetReviewRequestDetail> {
  const { tenantId: _tenantId, ...fields } = review;
  return {
    ...fields,
    // A copy, because the history may grow before the response is sent.
    events: [...review.events],
    exampleNames: review.items.map((item) => item.exampleName),
    progress: reviewProgressDetail(review.items),
  };
}

/** Returns an agent as the list shows it. */
export function presentAgent({
  tenantId: _tenantId,
  archived: _archived,
  ...agent
}: DeepReadonly<AgentRecord>): Agent {
  return agent;
}

/** Returns a template as the list shows it. */
export function presentTemplate({
  tenantId: _tenantId,
  ...template
}: DeepReadonly<TemplateRecord>): DeepReadonly<Template> {
  return template;
}
