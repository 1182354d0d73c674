import { unservedCause } from '../checks/api/operations/absence.ts';
import { AGENTS, INBOX } from '../checks/api/operations/lists.ts';
import type { PagedList } from '../checks/api/operations/lists.ts';
import type { ApiClient, ApiResponse } from '../clients/api-client.ts';
import { pathOf } from '../http/contract.ts';
import { isRecord, isSuccess, membersOf } from '../http/message.ts';
import type { FixtureName, KeyName } from '../options/facts.ts';
import { Inconclusive } from '../verdict/findings.ts';

type Row = Readonly<Record<string, unknown>>;

/** A fixture that an entry of a list has. */
interface Listed {
  readonly name: FixtureName;
  readonly list: PagedList;
  readonly member: 'id' | 'slug';
  readonly status?: string;
  readonly key?: KeyName;
}

const LISTED: readonly Listed[] = [
  ...(['draft', 'open', 'paused', 'closed'] as const).map((status): Listed => ({
    name: `${status}ReviewId`,
    list: INBOX,
    member: 'id',
    status,
  })),
  { name: 'otherTenantReviewId', list: INBOX, member: 'id', key: 'otherTenant' },
  { name: 'agentId', list: AGENTS, member: 'id' },
  { name: 'agentSlug', list: AGENTS, member: 'slug' },
];

/** The operations that read a fixture by its id. It exists if one of them finds it. */
interface Read {
  readonly name: FixtureName;
  readonly operations: readonly string[];
  /** The name of the path parameter. Default `id`. */
  readonly parameter?: string;
  readonly key?: KeyName;
}

const RUN = ['getRunUsage', 'getRunApp'];
const READ: readonly Read[] = [
  { name: 'runId', operations: RUN },
  { name: 'reviewedRunId', operations: RUN },
  { name: 'fillableRunId', operations: RUN },
  { name: 'clearableRunId', operations: RUN },
  { name: 'otherTenantRunId', operations: RUN, key: 'otherTenant' },
  { name: 'fileId', operations: ['getFile', 'getFileContent'] },
  { name: 'otherTenantFileId', operations: ['getFile', 'getFileContent'], key: 'otherTenant' },
  { name: 'datasetAutomationId', operations: ['exportDataset'] },
  { name: 'experimentId', operations: ['getExperiment'], parameter: 'experimentId' },
  {
    name: 'otherTenantExperimentId',
    operations: ['getExperiment'],
    parameter: 'experimentId',
    key: 'otherTenant',
  },
];

/** What a run may ask for. */
interface Available {
  readonly app: boolean;
  readonly keys: Readonly<Partial<Record<KeyName, unknown>>>;
}

/**
 * The fixtures of a file that no longer exist, each with a sentence that says so: a file grows old, and what it names is
 * deleted or closed. That is no failure of the target.
 */
export async function goneFixtures(
  given: Readonly<Partial<Record<FixtureName, string>>>,
  api: ApiClient,
  available: Available,
): Promise<ReadonlyMap<FixtureName, string>> {
  const gone = new Map<FixtureName, string>();
  const look = async (name: FixtureName, find: (id: string) => Promise<string | null>) => {
    const id = given[name];
    if (id === undefined) return;
    const reason = await find(id).catch(asUnknown);
    if (reason !== null) gone.set(name, `the ${name} of the fixtures file, ${id}, ${reason}`);
  };
  for (const listed of LISTED) {
    if (!isAvailable(listed.list.path, listed.key, available)) continue;
    await look(listed.name, (id) => missingInList(api, listed, id));
  }
  for (const read of READ) {
    if (!isAvailable('', read.key, available)) continue;
    await look(read.name, (id) => notFound(api, read, id, available));
  }
  return gone;
}

function isAvailable(path: string, key: KeyName = 'main', { app, keys }: Available): boolean {
  return keys[key] !== undefined && (app || !path.startsWith('/api/'));
}

/** What could not be asked for is left to the checks. */
function asUnknown(error: unknown): null {
  if (error instanceof Inconclusive) return null;
  throw error;
}

async function missingInList(
  api: ApiClient,
  { list, member, status, key = 'main' }: Listed,
  id: string,
): Promise<string | null> {
  const rows = await wholeList(api, list, key);
  const row = rows?.find((one) => one[member] === id);
  if (rows === null || rows === undefined) return null;
  if (row !== undefined) {
    const now = row['status'];
    return status === undefined || now === status ? null : `is ${String(now)} now`;
  }
  if (member === 'slug' && (await findsSlug(api, id))) return null;
  return `is gone: ${list.title} does not have it`;
}

/** Null for a list that does not fit on one page, or is no list. */
async function wholeList(
  api: ApiClient,
  { path, entries }: PagedList,
  key: KeyName,
): Promise<readonly Row[] | null> {
  const { json } = await api.sample({ path, query: { limit: 100, offset: 0 }, key });
  const rows = membersOf(json)[entries];
  const total = membersOf(json)['total'];
  if (!Array.isArray(rows) || !rows.every(isRecord)) return null;
  return typeof total === 'number' && total <= rows.length ? rows : null;
}

/** A list may leave out an agent that exists, which is a failure. */
async function findsSlug(api: ApiClient, slug: string): Promise<boolean> {
  const { json } = await api.sample({ path: AGENTS.path, query: { slug } });
  const rows = membersOf(json)['data'];
  return Array.isArray(rows) && rows.some((row) => isRecord(row) && row['slug'] === slug);
}

async function notFound(
  api: ApiClient,
  { operations, parameter = 'id', key = 'main' }: Read,
  id: string,
  { app }: Available,
): Promise<string | null> {
  const paths = operations
    .map((operation) => pathOf(operation, { [parameter]: id }))
    .filter((path) => app || !path.startsWith('/api/'));
  for (const path of paths) {
    const response = await api.sample({ path, key });
    if (!(await isUnknown(api, response))) return null;
  }
  return paths[0] === undefined ? null : `is gone: GET ${paths[0]} gets 404`;
}

/** Whether the operation is there, and does not know the id. */
async function isUnknown(api: ApiClient, response: ApiResponse): Promise<boolean> {
  if (isSuccess(response) || response.status !== 404) return false;
  return (await unservedCause(api, response)) === null;
}
