import { badRequest, notFound } from '../http/api-error.ts';
import type { AutomationRecord } from '../state/automations.ts';
import type { ExampleRecord, ExperimentRecord, ReviewRequestRecord } from '../state/datasets.ts';
import type { FileRecord, UploadRecord } from '../state/files.ts';
import type { TenantId } from '../state/ids.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { RunRecord } from '../state/runs.ts';
import type { ReadonlyState, State } from '../state/state.ts';
import type { ApiKeyRecord, TenantRecord, UserRecord } from '../state/tenants.ts';
import { find, recordsOf } from '../store/records.ts';

/** Records keyed by id, mutable or readonly like the state that they come from. */
type Records<Found> = Readonly<Record<string, Found>>;

/** The part of the state that {@link findUpload} reads. */
export type StateWithUploads<Found> = Pick<ReadonlyState, 'files'> & {
  readonly uploads: Records<Found>;
};

const ALIAS = /^(workflow|agent)s\.(.+)$/s;

/**
 * Returns the tenant's automation with this id or alias (`workflows.<slug>`, `agents.<slug>`).
 *
 * @param field - the request field with the id
 * @throws {ApiError} 404
 */
export function findAutomation<Found extends DeepReadonly<AutomationRecord>>(
  state: { readonly automations: Records<Found> },
  tenantId: TenantId,
  idOrAlias: string,
  field: string = 'id',
): Found {
  const [, type, slug] = ALIAS.exec(idOrAlias) ?? [];
  const found =
    type === undefined
      ? find(state.automations, idOrAlias)
      : Object.values(state.automations).find(
          (row) => row.tenantId === tenantId && row.type === type && row.slug === slug,
        );
  if (found === undefined || found.tenantId !== tenantId) {
    const hint = aliasHint(state, tenantId, slug ?? idOrAlias);
    throw notFound(field, 'no automation has this id or alias', hint);
  }
  return found;
}

/** Suggests an automation of the tenant for a slug without its type, or with the wrong type. */
function aliasHint(
  state: Pick<ReadonlyState, 'automations'>,
  tenantId: TenantId,
  slug: string,
): string | undefined {
  const match = Object.values(state.automations).find(
    (row) => row.tenantId === tenantId && row.slug === slug,
  );
  return match && `The alias of ${match.name} is ${match.type}s.${match.slug}.`;
}

/** The key and path of a request. */
interface TenantRequest {
  readonly key: { readonly tenantId: TenantId };
  readonly path: Readonly<Record<string, string>>;
}

/** Returns the tenant and the user of a key. */
export function findOwner(
  { tenants, users }: ReadonlyState,
  key: DeepReadonly<ApiKeyRecord>,
): { readonly tenant: DeepReadonly<TenantRecord>; readonly user: DeepReadonly<UserRecord> } {
  const tenant = find(tenants, key.tenantId);
  const user = find(users, key.userId);
  if (tenant === undefined || user === undefined) {
    throw new Error(`API key ${key.id} has no tenant or no user.`);
  }
  return { tenant, user };
}

/**
 * Returns the tenant's run with the id in the path, of any origin.
 *
 * @throws {ApiError} 404
 */
export function findRun<Found extends DeepReadonly<RunRecord>>(
  state: { readonly runs: Records<Found> },
  { key, path }: TenantRequest,
): Found {
  const run = find(state.runs, path['id'] ?? '');
  if (run === undefined || run.tenantId !== key.tenantId) {
    throw notFound('id', 'no run has this id');
  }
  return run;
}

/** Returns a file that has not expired, or undefined. */
export function findLiveFile<Found extends DeepReadonly<FileRecord>>(
  state: { readonly files: Records<Found> },
  id: string,
  nowMilliseconds: number,
): Found | undefined {
  const file = find(state.files, id);
  if (file === undefined || hasExpired(file, nowMilliseconds)) return undefined;
  return file;
}

/**
 * Returns the tenant's file with this id, unless it has expired.
 *
 * @throws {ApiError} 404
 */
export function findFile<Found extends DeepReadonly<FileRecord>>(
  state: { readonly files: Records<Found> },
  tenantId: TenantId,
  id: string,
  nowMilliseconds: number,
): Found {
  const file = findLiveFile(state, id, nowMilliseconds);
  if (file === undefined || file.tenantId !== tenantId) {
    throw notFound('id', 'no file has this id');
  }
  return file;
}

