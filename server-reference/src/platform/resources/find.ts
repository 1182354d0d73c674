import { badRequest, notFound } from '../http/api-error.ts';
import type { AutomationRecord } from '../state/automations.ts';
import type { ExampleRecord } from '../state/datasets.ts';
import type { FileRecord, UploadRecord } from '../state/files.ts';
import type { TenantId } from '../state/ids.ts';
import type { DeepReadonly } from '../state/read-only.ts';
import type { RunRecord } from '../state/runs.ts';
import type { ReadonlyState } from '../state/state.ts';
import type { ApiKeyRecord, TenantRecord, UserRecord } from '../state/tenants.ts';
import { find, recordsOf } from '../store/records.ts';

/** Records by their ids: to be changed where the state is, to be read where it is not. */
type Records<Found> = Readonly<Record<string, Found>>;

/** What {@link findUpload} looks at. */
export type StateWithUploads<Found> = Pick<ReadonlyState, 'files'> & {
  readonly uploads: Records<Found>;
};

const ALIAS = /^(workflow|agent)s\.(.+)$/s;

/**
 * The tenant's automation with this id or alias (`workflows.<slug>`, `agents.<slug>`); else 404.
 *
 * @param field - where the caller named it
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

/** For a slug without its type, or behind the wrong one; only what the tenant has counts. */
function aliasHint(
  state: Pick<ReadonlyState, 'automations'>,
  tenantId: TenantId,
  slug: string,
): string | undefined {
  const meant = Object.values(state.automations).find(
    (row) => row.tenantId === tenantId && row.slug === slug,
  );
  return meant && `The alias of ${meant.name} is ${meant.type}s.${meant.slug}.`;
}

/** The part of a request that says who asks for what. */
interface TenantRequest {
  readonly key: { readonly tenantId: TenantId };
  readonly path: Readonly<Record<string, string>>;
}

/** The tenant and the user that a key acts for. */
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

/** The run that the path names, of any origin, if it is the tenant's; else 404. */
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

/** A file that is there: a temporary one is gone at the millisecond at which it expires. */
export function findLiveFile<Found extends DeepReadonly<FileRecord>>(
  state: { readonly files: Records<Found> },
  id: string,
  nowMilliseconds: number,
): Found | undefined {
  const file = find(state.files, id);
  if (file === undefined || hasExpired(file, nowMilliseconds)) return undefined;
  return file;
}

/** The file that the path names, if it is the tenant's; else 404. */
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

/** Whether the time of a record is over; a record without one stays. */
export function hasExpired(
  { expiresAt }: { readonly expiresAt: string | null },
  nowMilliseconds: number,
): boolean {
  return expiresAt !== null && nowMilliseconds >= Date.parse(expiresAt);
}

/** An upload that goes on, or one whose file is still there; else 404. */
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

/** Whether nothing can come of an upload any more, and nothing is left of what came of it. */
export function isOver(
  state: Pick<ReadonlyState, 'files'>,
  upload: DeepReadonly<UploadRecord>,
  nowMilliseconds: number,
): boolean {
  if (upload.fileId === null) return hasExpired(upload, nowMilliseconds);
  return findLiveFile(state, upload.fileId, nowMilliseconds) === undefined;
}

/** The example of this automation with this id; one of another automation is as unknown as none: 404. */
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

/** Refuses a list of ids that has an empty item: 400, naming `exampleIds`. */
export function refuseEmptyIds(list: string | undefined): void {
  if (list === undefined || !list.split(',').includes('')) return;
  const hint = 'Separate ids by single commas, or leave the parameter out for the whole dataset.';
  throw badRequest('invalid_value', 'exampleIds', 'holds an empty id', hint);
}

/**
 * The examples of an automation by their names: all of them, or those with the ids of a list. The order
 * of the list counts for nothing, and an id that stands in it twice counts once.
 *
 * @param list - ids with commas between them
 * @throws {ApiError} 404 for an unknown id, naming `exampleIds`
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
    const message = `the automation has no dataset example with id number ${unknown + 1} of the list`;
    throw notFound('exampleIds', message);
  }
  return dataset.filter(({ id }) => chosen.includes(id));
}
