import { badRequest, notFound } from '../http/api-error.ts';
import type { AutomationRecord } from '../state/automations.ts';
import type { ExampleRecord, ExperimentRecord, ReviewRequestRecord } from '../state/datasets.ts';
import type { FileRecord, UploadRecord } from '../state/files.ts';
import type { AutomationId, TenantId } from '../state/ids.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { RunRecord } from '../state/runs.ts';
import { slugKey } from '../state/state.ts';
import type { ReadonlyState } from '../state/state.ts';
import type { ApiKeyRecord, TenantRecord, UserRecord } from '../state/tenants.ts';
import { recordsOf } from '../state/table.ts';

const ALIAS = /^(workflow|agent)s\.(.+)$/s;

/**
 * Returns the tenant's automation with this id or alias. An alias is `workflows.` or `agents.` with a slug,
 * with a slug whose slashes are written as dots, or with an id. They are tried in this order.
 *
 * @param field - the request field with the id
 * @throws {ApiError} 404
 */
export function findAutomation(
  state: StateWithAutomations,
  tenantId: TenantId,
  idOrAlias: string,
  field: string = 'id',
): DeepReadonly<AutomationRecord> {
  const found = lookUpAutomation(state, tenantId, idOrAlias);
  if (found !== undefined) return found;
  const [, , name = idOrAlias] = ALIAS.exec(idOrAlias) ?? [];
  const hint = aliasHint(state, tenantId, name);
  throw notFound(field, 'no automation has this id or alias', hint);
}

/** Returns the tenant's automation with this id or alias, or undefined. */
export function lookUpAutomation(
  state: StateWithAutomations,
  tenantId: TenantId,
  idOrAlias: string,
): DeepReadonly<AutomationRecord> | undefined {
  const byId = state.automations.get(idOrAlias);
  if (byId?.tenantId === tenantId) return byId;
  const [, type, name = idOrAlias] = ALIAS.exec(idOrAlias) ?? [];
  return type === undefined ? undefined : findNamed(state, tenantId, type, name);
}

function findNamed(
  state: StateWithAutomations,
  tenantId: TenantId,
  type: string,
  name: string,
): DeepReadonly<AutomationRecord> | undefined {
  return [
    ...withSlug(state, tenantId, name),
    ...withSlug(state, tenantId, name.replaceAll('.', '/')),
    state.automations.get(name),
  ].find((row) => row?.tenantId === tenantId && row.type === type);
}

type StateWithAutomations = Pick<ReadonlyState, 'automations' | 'grouped'>;

function withSlug(
  { automations, grouped }: StateWithAutomations,
  tenantId: TenantId,
  slug: string,
): DeepReadonly<AutomationRecord>[] {
  return recordsOf(grouped.automationsBySlug.of(slugKey(tenantId, slug)), automations);
}

/** Suggests an automation of the tenant for a slug without its type, or with the wrong type. */
function aliasHint(
  state: StateWithAutomations,
  tenantId: TenantId,
  slug: string,
): string | undefined {
  const [match] = withSlug(state, tenantId, slug);
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
  const tenant = tenants.get(key.tenantId);
  const user = users.get(key.userId);
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
export function findRun(
  state: Pick<ReadonlyState, 'runs'>,
  { key, path }: TenantRequest,
): DeepReadonly<RunRecord> {
  const run = state.runs.get(path['id'] ?? '');
  if (run === undefined || run.tenantId !== key.tenantId) {
    throw notFound('id', 'no run has this id');
  }
  return run;
}

/** Returns a file that has not expired, or undefined. */
export function findLiveFile(
  state: Pick<ReadonlyState, 'files'>,
  id: string,
  nowMilliseconds: number,
): DeepReadonly<FileRecord> | undefined {
  const file = state.files.get(id);
  if (file === undefined || hasExpired(file, nowMilliseconds)) return undefined;
  return file;
}

/**
 * Returns the tenant's file with this id, unless it has expired.
 *
 * @throws {ApiError} 404
 */
export function findFile(
  state: Pick<ReadonlyState, 'files'>,
  tenantId: TenantId,
  id: string,
  nowMilliseconds: number,
): DeepReadonly<FileRecord> {
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
export function findUpload(
  state: Pick<ReadonlyState, 'files' | 'uploads'>,
  id: string,
  nowMilliseconds: number,
  isVisible: (upload: DeepReadonly<UploadRecord>) => boolean,
): DeepReadonly<UploadRecord> {
  const upload = state.uploads.get(id);
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
  if (upload.completedAt === null) return hasExpired(upload, nowMilliseconds);
  return findLiveFile(state, upload.fileId, nowMilliseconds) === undefined;
}

/**
 * Returns the example of this automation with this id.
 *
 * @throws {ApiError} 404, also for an example of another automation
 */
export function findExample(
  state: Pick<ReadonlyState, 'examples'>,
  automation: DeepReadonly<AutomationRecord>,
  exampleId: string,
): DeepReadonly<ExampleRecord> {
  const example = state.examples.get(exampleId);
  if (example?.automationId !== automation.id) {
    throw notFound('exampleId', 'the automation has no dataset example with this id');
  }
  return example;
}

/** Returns the example of an automation with exactly this name. */
export function findExampleNamed(
  { datasets, examples }: Pick<ReadonlyState, 'datasets' | 'examples'>,
  automationId: AutomationId,
  name: string,
): DeepReadonly<ExampleRecord> | undefined {
  const ids = datasets.of(automationId);
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const example = examples.get(ids[middle] ?? '');
    if (example?.name === name) return example;
    if (example !== undefined && example.name < name) low = middle + 1;
    else high = middle;
  }
  return undefined;
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
  const dataset = recordsOf(state.datasets.of(automation.id), state.examples);
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
export function findReview(
  state: ReadonlyState,
  { key, path }: TenantRequest,
): DeepReadonly<ReviewRequestRecord> {
  const automation = findAutomation(state, key.tenantId, path['id'] ?? '');
  const review = state.reviewRequests.get(path['reviewId'] ?? '');
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
  const experiment = state.experiments.get(path['experimentId'] ?? '');
  if (experiment === undefined || experiment.tenantId !== key.tenantId) {
    throw notFound('experimentId', 'no experiment has this id');
  }
  return experiment;
}

/** Returns the experiment that the path names, if it belongs to the automation in the path; else 404. */
export function findExperimentOf(
  state: ReadonlyState,
  request: TenantRequest,
): DeepReadonly<ExperimentRecord> {
  const automation = findAutomation(state, request.key.tenantId, request.path['id'] ?? '');
  const experiment = findExperiment(state, request);
  if (experiment.automationId !== automation.id) {
    throw notFound('experimentId', 'no experiment has this id');
  }
  return experiment;
}
