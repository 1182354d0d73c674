import { area } from '../../../check-kit/area.ts';
import type { Area } from '../../../check-kit/area.ts';
import type { ApiResponse } from '../../../clients/api-client.ts';
import type { CheckContext, Need } from '../../../check-kit/check.ts';
import { CouldNotRun, Inconclusive } from '../../../verdict/findings.ts';
import { assumeSuccess, isRecord } from '../../../check-kit/expect.ts';

/** One of the three paged lists of the contract. */
export interface PagedList {
  /** Second part of the check ids and first part of the requirement ids. */
  readonly area: 'inbox' | 'template' | 'agent';
  readonly title: string;
  readonly path: string;
  /** The member of a page that holds the entries. */
  readonly entries: 'data' | 'items';
  readonly pageSchema: string;
  readonly entrySchema: string;
  readonly needs: readonly Need[];
}

export const INBOX: PagedList = {
  area: 'inbox',
  title: 'the review inbox',
  path: '/v1/dataset-review-requests',
  entries: 'data',
  pageSchema: 'DatasetReviewRequestList',
  entrySchema: 'DatasetReviewRequest',
  needs: ['key.main'],
};

export const TEMPLATES: PagedList = {
  area: 'template',
  title: 'the templates list',
  path: '/v1/templates',
  entries: 'items',
  pageSchema: 'TemplateList',
  entrySchema: 'Template',
  needs: ['key.main'],
};

export const AGENTS: PagedList = {
  area: 'agent',
  title: 'the agents list',
  path: '/api/v1/agents',
  entries: 'data',
  pageSchema: 'AgentList',
  entrySchema: 'Agent',
  needs: ['key.main', 'app'],
};

/** The frame of the checks of one list. */
export function listArea({ area: name, needs }: PagedList): Area {
  return area(`api.${name}`, { access: 'read', needs });
}

export const LISTS: readonly PagedList[] = [INBOX, TEMPLATES, AGENTS];

type Query = Readonly<Record<string, string | number | boolean>>;

/** A page taken apart. */
export interface Page {
  readonly entries: readonly Readonly<Record<string, unknown>>[];
  readonly ids: readonly string[];
  readonly total: number;
  readonly response: ApiResponse;
}

/** The largest page from the start of the list, which most checks of the list look at. */
export function firstPage(context: CheckContext, list: PagedList, query?: Query): Promise<Page> {
  return page(context, list, { limit: 100, offset: 0, ...query });
}

/** One page. Inconclusive when it is not of the documented shape: the check of the shape says so. */
export async function page(context: CheckContext, list: PagedList, query: Query): Promise<Page> {
  const response = await context.api.sample({ path: list.path, query });
  assumeSuccess(response);
  return readPage(list, response);
}

export function readPage(list: PagedList, response: ApiResponse): Page {
  const body = response.json;
  const entries = isRecord(body) ? body[list.entries] : undefined;
  const total = isRecord(body) ? body['total'] : undefined;
  if (!Array.isArray(entries) || typeof total !== 'number' || !entries.every(isRecord)) {
    throw new Inconclusive(
      `${list.title} answers with no page; see the check api.${list.area}.page-schema`,
    );
  }
  return { entries, ids: entries.map((entry) => String(entry['id'])), total, response };
}

/** Throws when a list is too short to show anything. */
export function needEntries(list: PagedList, { entries }: Page, count: number): void {
  if (entries.length >= count) return;
  throw new CouldNotRun(
    `${list.title} of this key has ${entries.length} entries, at least ${count} are needed`,
    `use a key of a tenant with ${count} or more entries in ${list.title}`,
  );
}
