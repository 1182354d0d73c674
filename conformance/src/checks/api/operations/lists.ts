import { area } from '../../../check-kit/area.ts';
import type { Area } from '../../../check-kit/area.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { CheckContext, Need } from '../../../check-kit/check.ts';
import { CouldNotRun, Inconclusive } from '../../../verdict/findings.ts';
import { assumeSuccess } from '../../../check-kit/expect.ts';
import { isRecord } from '../../../http/message.ts';

/** One of the three paged lists. */
export interface PagedList {
  /** Second part of the check ids and first part of the requirement ids. */
  readonly area: 'inbox' | 'template' | 'agent';
  readonly title: string;
  readonly path: string;
  /** Its name in the table of operations. */
  readonly operation: 'inbox' | 'templates' | 'agents';
  /** The member of a page that holds the entries. */
  readonly entries: 'data' | 'items';
  readonly needs: readonly Need[];
}

export const INBOX: PagedList = {
  area: 'inbox',
  title: 'the review inbox',
  path: '/v1/dataset-review-requests',
  operation: 'inbox',
  entries: 'data',
  needs: ['key.main'],
};

export const TEMPLATES: PagedList = {
  area: 'template',
  title: 'the templates list',
  path: '/v1/templates',
  operation: 'templates',
  entries: 'items',
  needs: ['key.main'],
};

export const AGENTS: PagedList = {
  area: 'agent',
  title: 'the agents list',
  path: '/api/v1/agents',
  operation: 'agents',
  entries: 'data',
  needs: ['key.main', 'app'],
};

/** The frame of the checks of one list. */
export function listArea({ area: name, needs }: PagedList): Area {
  return area(`api.${name}`, { access: 'read', needs });
}

export const LISTS: readonly PagedList[] = [INBOX, TEMPLATES, AGENTS];

export type Query = Readonly<Record<string, string | number | boolean>>;

/** The parts of a page. */
export interface Page {
  readonly entries: readonly Readonly<Record<string, unknown>>[];
  readonly ids: readonly string[];
  readonly total: number;
  readonly response: ApiResponse;
}

/** The largest page from the start of the list; most checks of a list share it. */
export function firstPage(context: CheckContext, list: PagedList, query?: Query): Promise<Page> {
  return page(context, list, { limit: 100, offset: 0, ...query });
}

/** One page. Inconclusive for another shape: the check of the shape reports it. */
export async function page(context: CheckContext, list: PagedList, query: Query): Promise<Page> {
  const response = await context.api.sample({ path: list.path, query });
  assumeSuccess(response);
  return readPage(list, response);
}

export function readPage(list: PagedList, response: ApiResponse): Page {
  const body = response.json;
  const entries = isRecord(body) ? body[list.entries] : undefined;
  const total = isRecord(body) ? body['total'] : undefined;
  if (!Array.isArray(entries) || typeof total !== 'number' || !entries.every(hasId)) {
    throw new Inconclusive(`Cannot judge: ${list.title} returns no page whose entries have ids.`, {
      reportedBy: `api.response.${list.operation}`,
    });
  }
  return { entries, ids: entries.map(({ id }) => id), total, response };
}

function hasId(entry: unknown): entry is Record<string, unknown> & { readonly id: string } {
  return isRecord(entry) && typeof entry['id'] === 'string';
}

/** Throws `CouldNotRun` when a list is too short for the check. */
export function needEntries(list: PagedList, { entries }: Page, count: number): void {
  if (entries.length >= count) return;
  const wanted = count === 1 ? '1 entry' : `${count} entries`;
  throw new CouldNotRun(
    `${list.title} must have at least ${wanted}, got ${entries.length}`,
    `use a key of a tenant with at least ${wanted} in ${list.title}`,
  );
}