/** Returns whether a record has expired. `expiresAt: null` means never. */
export function hasExpired(
  { expiresAt }: { readonly expiresAt: string | null },
  nowMilliseconds: number,
): boolean {
  return expiresAt !== null && nowMilliseconds >= Date.parse(expiresAt);
}

/**
 * Returns an upload that is open, or whose file still exists.
 *
 * @throws {ApiError} 404
 */
export function findUpload<Found extends DeepReadonly<UploadRecord>>(
  state: StateWithUploads<Found>,
  id: string,
  nowMilliseconds: number,
  isVisible: (upload: Found) => boolean,
): Found {
  const upload = find(state.uploads, id);
  if (upload === undefined || !isVisible(upload) || isOver(state, upload, nowMilliseconds)) {
    throw notFound('uploadId', 'no upload has this id');
  }
  return upload;
}

/** Returns whether an upload has expired without a file, or its file no longer exists. */
export function isOver(
  state: Pick<ReadonlyState, 'files'>,
  upload: DeepReadonly<UploadRecord>,
  nowMilliseconds: number,
): boolean {
  if (upload.fileId === null) return hasExpired(upload, nowMilliseconds);
  return findLiveFile(state, upload.fileId, nowMilliseconds) === undefined;
}

/**
 * Returns the example of this automation with this id.
 *
 * @throws {ApiError} 404, also for an example of another automation
 */
export function findExample<Found extends DeepReadonly<ExampleRecord>>(
  state: { readonly examples: Records<Found> },
  automation: DeepReadonly<AutomationRecord>,
  exampleId: string,
): Found {
  const example = find(state.examples, exampleId);
  if (example?.automationId !== automation.id) {
    throw notFound('exampleId', 'the automation has no dataset example with this id');
  }
  return example;
}

/**
 * Refuses a list of ids with an empty item.
 *
 * @throws {ApiError} 400 for `exampleIds`
 */
export function refuseEmptyIds(list: string | undefined): void {
  if (list === undefined || !list.split(',').includes('')) return;
  const hint = 'Separate ids with single commas, or omit the parameter for the whole dataset.';
  throw badRequest('invalid_value', 'exampleIds', 'must not contain an empty id', hint);
}

/**
 * Returns the examples of an automation, ordered by name: all, or those in a list. The order of the list
 * and repeated ids are ignored.
 *
 * @param list - comma-separated ids
 * @throws {ApiError} 404 for `exampleIds` if an id is unknown
 */
export function findExamples(
  state: ReadonlyState,
  automation: DeepReadonly<AutomationRecord>,
  list: string | undefined,
): DeepReadonly<ExampleRecord>[] {
  const dataset = recordsOf(find(state.datasets, automation.id) ?? [], state.examples);
  if (list === undefined) return dataset;
  const chosen = list.split(',');
  const known = new Set<string>(dataset.map(({ id }) => id));
  const unknown = chosen.findIndex((id) => !known.has(id));
  if (unknown !== -1) {
    const message = `the automation has no dataset example with the id at position ${unknown + 1} of the list`;
    throw notFound('exampleIds', message);
  }
  return dataset.filter(({ id }) => chosen.includes(id));
}

/** Returns the review request that the path names, if its automation belongs to the tenant; else 404. */
export function findReview(state: State, { key, path }: TenantRequest): ReviewRequestRecord {
  const automation = findAutomation(state, key.tenantId, path['id'] ?? '');
  const review = find(state.reviewRequests, path['reviewId'] ?? '');
  if (review === undefined || review.automationId !== automation.id) {
    throw notFound('reviewId', 'the automation has no dataset review request with this id');
  }
  return review;
}

/** Returns the experiment that the path names, if it belongs to the tenant; else 404. */
export function findExperiment(
  state: ReadonlyState,
  { key, path }: TenantRequest,
): DeepReadonly<ExperimentRecord> {
  const experiment = find(state.experiments, path['experimentId'] ?? '');
  if (experiment === undefined || experiment.tenantId !== key.tenantId) {
    throw notFound('experimentId', 'no experiment has this id');
  }
  return experiment;
}
